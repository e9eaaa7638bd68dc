import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { ActionIcon, Button, Skeleton } from '@mantine/core'
import { IconChevronRight, IconPencil } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Flag } from '../../ui/brand/flag.tsx'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { StatusPill, Tag } from '../../ui/feedback/status-pill.tsx'
import { TextLink } from '../../ui/layout/link-button.tsx'
import { Card, Section } from '../../ui/layout/page.tsx'
import rowParts from '../../ui/lists/rows.module.css'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { addressLines, labelsOfRequest } from './profile-labels.ts'
import parts from './profile-parts.module.css'
import { type Profile, useOwnBankAccounts, useQuickLinks } from './use-profile.ts'

type ProfileListProps<Row> = {
  title: string
  more?: ReactNode
  rows: Row[] | undefined
  empty: string
  children: (row: Row, index: number) => ReactNode
}

/** One section of the profile: its rows, the specification's text when empty, a skeleton while loading. */
export function ProfileList<Row>({ title, more, rows, empty, children }: ProfileListProps<Row>) {
  return (
    <Section title={title} more={more}>
      <Card>
        {rows?.length === 0 && <p className={parts.empty}>{empty}</p>}
        {rows && rows.length > 0 && <ul className={rowParts.list}>{rows.map(children)}</ul>}
        {!rows && (
          <div data-stack="md" data-pad="lg" aria-busy>
            <Skeleton height={12} width="45%" />
            <Skeleton height={12} width="70%" />
          </div>
        )}
      </Card>
    </Section>
  )
}

type Address = Profile['addresses'][number]

type AddressesProps = {
  addresses: Address[] | undefined
  onAdd: () => void
  onChange: (address: Address) => void
}

export function Addresses({ addresses, onAdd, onChange }: AddressesProps) {
  const { t } = useTranslation()
  const isFull = (addresses?.length ?? 0) >= limits.addressesMax
  return (
    <ProfileList
      title={t('Addresses')}
      more={
        addresses &&
        !isFull && (
          <Button variant="default" size="xs" onClick={onAdd}>
            {t('Add address')}
          </Button>
        )
      }
      rows={addresses}
      empty={t(texts.noAddresses)}
    >
      {(address) => {
        const [first = '\u2013', ...others] = addressLines(address)
        return (
          <li key={address._id} className={rowParts.row}>
            <Flag code={address.country?.alpha_2 ?? null} />
            <span className={rowParts.grow}>
              <span className={rowParts.strong}>
                <bdi>{first}</bdi> {address.primary && <Tag label={t('Primary')} />}
              </span>
              <span className={rowParts.quiet}>
                <bdi>{others.join(', ')}</bdi>
              </span>
            </span>
            <ActionIcon aria-label={t('Change {{address}}', { address: first })} onClick={() => onChange(address)}>
              <IconPencil size={18} stroke={1.5} />
            </ActionIcon>
          </li>
        )
      }}
    </ProfileList>
  )
}

export function BankAccounts({ mayKeep }: { mayKeep: boolean }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useOwnBankAccounts()
  if (error && !data)
    return (
      <Section title={t('Bank accounts')}>
        <Card>
          <ErrorState error={error} onRetry={() => refetch()} />
        </Card>
      </Section>
    )
  return (
    <ProfileList
      title={t('Bank accounts')}
      more={mayKeep && <TextLink to="/funds/bank-accounts">{t('Manage bank accounts')}</TextLink>}
      rows={data}
      empty={t(texts.noProfileBankAccounts)}
    >
      {(account) => {
        const number = account.iban_number || account.bank_account || ''
        return (
          <li key={account._id} className={rowParts.row}>
            <span className={rowParts.grow}>
              <span className={rowParts.strong}>
                {account.bank_name} <Tag label={account.currency} />
              </span>
              <span className={`${rowParts.quiet} ${parts.number}`}>
                <bdi>{[number, account.swift].filter(Boolean).join(' \u00b7 ')}</bdi>
              </span>
            </span>
            {number && <CopyButton value={number} name={t('Account number')} />}
          </li>
        )
      }}
    </ProfileList>
  )
}

/** Links to the most frequent requests, each with the status of the last one. */
export function QuickLinks() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuickLinks()
  if (error && !data)
    return (
      <Section title={t('Requests')}>
        <Card>
          <ErrorState error={error} onRetry={() => refetch()} />
        </Card>
      </Section>
    )
  return (
    <ProfileList
      title={t('Requests')}
      more={<TextLink to="/requests">{t('All requests')}</TextLink>}
      rows={data}
      empty={t(texts.noQuickLinks)}
    >
      {({ _id, name, description, last_request }) => {
        const pill = last_request && labelsOfRequest(last_request.status)
        return (
          <li key={_id}>
            <Link to="/requests-types/$id" params={{ id: _id }} className={`${rowParts.row} ${rowParts.pressable}`}>
              <span className={rowParts.grow}>
                <span className={rowParts.strong}>{name}</span>
                <span className={rowParts.quiet}>{description}</span>
              </span>
              {pill && <StatusPill meaning={pill.meaning} label={t(pill.label)} />}
              <IconChevronRight size={18} stroke={1.5} aria-hidden className={rowParts.icon} />
            </Link>
          </li>
        )
      }}
    </ProfileList>
  )
}
