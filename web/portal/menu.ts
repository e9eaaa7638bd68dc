import type { Scope } from '@atrium/contract/scopes.ts'
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
  IconWallet,
} from '@tabler/icons-react'

export type Place = { scope: Scope; label: string; to: string; icon: typeof IconHome2; isOnBottomBar?: boolean }

/** One idea, one icon. A place is shown when its scope is open; the order is that of the day's work. */
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
  { scope: 'profile', label: 'Profile', to: '/profile', icon: IconUser },
]

export const isUnderFunds = (place: Place) => place.to === '/funds/transactions'
