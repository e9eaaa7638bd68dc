import { knownOr, otherLabel } from '@atrium/contract/unknown-values.ts'
import { shownPhone } from '@atrium/contract/validators/phone.ts'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { serverNow } from '../../api/transport.ts'
import { Flag } from '../../ui/brand/flag.tsx'
import { StatusPill, Tag } from '../../ui/feedback/status-pill.tsx'
import { AttachedPicture } from '../../ui/files/attached-picture.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { Amount } from '../../ui/money/amount.tsx'
import { transactionStateLabel } from '../../ui/money/transaction-states.ts'
import { typeLabel } from '../../ui/money/transaction-type.ts'
import { day, time } from '../../ui/text/format.ts'
import { Ago } from '../../ui/text/moment.tsx'
import { platformName } from '../../ui/text/platform-names.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './member-detail.module.css'
import type { DeskMember } from './use-members.ts'

const Nothing = ({ text }: { text: string }) => <p className={parts.nothing}>{text}</p>

export function Contacts({ member }: { member: DeskMember }) {
  const { t } = useTranslation()
  const addresses = member.addresses.map(({ lines, country_code, primary }, index) => ({
    name: primary ? t('Address') : t('Address {{count}}', { count: index + 1 }),
    value: (
      <span className={parts.address}>
        <bdi>{lines.join(', ')}</bdi> <Flag code={country_code} /> {country_code}
      </span>
    ),
  }))
  return (
    <Facts
      facts={[
        ...member.emails.map((email, index) => ({
          name: index === 0 ? t('Email') : t('Email {{count}}', { count: index + 1 }),
          value: email,
          copy: email,
        })),
        ...member.phones.map((phone, index) => ({
          name: index === 0 ? t('Phone') : t('Phone {{count}}', { count: index + 1 }),
          value: shownPhone(phone),
          copy: phone,
        })),
        ...addresses,
      ]}
    />
  )
}

export function Accounts({ accounts }: { accounts: DeskMember['accounts'] }) {
  const { t } = useTranslation()
  if (accounts.length === 0) return <Nothing text={t('No trading accounts.')} />
  return (
    <ul data-plain>
      {accounts.map((account) => (
        <li key={account._id} className={parts.row}>
          <span className={parts.rowName}>
            <Link to="/trading-accounts/$accountId" params={{ accountId: account._id }}>
              {`${platformName(account.platform_type)} ${account.platform_login}`}
            </Link>{' '}
            <Tag label={account.live_account ? t('Live') : t('Demo')} isStrong={account.live_account} />
          </span>
          <Amount amount={account.balance} currency={account.currency} />
          <span className={parts.rowMore}>
            {account.as_of ? (
              <>
                {t('as of')} <Ago at={account.as_of} />
              </>
            ) : (
              t('never synchronised')
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

export function Transactions({ transactions }: { transactions: DeskMember['transactions'] }) {
  const { t } = useTranslation()
  if (transactions.length === 0) return <Nothing text={t('No transactions.')} />
  return (
    <ul data-plain>
      {transactions.map((row) => (
        <li key={row._id} className={parts.row}>
          <span className={parts.rowName}>
            {row.type === 'deposit' ? (
              <Link to="/deposits/{-$depositId}" params={{ depositId: row._id }} search={{ state: 'all' }}>
                {t('T-{{ticket}}', row)}
              </Link>
            ) : (
              <Link to="/withdrawals/{-$withdrawalId}" params={{ withdrawalId: row._id }} search={{ state: 'all' }}>
                {t('T-{{ticket}}', row)}
              </Link>
            )}{' '}
            {t(typeLabel(row.type))}
          </span>
          <Amount amount={row.amount} currency={row.currency} />
          <span className={parts.rowMore}>
            {t(transactionStateLabel(row.state))} {'·'} <Ago at={row.created_at} />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Total deposits and withdrawals of live accounts. */
export function Totals({ totals }: { totals: DeskMember['totals'] }) {
  const { t } = useTranslation()
  if (totals.length === 0) return <Nothing text={t('No deposits or withdrawals on live accounts.')} />
  return (
    <ul data-plain>
      {totals.map(({ currency, deposits, withdrawals }) => (
        <li key={currency} className={parts.row}>
          <span className={parts.rowName}>{t('Deposited')}</span>
          <Amount amount={deposits} currency={currency} />
          <span className={parts.rowName}>{t('Withdrawn')}</span>
          <Amount amount={withdrawals} currency={currency} />
        </li>
      ))}
    </ul>
  )
}

const ticketLabels: Record<DeskMember['tickets'][number]['state'], string> = knownOr(otherLabel, {
  open: 'Open',
  taken: 'Taken',
  resolved: 'Resolved',
  closed: 'Merged',
})

type TicketsProps = { tickets: DeskMember['tickets']; count: number }

/** The latest support tickets. */
export function Tickets({ tickets, count }: TicketsProps) {
  const { t } = useTranslation()
  if (tickets.length === 0) return <Nothing text={t('No tickets.')} />
  return (
    <>
      <ul data-plain>
        {tickets.map((row) => (
          <li key={row._id} className={parts.row}>
            <span className={parts.rowName}>
              <Link to="/tickets/{-$ticketId}" params={{ ticketId: row._id }} search={{ state: row.state }}>
                {t('#{{ticket}}', row)}
              </Link>{' '}
              <bdi>{row.subject}</bdi>
            </span>
            <span>{t(ticketLabels[row.state])}</span>
            <span className={parts.rowMore}>
              <Ago at={row.created_at} />
            </span>
          </li>
        ))}
      </ul>
      {count > tickets.length && (
        <p className={parts.nothing}>{t('The last {{shown}} of {{count}}.', { shown: tickets.length, count })}</p>
      )}
    </>
  )
}

export function BankAccounts({ accounts }: { accounts: DeskMember['bank_accounts'] }) {
  const { t } = useTranslation()
  if (accounts.length === 0) return <Nothing text={t('No bank accounts.')} />
  return (
    <ul data-plain>
      {accounts.map((account) => (
        <li key={account._id} className={parts.row}>
          <span className={parts.rowName}>
            <Flag code={account.country_code} /> <bdi>{account.bank_name}</bdi>
          </span>
          <span>{account.currency}</span>
          <span className={parts.rowMore}>
            <Apart texts={[account.account_holder, account.number, account.swift]} />
          </span>
          <CoolingOff until={account.usable_from} />
        </li>
      ))}
    </ul>
  )
}

export function OtherAccounts({ accounts }: { accounts: DeskMember['other_accounts'] }) {
  const { t } = useTranslation()
  if (accounts.length === 0) return <Nothing text={t('No other accounts.')} />
  const tagOf = (tag: string | null) => tag && t('Tag {{tag}}', { tag })
  return (
    <ul data-plain>
      {accounts.map(({ _id, name, provider, preferred_currency, address_qr, usable_from, ...account }) => (
        <li key={_id} className={parts.row}>
          <span className={parts.rowName}>
            <bdi>{name}</bdi>
          </span>
          <span>{preferred_currency}</span>
          <span className={parts.rowMore}>
            <Apart texts={[provider, account.address_id, tagOf(account.address_tag), account.notes]} />
          </span>
          {address_qr && (
            <span className={parts.rowMore}>
              <AttachedPicture picture={address_qr} name={t('QR code of {{name}}', { name })} side={64} />
            </span>
          )}
          <CoolingOff until={usable_from} />
        </li>
      ))}
    </ul>
  )
}

/** Each isolated: a member's text that turns the direction must not turn the number beside it. */
function Apart({ texts }: { texts: (string | null)[] }) {
  const known = texts.filter((text) => text !== null && text !== '')
  return known.map((text, at) => {
    // Two of them may be equal.
    const key = known.slice(0, at + 1).join(' ')
    return (
      <Fragment key={key}>
        {at > 0 && ' \u00b7 '}
        <bdi>{text}</bdi>
      </Fragment>
    )
  })
}

/** The cooling-off period of a new or changed beneficiary; staff cannot end it early. */
function CoolingOff({ until }: { until: number }) {
  const { t } = useTranslation()
  if (until <= serverNow()) return null
  return (
    <span className={parts.rowMore}>
      <StatusPill
        meaning="amber"
        label={t('On hold until {{day}}, {{time}}', { day: day(until), time: time(until) })}
      />
    </span>
  )
}
