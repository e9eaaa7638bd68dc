import type { Scope } from '@atrium/contract/scopes.ts'
import type { TFunction } from 'i18next'
import type { Profile } from '../features/profile/use-profile.ts'

export type Step = { key: string; title: string; text: string; to: string; isDone: boolean; note?: string }

type Known = {
  profile: Pick<Profile, 'phones' | 'addresses' | 'documents_status'>
  hasAccount: boolean
  hasMoved: boolean
  isOpen: (scope: Scope) => boolean
}

/** The way from joining to trading, as far as this brokerage offers it. */
export function nextSteps({ profile, hasAccount, hasMoved, isOpen }: Known, t: TFunction): Step[] {
  const isVerified = profile.documents_status === 'approved'
  const steps: (Step & { scope: Scope })[] = [
    {
      key: 'profile',
      scope: 'profile',
      title: t('Complete your profile'),
      text: t('A phone number and your address, so that we can reach you.'),
      to: '/profile',
      isDone: profile.phones.length > 0 && profile.addresses.length > 0,
    },
    {
      key: 'documents',
      scope: 'documents',
      title: t('Verify your identity'),
      text: t('A picture of your passport or identity card, and a proof of address.'),
      to: '/documents',
      isDone: isVerified,
      ...(profile.documents_status === 'in_verification' && { note: t('Being checked') }),
    },
    {
      key: 'account',
      scope: 'my_accounts',
      title: t('Open a trading account'),
      text: isVerified
        ? t('Choose the platform and the leverage.')
        : t('A demo account is there at once, with play money.'),
      to: isVerified ? '/accounts/open-live-account' : '/accounts/open-demo-account',
      isDone: hasAccount,
    },
    {
      key: 'deposit',
      scope: 'deposit',
      title: t('Make your first deposit'),
      text: t('By bank transfer or card, to your live account.'),
      to: '/funds/deposit',
      isDone: hasMoved,
    },
  ]
  return steps.filter(({ scope }) => isOpen(scope)).map(({ scope: _, ...step }) => step)
}
