/** Feature flags of a workspace, as the specification names them. */
export const features = [
  'dashboard',
  'accounts',
  'deposits',
  'withdraw',
  'balance_transactions',
  'trades',
  'downloads',
  'support',
  'requests',
  'documents',
  'pending_deposits_list',
] as const

export type Feature = (typeof features)[number]
export type Features = Record<Feature, boolean>

/** What a new workspace starts with. */
export const defaultFeatures: Features = {
  dashboard: false,
  accounts: false,
  deposits: false,
  withdraw: false,
  balance_transactions: false,
  trades: false,
  downloads: false,
  support: true,
  requests: true,
  documents: true,
  pending_deposits_list: false,
}

export type ScopeRule = {
  /** Where the scope lives in the portal. */
  route: string
  /** Open when any of these is on; none named: always. */
  features: Feature[]
  /** The permission that is asked for; none: every signed-in member. */
  permission?: string
}

/**
 * The one table behind menu, router and server: a scope is open to a member when a feature of it is on and its
 * permission is not denied. The web mirrors it for comfort, the server enforces it call by call.
 */
export const scopes = {
  all: { route: '/home/', features: [] },
  profile: { route: '/profile', features: [] },
  dashboard: { route: '/dashboard', features: ['dashboard'], permission: 'dashboard' },
  my_accounts: { route: '/accounts', features: ['accounts'], permission: 'my_accounts' },
  funds: { route: '/funds', features: ['deposits', 'withdraw', 'balance_transactions', 'accounts'] },
  deposit: { route: '/funds/deposit', features: ['deposits'], permission: 'deposit' },
  withdraw: { route: '/funds/withdraw', features: ['withdraw'], permission: 'withdraw' },
  transactions: { route: '/funds/transactions', features: ['balance_transactions'], permission: 'transactions' },
  'bank-accounts': { route: '/funds/bank-accounts', features: ['accounts'], permission: 'bank-accounts' },
  'other-accounts': { route: '/funds/other-accounts', features: ['accounts'], permission: 'other-accounts' },
  downloads: { route: '/platforms', features: ['downloads'], permission: 'downloads' },
  support: { route: '/support', features: ['support'], permission: 'support' },
  requests: { route: '/requests', features: ['requests'], permission: 'requests' },
  documents: { route: '/documents', features: ['documents'], permission: 'documents' },
} as const satisfies Record<string, ScopeRule>

export type Scope = keyof typeof scopes

/** Permissions that every member holds unless an entry with a trailing minus denies it. */
export const memberPermissions: string[] = Object.values(scopes).flatMap((rule: ScopeRule) =>
  rule.permission ? [rule.permission] : [],
)

/** True when the list grants the key and no "key-" in it takes it away again. */
export function holdsPermission(held: readonly string[], key: string): boolean {
  return held.includes(key) && !held.includes(`${key}-`)
}

export function isFeatureOn(scope: Scope, flags: Features): boolean {
  const rule: ScopeRule = scopes[scope]
  return rule.features.length === 0 || rule.features.some((feature) => flags[feature])
}

export function isPermitted(scope: Scope, held: readonly string[]): boolean {
  const rule: ScopeRule = scopes[scope]
  return rule.permission === undefined || holdsPermission(held, rule.permission)
}
