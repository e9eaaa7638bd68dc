import { changeMemberType, changeReferrer, type SalesPerson } from '@atrium/contract/members/desk-calls.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useOpened } from '../../forms/use-opened.ts'
import { Facts } from '../../ui/layout/facts.tsx'
import { TextLink } from '../../ui/layout/link-button.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './member-detail.module.css'
import { typeLabels } from './member-labels.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import { SalesPersonSelect } from './sales-person-select.tsx'
import { type DeskMember, memberQuery, useMemberAct } from './use-members.ts'

type MemberSalesProps = { member: DeskMember; mayChange: boolean }

/** Whether the member is a sales person, whom they referred, and who referred them. */
export function MemberSales({ member, mayChange }: MemberSalesProps) {
  const { t } = useTranslation()
  const [dialog, setDialog] = useState<'type' | 'referrer' | null>(null)
  const close = () => setDialog(null)
  const sells = member.type === 'sales_person'
  return (
    <>
      <Facts
        facts={[
          { name: t('Type'), value: t(typeLabels[sells ? 'sales_person' : 'client']) },
          { name: t('Referred by'), value: member.referrer ? <Person person={member.referrer} /> : t('Nobody') },
          {
            name: t('Referred members'),
            value:
              member.referred_count === 0 ? null : (
                <TextLink
                  to="/members/{-$memberId}"
                  params={{ memberId: undefined }}
                  search={{ referrer: member._id }}
                  inherit
                >
                  {member.referred_count}
                </TextLink>
              ),
          },
        ]}
      />
      {mayChange && (
        <div data-group="sm">
          <Button size="xs" variant="default" onClick={() => setDialog('type')}>
            {sells ? t('Make a client') : t('Make a sales person')}
          </Button>
          <Button size="xs" variant="default" onClick={() => setDialog('referrer')}>
            {member.referrer ? t('Change referrer') : t('Set referrer')}
          </Button>
        </div>
      )}
      {member.referrals.length > 0 && <Referrals referrals={member.referrals} />}
      {dialog === 'type' && <TypeDialog member={member} onClose={close} />}
      {dialog === 'referrer' && <ReferrerDialog member={member} onClose={close} />}
    </>
  )
}

function Person({ person }: { person: SalesPerson }) {
  return (
    <TextLink to="/members/{-$memberId}" params={{ memberId: person._id } as never} inherit>
      <bdi>{person.name}</bdi> {person.customer_number}
    </TextLink>
  )
}

function Referrals({ referrals }: Pick<DeskMember, 'referrals'>) {
  const { t } = useTranslation()
  const nameOf = (person: SalesPerson | null) => person?.name ?? t('Nobody')
  return (
    <ul data-plain aria-label={t('Referrer history')}>
      {referrals.map(({ _id, at, by, from, to, reason }) => (
        <li key={_id} className={parts.row}>
          <span className={parts.rowName}>{t('{{from}} to {{to}}', { from: nameOf(from), to: nameOf(to) })}</span>
          <Moment at={at} />
          <span className={parts.rowMore}>
            <bdi>{by}</bdi> {'·'} {reason}
          </span>
        </li>
      ))}
    </ul>
  )
}

type SalesDialogProps = { member: DeskMember; onClose: () => void }

function TypeDialog({ member, onClose }: SalesDialogProps) {
  const { t } = useTranslation()
  const change = useMemberAct(changeMemberType, member._id)
  // At opening: when a colleague changes the type meanwhile, the question must not turn into its opposite.
  const [sells] = useState(member.type === 'sales_person')
  return (
    <ReasonDialog
      title={sells ? t('Make {{name}} a client?', member) : t('Make {{name}} a sales person?', member)}
      consequence={
        sells
          ? t('The Sales page is closed to them at once. The members whom they referred keep their referrer.')
          : t('They get the Sales page of the portal, with name, number and state of the members whom they referred.')
      }
      reasonHelp={t('Visible to staff only.')}
      action={sells ? t('Make a client') : t('Make a sales person')}
      notNow={t('Not now')}
      isCalm
      start={{}}
      send={(values) => change.mutateAsync({ type: sells ? 'client' : 'sales_person', ...values })}
      done={
        sells ? t('{{name}} is a client now.', member) : t('{{name}} is a sales person now.', { name: member.name })
      }
      onClose={onClose}
    />
  )
}

function ReferrerDialog({ member, onClose }: SalesDialogProps) {
  const { t } = useTranslation()
  const { opened, takeNewer } = useOpened({
    row: member,
    newest: (queries) => queries.getQueryData(memberQuery(member._id).queryKey),
    refusals: [deskTexts.referrerMoved],
  })
  const before = opened.referrer
  const seen = before?._id ?? null
  const change = useMemberAct(changeReferrer, member._id)
  return (
    <ReasonDialog
      title={t('Who referred {{name}}?', member)}
      consequence={t('The sales person sees the member on the Sales page, and the previous one no longer does.')}
      reasonHelp={t('Visible to staff only.')}
      action={t('Save change')}
      notNow={t('Cancel')}
      isCalm
      start={{ referrer: seen }}
      labels={{ referrer: 'Referred by' }}
      check={({ referrer }) => (referrer === seen ? { referrer: ['Nothing is changed yet.'] } : {})}
      fields={({ values, errorOf, change: put }) => (
        <SalesPersonSelect
          label={t('Referred by')}
          description={[
            t('Now: {{value}}', { value: before?.name ?? t('Nobody') }),
            t('Leave it empty to remove the referrer.'),
          ].join(' \u00b7 ')}
          placeholder={t('Nobody')}
          size="sm"
          data-autofocus
          known={before}
          value={values.referrer}
          error={errorOf('referrer')}
          onChange={(referrer) => put({ referrer })}
        />
      )}
      send={(values) => change.mutateAsync({ seen, ...values })}
      onRefused={(error) => {
        takeNewer(error)
        return undefined
      }}
      done={t('The referrer of {{name}} was changed.', member)}
      onClose={onClose}
    />
  )
}
