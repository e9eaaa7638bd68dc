import type { SearchGroup, SearchHit } from '@atrium/contract/search/calls.ts'
import { knownOr, otherLabel } from '@atrium/contract/unknown-values.ts'
import { IconChecklist, IconListDetails, IconTicket, IconWallet } from '@tabler/icons-react'

/** The label of each group of results and the target of its entries. */
type GroupShape = {
  label: string
  icon: typeof IconWallet
  addressOf(hit: SearchHit): string
}

export const searchGroupShapes: Record<SearchGroup, GroupShape> = knownOr(
  { label: otherLabel, icon: IconListDetails, addressOf: () => '/home' },
  {
    accounts: { label: 'Accounts', icon: IconWallet, addressOf: ({ _id }) => `/accounts/${_id}` },
    transactions: {
      label: 'Transactions',
      icon: IconListDetails,
      addressOf: ({ _id, title }) => `/funds/transactions?ticket=${encodeURIComponent(title)}&open=${_id}`,
    },
    tickets: { label: 'Tickets', icon: IconTicket, addressOf: ({ _id }) => `/support?id=${_id}` },
    requests: { label: 'Requests', icon: IconChecklist, addressOf: ({ _id }) => `/requests?id=${_id}` },
  },
)
