import { scopeLabels } from '@atrium/contract/access/scope-labels.ts'
import { type Feature, type Scope, scopes } from '@atrium/contract/access/scopes.ts'
import { knownOr, otherLabel } from '@atrium/contract/unknown-values.ts'

export const featureLabels: Record<Feature, { name: string; description: string }> = knownOr(
  { name: otherLabel, description: '' },
  {
    dashboard: { name: 'Dashboard', description: 'Deposits and withdrawals by currency.' },
    accounts: {
      name: 'Trading accounts',
      description: 'Seeing and opening trading accounts, and keeping bank accounts.',
    },
    deposits: { name: 'Deposits', description: 'Paying money into trading accounts.' },
    withdraw: { name: 'Withdrawals', description: 'Taking money out of trading accounts.' },
    balance_transactions: { name: 'Transactions', description: 'The history of money in and out.' },
    trades: { name: 'Trades', description: 'The trading history of each account.' },
    downloads: { name: 'Downloads', description: 'Trading platforms to download.' },
    support: { name: 'Support', description: 'Tickets and conversations with you.' },
    requests: { name: 'Requests', description: 'Forms that members send you.' },
    documents: { name: 'Documents', description: 'Uploading identity documents.' },
    pending_deposits_list: { name: 'Pending deposits', description: 'The list of pending crypto deposits.' },
  },
)

/** The pages of a feature, from the table that the server enforces. */
export function pagesOf(feature: Feature): string[] {
  return (Object.entries(scopes) as [Scope, { features: readonly Feature[] }][])
    .filter(([, rule]) => rule.features.includes(feature))
    .map(([scope]) => scopeLabels[scope])
}
