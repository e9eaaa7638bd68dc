import { texts } from '@atrium/contract/texts.ts'
import { useState } from 'react'
import { KindTag, PlatformMark } from '../../features/accounts/account-parts.tsx'
import { useAccounts } from '../../features/accounts/use-accounts.ts'
import { NotificationPreferences } from '../../features/notifications/notification-preferences.tsx'
import { AboutMember } from '../../features/profile/about-member.tsx'
import { AddressDialog } from '../../features/profile/address-dialog.tsx'
import { memberSessions } from '../../features/profile/member-sessions.ts'
import { Preferences } from '../../features/profile/preferences.tsx'
import { Addresses, BankAccounts, ProfileList, QuickLinks } from '../../features/profile/profile-sections.tsx'
import { OwnSessions } from '../../features/profile/session-list.tsx'
import { type Profile, useProfile } from '../../features/profile/use-profile.ts'
import { SecuritySection } from '../../features/security/security-section.tsx'
import { useIsOpen } from '../../features/session/session.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { LinkButton, TextLink } from '../../ui/layout/link-button.tsx'
import { Card, Page, Section } from '../../ui/layout/page.tsx'
import rowParts from '../../ui/lists/rows.module.css'
import { Amount } from '../../ui/money/amount.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { NextStep } from '../next-steps-card.tsx'

export function ProfilePage() {
  const { t } = useTranslation()
  const isOpen = useIsOpen()
  const { data, error, refetch } = useProfile()
  const profile = data ?? undefined
  const [address, setAddress] = useState<Profile['addresses'][number] | 'new' | null>(null)
  const hasBanks = isOpen('deposit') || isOpen('withdraw') || isOpen('bank-accounts')
  return (
    <Page
      title={t('Profile')}
      help={t('Your details and active sessions.')}
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
        <>
          <NextStep after="profile" />
          <div data-columns="halves">
            <div data-stack="xl" data-shrink>
              <AboutMember profile={profile} isOpen={isOpen} />
              <Addresses addresses={profile?.addresses} onAdd={() => setAddress('new')} onChange={setAddress} />
              {profile && <Preferences profile={profile} />}
              <NotificationPreferences />
            </div>
            <div data-stack="xl" data-shrink>
              {isOpen('my_accounts') && <TradingAccounts />}
              {hasBanks && <BankAccounts mayKeep={isOpen('bank-accounts')} />}
              {isOpen('requests') && <QuickLinks />}
            </div>
          </div>
        </>
      )}
      <SecuritySection />
      <OwnSessions source={memberSessions} />
      {profile && <AddressDialog profile={profile} address={address} onClose={() => setAddress(null)} />}
    </Page>
  )
}

function TradingAccounts() {
  const { t } = useTranslation()
  const { accounts, error, retry } = useAccounts()
  if (error && !accounts)
    return (
      <Section title={t('Trading accounts')}>
        <Card>
          <ErrorState error={error} onRetry={retry} />
        </Card>
      </Section>
    )
  return (
    <ProfileList
      title={t('Trading accounts')}
      more={<TextLink to="/accounts">{t('All accounts')}</TextLink>}
      rows={accounts}
      empty={t(texts.noProfileAccounts)}
    >
      {(account) => (
        <li key={account._id} className={rowParts.row}>
          <PlatformMark type={account.platform_type} />
          <span className={rowParts.grow}>
            <span className={rowParts.strong}>
              {account.platform_login} <KindTag account={account} />
            </span>
            <span className={rowParts.quiet}>{account.trading_platform.name}</span>
          </span>
          <span className={rowParts.amounts}>
            <Amount amount={account.balance} currency={account.currency} />
          </span>
        </li>
      )}
    </ProfileList>
  )
}
