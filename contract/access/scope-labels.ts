import type { Scope } from './scopes.ts'

/** What people at the desk call the scopes. In a file of its own: members on their way in need not load it. */
export const scopeLabels: Record<Scope, string> = {
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
}
