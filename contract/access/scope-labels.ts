import { knownOr, otherLabel } from '../unknown-values.ts'
import type { Scope } from './scopes.ts'

/** The desk's labels of the scopes; a separate file, so that the sign-in page does not load it. */
export const scopeLabels: Record<Scope, string> = knownOr(otherLabel, {
  all: 'The whole portal',
  profile: 'Profile',
  dashboard: 'Dashboard',
  my_accounts: 'Accounts',
  funds: 'Funds',
  deposit: 'Deposit',
  withdraw: 'Withdraw',
  transactions: 'Transactions',
  'bank-accounts': 'Bank accounts',
  'other-accounts': 'Other accounts',
  downloads: 'Downloads',
  support: 'Support',
  requests: 'Requests',
  documents: 'Documents',
  sales: 'Sales',
})
