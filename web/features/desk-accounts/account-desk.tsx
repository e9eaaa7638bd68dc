import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { RecordError } from '../../ui/feedback/record-error.tsx'
import { Callout } from '../../ui/feedback/state.tsx'
import { Tag } from '../../ui/feedback/status-pill.tsx'
import { Card } from '../../ui/layout/page.tsx'
import { WorkPage } from '../../ui/layout/work-page.tsx'
import { Amount } from '../../ui/money/amount.tsx'
import { Ago, Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { AccessPart } from './access-part.tsx'
import parts from './desk-accounts.module.css'
import { DifferenceRow } from './difference-row.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { OwnerPart } from './owner-part.tsx'
import { accountQuery, type DeskAccount, type Difference } from './use-accounts.ts'

type AccountDeskProps = {
  accountId: string
  mayDecide: boolean
  mayRestrict: boolean
  /** The account's trades, for staff with the right to read money. */
  trades?: (account: TradedAccount) => ReactNode
}
type TradedAccount = { _id: string; platform_type: string; platform_login: string; currency: string }

/** One account: our record beside the platform's current one, with the differences. */
export function AccountDesk({ accountId, mayDecide, mayRestrict, trades }: AccountDeskProps) {
  const { t } = useTranslation()
  const { data: account, error, refetch } = useQuery(accountQuery(accountId))
  if (error && !account)
    return (
      <WorkPage>
        <Card>
          <RecordError
            error={error}
            notFound={t('Account not found')}
            holds={t('Nothing was changed.')}
            onRetry={() => refetch()}
          />
        </Card>
      </WorkPage>
    )
  if (!account)
    return (
      <WorkPage>
        <Card>
          <Skeleton height={220} />
        </Card>
      </WorkPage>
    )
  return (
    <WorkPage help={<Whose account={account} />}>
      {account.platform_problem && <Problem problem={account.platform_problem} />}
      {account.details_due_since !== null && (
        <Callout meaning="amber">
          {t('The platform does not have the member\u2019s new details yet; they are sent again automatically.')}{' '}
          {t('Waiting since')} <Moment at={account.details_due_since} />
        </Callout>
      )}
      <DuePasswords due={account.passwords_due} />
      <Card>
        <AccessPart account={account} mayRestrict={mayRestrict} />
        {mayDecide && <OwnerPart account={account} />}
        <Sides account={account} />
      </Card>
      <Differences differences={account.differences} mayDecide={mayDecide} />
      {trades?.({ ...account, currency: account.portal.currency })}
    </WorkPage>
  )
}

function Differences({ differences, mayDecide }: { differences: Difference[]; mayDecide: boolean }) {
  const { t } = useTranslation()
  // Held outside the row, which leaves the list when a colleague decides first.
  const [imported, setImported] = useState<Difference | null>(null)
  return (
    <>
      {differences.length > 0 && (
        <Card>
          <h2 className={parts.title}>{t('Differences')}</h2>
          <ul className={parts.list} aria-label={t('Differences')}>
            {differences.map((one) => (
              <li key={one._id}>
                <DifferenceRow difference={one} mayDecide={mayDecide} onImport={() => setImported(one)} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      {imported && <ImportDialog difference={imported} onClose={() => setImported(null)} />}
    </>
  )
}

function Whose({ account }: { account: DeskAccount }) {
  const { t } = useTranslation()
  const { member } = account
  return (
    <>
      {`${account.platform_name} ${account.platform_login} `}
      <Tag label={account.live_account ? t('Live') : t('Demo')} isStrong={account.live_account} />{' '}
      {account.archived && <Tag label={t('Archived')} />} {account.deleted && <Tag label={t('Deleted')} />}{' '}
      <Link to="/members/{-$memberId}" params={{ memberId: member._id }}>
        {t('of {{name}}, customer {{number}}', { name: member.name, number: member.customer_number })}
      </Link>
    </>
  )
}

const problems = {
  not_connected: 'The platform is not connected, so there is nothing to compare with.',
  not_answering: 'The platform does not answer at the moment. The last known values are shown with their time.',
  not_there: 'The platform reports that this account does not exist.',
}

function Problem({ problem }: { problem: keyof typeof problems }) {
  const { t } = useTranslation()
  return <Callout meaning="amber">{t(problems[problem])}</Callout>
}

function DuePasswords({ due }: { due: DeskAccount['passwords_due'] }) {
  const { t } = useTranslation()
  if (due.length === 0) return null
  return (
    <Callout meaning="amber">
      {due.length > 1
        ? t('The member has not set new passwords since the owner was corrected.')
        : due[0] === 'investor'
          ? t('The member has not set a new investor password since the owner was corrected.')
          : t('The member has not set a new password since the owner was corrected.')}{' '}
      {t('Until then, the previous owner may be able to sign in to the platform.')}
    </Callout>
  )
}

type Side = DeskAccount['portal']

function Sides({ account }: { account: DeskAccount }) {
  const { t } = useTranslation()
  const { portal, platform, as_of } = account
  const yes = (is: boolean) => (is ? t('Yes') : t('No'))
  const rows: { name: string; of: (side: Side) => string; shown?: (side: Side) => ReactNode; isMoving?: boolean }[] = [
    { name: t('Group'), of: (side) => side.group_name },
    { name: t('Leverage'), of: (side) => `1:${side.leverage}` },
    { name: t('Currency'), of: (side) => side.currency },
    { name: t('May sign in to the platform'), of: (side) => yes(side.is_enabled) },
    { name: t('May trade'), of: (side) => yes(!side.is_read_only) },
    { name: t('May change the password'), of: (side) => yes(side.may_change_password) },
    ...(['balance', 'equity'] as const).map((name) => ({
      name: name === 'balance' ? t('Balance') : t('Equity'),
      of: (side: Side) => String(side[name]),
      shown: (side: Side) => <Amount amount={side[name]} currency={side.currency} />,
      // Our metrics are older than the platform's, so they would differ after every trade.
      isMoving: true,
    })),
  ]
  return (
    <div className={parts.sides}>
      <table className={parts.table} aria-label={t('Portal and platform')}>
        <thead>
          <tr>
            <th>{t('Field')}</th>
            <th>
              {t('Portal')}{' '}
              {as_of !== null && (
                <span className={parts.quiet}>
                  {t('as of')} <Ago at={as_of} />
                </span>
              )}
            </th>
            <th>{t('Platform now')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, of, shown = of, isMoving = false }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{shown(portal)}</td>
              <td>
                {platform ? shown(platform) : '–'}{' '}
                {platform && !isMoving && of(platform) !== of(portal) && <Tag label={t('differs')} isStrong />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
