import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { KindTag, PlatformMark } from '../features/accounts/account-parts.tsx'
import { useAccounts } from '../features/accounts/use-accounts.ts'
import { OwnSessions } from '../features/profile/own-sessions.tsx'
import listParts from '../features/profile/profile-parts.module.css'
import { Addresses, BankAccounts, ProfileList } from '../features/profile/profile-sections.tsx'
import { wordsOfDocuments } from '../features/profile/profile-words.ts'
import { type Profile, useProfile } from '../features/profile/use-profile.ts'
import { useIsOpen } from '../features/session/session.ts'
import { Amount } from '../ui/amount.tsx'
import { Facts } from '../ui/facts.tsx'
import { LinkButton, TextLink } from '../ui/link-button.tsx'
import { Card, Page, Section } from '../ui/page.tsx'
import { ErrorState } from '../ui/state.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import parts from './profile-page.module.css'

export function ProfilePage() {
  const { t } = useTranslation()
  const isOpen = useIsOpen()
  const { data, error, refetch } = useProfile()
  const profile = data ?? undefined
  return (
    <Page
      title={t('Profile')}
      help={t('What we know about you, and where you are signed in.')}
      actions={
        <LinkButton to="/profile/change_password" variant="default">
          {t('Change password')}
        </LinkButton>
      }
    >
      {error && !profile ? (
        <Card>
          <ErrorState error={error} onRetry={() => refetch()} />
        </Card>
      ) : (
        <div className={parts.columns}>
          <div className={parts.column}>
            <AboutMember profile={profile} />
            <Addresses addresses={profile?.addresses} />
          </div>
          <div className={parts.column}>
            {isOpen('my_accounts') && <TradingAccounts />}
            <BankAccounts accounts={profile?.bank_accounts} />
          </div>
        </div>
      )}
      <OwnSessions />
    </Page>
  )
}

function AboutMember({ profile }: { profile: Profile | undefined }) {
  const { t } = useTranslation()
  return (
    <Section title={t('Name and contacts')}>
      <Card className={parts.facts}>{profile ? <MemberFacts profile={profile} /> : <MemberBones />}</Card>
    </Section>
  )
}

function MemberBones() {
  const { t } = useTranslation()
  const names = [t('Name'), t('Client number'), t('Phone'), t('Email'), t('Documents')]
  return (
    <div aria-busy>
      <Facts facts={names.map((name) => ({ name, value: <Bone /> }))} />
    </div>
  )
}

function Bone() {
  return <Skeleton component="span" display="inline-block" height={12} width={120} />
}

function MemberFacts({ profile }: { profile: Profile }) {
  const { t } = useTranslation()
  const documents = wordsOfDocuments(profile.documents_status)
  return (
    <Facts
      facts={[
        { name: t('Name'), value: [profile.title, profile.name].filter(Boolean).join(' ') },
        { name: t('Client number'), value: profile.customer_number, copy: profile.customer_number },
        { name: t('Phone'), value: profile.phones.join(', ') },
        { name: t('Email'), value: profile.emails.join(', ') },
        {
          name: t('Documents'),
          value: <StatusPill meaning={documents.meaning} label={t(documents.label)} />,
        },
      ]}
    />
  )
}

function TradingAccounts() {
  const { t } = useTranslation()
  const { accounts, error, retry } = useAccounts()
  if (error && !accounts)
    return (
      <Section title={t('Trading accounts')}>
        <Card>
          <ErrorState error={error} onRetry={retry} holds={t('Your money has not moved.')} />
        </Card>
      </Section>
    )
  return (
    <ProfileList
      title={t('Trading accounts')}
      more={<TextLink to="/accounts">{t('All accounts')}</TextLink>}
      rows={accounts}
      empty={t('There are no accounts.')}
    >
      {(account) => (
        <li key={account._id} className={listParts.row}>
          <PlatformMark type={account.platform_type} />
          <span className={listParts.grow}>
            <span className={listParts.strong}>
              {account.platform_login} <KindTag account={account} />
            </span>
            <span className={listParts.quiet}>{account.trading_platform.name}</span>
          </span>
          <span className={listParts.figures}>
            <Amount amount={account.balance} currency={account.currency} />
          </span>
        </li>
      )}
    </ProfileList>
  )
}
