import type { Scope } from '@atrium/contract/access/scopes.ts'
import type { AccountKind } from '@atrium/contract/openings/states.ts'
import {
  IconBuildingBank,
  IconChartBar,
  IconDownload,
  IconFileText,
  IconHome2,
  IconLifebuoy,
  IconListDetails,
  IconSend,
  IconUser,
  IconUsersGroup,
  IconWallet,
} from '@tabler/icons-react'

export type Place = { scope: Scope; label: string; to: string; icon: typeof IconHome2; isOnBottomBar?: boolean }

/** One icon per concept. A page is shown when its scope is open, in the order of daily use. */
export const places: Place[] = [
  { scope: 'all', label: 'Home', to: '/home', icon: IconHome2, isOnBottomBar: true },
  { scope: 'dashboard', label: 'Dashboard', to: '/dashboard', icon: IconChartBar },
  { scope: 'my_accounts', label: 'Accounts', to: '/accounts', icon: IconWallet, isOnBottomBar: true },
  { scope: 'funds', label: 'Funds', to: '/funds', icon: IconBuildingBank, isOnBottomBar: true },
  {
    scope: 'transactions',
    label: 'Transactions',
    to: '/funds/transactions',
    icon: IconListDetails,
    isOnBottomBar: true,
  },
  { scope: 'downloads', label: 'Downloads', to: '/platforms', icon: IconDownload },
  { scope: 'documents', label: 'Documents', to: '/documents', icon: IconFileText },
  { scope: 'requests', label: 'Requests', to: '/requests', icon: IconSend },
  { scope: 'support', label: 'Support', to: '/support', icon: IconLifebuoy },
  { scope: 'sales', label: 'Sales', to: '/sales', icon: IconUsersGroup },
  { scope: 'profile', label: 'Profile', to: '/profile', icon: IconUser },
]

/** The name of the part of the portal that a scope opens. */
export const labelOf = (scope: Scope): string =>
  [...below, ...places].find((place) => place.scope === scope)?.label ?? 'Home'

export const isUnderFunds = (place: Place) => place.to === '/funds/transactions'

/** Pages for the search: those of the menu and their subpages, as far as each is open. */
export type SearchPlace = { to: string; label: string; icon: Place['icon']; keywords?: string[] }

const below: (SearchPlace & { scope: Scope; kind?: AccountKind })[] = [
  {
    scope: 'deposit',
    label: 'Deposit',
    to: '/funds/deposit',
    icon: IconBuildingBank,
    keywords: ['Fund', 'Transfer', 'Pay'],
  },
  { scope: 'withdraw', label: 'Withdraw', to: '/funds/withdraw', icon: IconBuildingBank, keywords: ['Payout'] },
  {
    scope: 'bank-accounts',
    label: 'Bank Accounts',
    to: '/funds/bank-accounts',
    icon: IconBuildingBank,
    keywords: ['IBAN'],
  },
  {
    scope: 'other-accounts',
    label: 'Other Accounts',
    to: '/funds/other-accounts',
    icon: IconBuildingBank,
    keywords: ['Crypto'],
  },
  {
    scope: 'my_accounts',
    kind: 'live',
    label: 'Open Live Account',
    to: '/accounts/open-live-account',
    icon: IconWallet,
  },
  {
    scope: 'my_accounts',
    kind: 'demo',
    label: 'Open Demo Account',
    to: '/accounts/open-demo-account',
    icon: IconWallet,
  },
  {
    scope: 'profile',
    label: 'Change password',
    to: '/profile/change_password',
    icon: IconUser,
    keywords: ['Security'],
  },
]

export function searchablePlaces(
  shown: readonly Place[],
  isOpen: (scope: Scope) => boolean,
  mayOpen: (kind: AccountKind) => boolean,
): SearchPlace[] {
  const offered = below.filter(({ scope, kind }) => isOpen(scope) && (kind === undefined || mayOpen(kind)))
  return [...shown, ...offered.map(({ kind: _, ...place }) => place)].map(({ scope: _, ...place }) => place)
}
