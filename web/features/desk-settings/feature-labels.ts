import { scopeLabels } from '@atrium/contract/access/scope-labels.ts'
import { type Feature, type Scope, scopes } from '@atrium/contract/access/scopes.ts'

export const featureWords: Record<Feature, { name: string; words: string }> = {
  dashboard: { name: 'Dashboard', words: 'Charts of equity and results.' },
  accounts: { name: 'Trading accounts', words: 'Seeing and opening trading accounts, and keeping bank accounts.' },
  deposits: { name: 'Deposits', words: 'Deposits.' },
  withdraw: { name: 'Withdrawals', words: 'Withdrawals.' },
  balance_transactions: { name: 'Transactions', words: 'The history of money in and out.' },
  trades: { name: 'Trades', words: 'The trading history of each account.' },
  downloads: { name: 'Downloads', words: 'Trading platforms to download.' },
  support: { name: 'Support', words: 'Tickets and conversations with you.' },
  requests: { name: 'Requests', words: 'Forms that members send you.' },
  documents: { name: 'Documents', words: 'Uploading identity documents.' },
  pending_deposits_list: { name: 'Pending deposits', words: 'The list of pending crypto deposits.' },
}

/** The pages of a feature, from the table that the server enforces. */
export function pagesOf(feature: Feature): string[] {
  return (Object.entries(scopes) as [Scope, { features: readonly Feature[] }][])
    .filter(([, rule]) => rule.features.includes(feature))
    .map(([scope]) => scopeLabels[scope])
}
