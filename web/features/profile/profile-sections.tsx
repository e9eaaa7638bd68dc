import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Flag } from '../../ui/flag.tsx'
import { Card, Section } from '../../ui/page.tsx'
import { Tag } from '../../ui/status-pill.tsx'
import parts from './profile-parts.module.css'
import { addressLines } from './profile-words.ts'
import type { Profile } from './use-profile.ts'

type ProfileListProps<Row> = {
  title: string
  more?: ReactNode
  rows: Row[] | undefined
  empty: string
  children: (row: Row, index: number) => ReactNode
}

/** One part of the profile: its rows, the specification's sentence where there are none, bones until it is known. */
export function ProfileList<Row>({ title, more, rows, empty, children }: ProfileListProps<Row>) {
  return (
    <Section title={title} more={more}>
      <Card>
        {rows?.length === 0 && <p className={parts.empty}>{empty}</p>}
        {rows && rows.length > 0 && <ul className={parts.list}>{rows.map(children)}</ul>}
        {!rows && (
          <div className={parts.bones} aria-busy>
            <Skeleton height={12} width="45%" />
            <Skeleton height={12} width="70%" />
          </div>
        )}
      </Card>
    </Section>
  )
}

export function Addresses({ addresses }: { addresses: Profile['addresses'] | undefined }) {
  const { t } = useTranslation()
  return (
    <ProfileList title={t('Addresses')} rows={addresses} empty={t('No addresses added.')}>
      {(address) => {
        const [first = '\u2013', ...others] = addressLines(address)
        return (
          <li key={addressLines(address).join()} className={parts.row}>
            <Flag code={address.country?.alpha_2 ?? null} />
            <span className={parts.grow}>
              <span className={parts.strong}>
                {first} {address.primary && <Tag label={t('Primary')} />}
              </span>
              <span className={parts.quiet}>{others.join(', ')}</span>
            </span>
          </li>
        )
      }}
    </ProfileList>
  )
}

export function BankAccounts({ accounts }: { accounts: Profile['bank_accounts'] | undefined }) {
  const { t } = useTranslation()
  return (
    <ProfileList title={t('Bank accounts')} rows={accounts} empty={t('There are no bank accounts.')}>
      {(account) => {
        const number = account.iban_number || account.bank_account || ''
        return (
          <li key={account._id} className={parts.row}>
            <span className={parts.grow}>
              <span className={parts.strong}>
                {account.bank_name} <Tag label={account.currency} />
              </span>
              <span className={`${parts.quiet} ${parts.number}`}>
                {[number, account.swift].filter(Boolean).join(' \u00b7 ')}
              </span>
            </span>
            {number && <CopyButton value={number} name={t('Account number')} />}
          </li>
        )
      }}
    </ProfileList>
  )
}
