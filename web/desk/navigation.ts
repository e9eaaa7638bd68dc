import { type DeskRight, holdsRight } from '@atrium/contract/staff/rights.ts'
import {
  IconArrowsDiff,
  IconBuildingBank,
  IconCashBanknote,
  IconClipboardList,
  IconContract,
  IconCreditCard,
  IconFileCheck,
  IconForms,
  IconHistory,
  IconId,
  IconListCheck,
  IconListDetails,
  IconMailX,
  IconReceipt,
  IconScale,
  IconServer2,
  IconSettings,
  IconTicket,
  IconUserPlus,
  IconUsers,
  IconUsersGroup,
  IconWallet,
} from '@tabler/icons-react'

export type Place = {
  label: string
  to: string
  icon: typeof IconCashBanknote
  /** Without this right the entry is hidden and its route is refused (`requireRight`). */
  right: DeskRight
  /** The second key of the shortcut: `g d` opens the deposits. */
  key: string
}

export type PlaceGroup = { label: string; places: Place[] }

/** The desk's navigation. One icon and one letter per entry; daily work first, then settings. */
const groups: PlaceGroup[] = [
  {
    label: 'Work',
    places: [
      { label: 'Deposits', to: '/deposits', icon: IconCashBanknote, right: 'money.read', key: 'd' },
      { label: 'Withdrawals', to: '/withdrawals', icon: IconBuildingBank, right: 'money.read', key: 'w' },
      { label: 'Tickets', to: '/tickets', icon: IconTicket, right: 'members.read', key: 'k' },
      { label: 'Requests', to: '/requests', icon: IconClipboardList, right: 'members.read', key: 'q' },
      { label: 'Reconciliation', to: '/reconciliation', icon: IconScale, right: 'money.read', key: 'r' },
      { label: 'Payments', to: '/payments', icon: IconReceipt, right: 'money.read', key: 'n' },
      { label: 'Documents', to: '/documents', icon: IconId, right: 'members.read', key: 'i' },
      { label: 'Members', to: '/members', icon: IconUsers, right: 'members.read', key: 'm' },
      { label: 'Accounts', to: '/trading-accounts', icon: IconWallet, right: 'members.read', key: 'l' },
      { label: 'Account discrepancies', to: '/accounts', icon: IconArrowsDiff, right: 'members.read', key: 'c' },
      { label: 'Account applications', to: '/openings', icon: IconUserPlus, right: 'members.read', key: 'o' },
      { label: 'Emails', to: '/mails', icon: IconMailX, right: 'members.read', key: 'e' },
      { label: 'Audit log', to: '/audit', icon: IconHistory, right: 'audit.read', key: 'a' },
    ],
  },
  {
    label: 'Brokerage',
    places: [
      { label: 'Setup', to: '/setup', icon: IconListCheck, right: 'workspace.manage', key: 'h' },
      { label: 'Terms', to: '/terms', icon: IconContract, right: 'members.read', key: 't' },
      { label: 'Request types', to: '/request-types', icon: IconListDetails, right: 'members.read', key: 'x' },
      { label: 'Forms', to: '/forms', icon: IconForms, right: 'members.read', key: 'u' },
      {
        label: 'Document categories',
        to: '/document-categories',
        icon: IconFileCheck,
        right: 'workspace.manage',
        key: 'b',
      },
      { label: 'Platforms', to: '/platforms', icon: IconServer2, right: 'workspace.manage', key: 'p' },
      { label: 'Payment providers', to: '/providers', icon: IconCreditCard, right: 'workspace.manage', key: 'y' },
      { label: 'Settings', to: '/settings', icon: IconSettings, right: 'workspace.manage', key: 's' },
      { label: 'Staff', to: '/staff', icon: IconUsersGroup, right: 'staff.manage', key: 'f' },
    ],
  },
]

export function placesOf(role: string): PlaceGroup[] {
  return groups
    .map(({ label, places }) => ({ label, places: places.filter(({ right }) => holdsRight(role, right)) }))
    .filter(({ places }) => places.length > 0)
}
