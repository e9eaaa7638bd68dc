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

/** The flags of a new workspace. */
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

export const memberTypes = ['client', 'sales_person'] as const
export type MemberType = (typeof memberTypes)[number]

export type ScopeRule = {
  /** The screens of the scope; the menu links to the first. `:name` is a parameter, `:name?` an optional one. */
  routes: readonly string[]
  /** The scope is open if any of these is on; always if the list is empty. */
  features: readonly Feature[]
  /** The required permission, or several of which any one is enough; without it, every signed-in member has access. */
  permission?: string | readonly string[]
  /** The scope is only for members of this type; without it, for all. */
  memberType?: MemberType
}

/**
 * The one table behind menu, router and server: a scope is open to a member if one of its features is on, its permission is not
 * denied and no pending terms block it. The web only mirrors it; the server enforces it: each call and field declares its scopes
 * with its route (server/http/call-facts.ts).
 */
export const scopes = {
  all: {
    routes: ['/home/', '/unauthorized'],
    features: [],
  },
  profile: {
    routes: ['/profile', '/profile/change_password'],
    features: [],
  },
  dashboard: {
    routes: ['/dashboard'],
    features: ['dashboard'],
    permission: 'dashboard',
  },
  my_accounts: {
    routes: ['/accounts', '/accounts/open-live-account', '/accounts/open-demo-account', '/accounts/:accountId'],
    features: ['accounts'],
    permission: 'my_accounts',
  },
  funds: {
    routes: ['/funds'],
    features: ['deposits', 'withdraw', 'balance_transactions', 'accounts'],
  },
  deposit: {
    routes: [
      '/funds/deposit/:accountId?',
      '/funds/deposit-demo/:accountId?',
      '/deposit-processing/:order?',
      '/rpnpay-payment',
    ],
    features: ['deposits'],
    permission: 'deposit',
  },
  withdraw: {
    routes: ['/funds/withdraw/:accountId?'],
    features: ['withdraw'],
    permission: 'withdraw',
  },
  transactions: {
    routes: ['/funds/transactions', '/transactions'],
    features: ['balance_transactions'],
    permission: 'transactions',
  },
  'bank-accounts': {
    routes: ['/funds/bank-accounts'],
    features: ['accounts'],
    permission: 'bank-accounts',
  },
  'other-accounts': {
    routes: ['/funds/other-accounts'],
    features: ['accounts'],
    permission: 'other-accounts',
  },
  downloads: {
    routes: ['/platforms'],
    features: ['downloads'],
    permission: 'downloads',
  },
  support: {
    routes: ['/support'],
    features: ['support'],
    permission: 'support',
  },
  requests: {
    routes: ['/requests', '/requests-types/:id', '/form/:id/:name'],
    features: ['requests'],
    permission: 'requests',
  },
  documents: {
    routes: ['/documents'],
    features: ['documents'],
    permission: 'documents',
  },
  sales: {
    routes: ['/sales'],
    features: [],
    memberType: 'sales_person',
  },
} as const satisfies Record<string, ScopeRule>

export type Scope = keyof typeof scopes

export const scopeNames = Object.keys(scopes) as [Scope, ...Scope[]]

const rules: [Scope, ScopeRule][] = Object.entries(scopes) as [Scope, ScopeRule][]

const permissionsOf = ({ permission }: ScopeRule): readonly string[] =>
  permission === undefined ? [] : typeof permission === 'string' ? [permission] : permission

/** Permissions that every member holds unless an entry with a trailing minus denies it. */
export const memberPermissions: string[] = [...new Set(rules.flatMap(([, rule]) => permissionsOf(rule)))]

/**
 * A member's permissions: all permissions, minus those denied by the workspace, plus the member's own entries. A permission granted
 * to the member by name overrides the workspace's denial; one denied to the member stays denied.
 */
export function heldPermissions(ofWorkspace: readonly string[], own: readonly string[]): string[] {
  const forAll = ofWorkspace.filter((entry) => !(entry.endsWith('-') && own.includes(entry.slice(0, -1))))
  return [...memberPermissions, ...forAll, ...own]
}

/** True if the list contains the key and not "key-". */
export function holdsPermission(held: readonly string[], key: string): boolean {
  return held.includes(key) && !held.includes(`${key}-`)
}

export function isFeatureOn(scope: Scope, flags: Features): boolean {
  const rule: ScopeRule = scopes[scope]
  return rule.features.length === 0 || rule.features.some((feature) => flags[feature])
}

/** True if nothing is asked for or any of it is held. */
export function holdsAny(held: readonly string[], asked: readonly string[]): boolean {
  return asked.length === 0 || asked.some((key) => holdsPermission(held, key))
}

export function isPermitted(scope: Scope, held: readonly string[]): boolean {
  return holdsAny(held, permissionsOf(scopes[scope]))
}

/** The scope of a screen; null for an unknown path. */
export function scopeOfScreen(route: string): Scope | null {
  const named = (path: string): string => path.replace(/(.)\/$/, '$1')
  return rules.find(([, rule]) => rule.routes.some((each) => named(each) === named(route)))?.[0] ?? null
}

export function isForType(scope: Scope, type: string): boolean {
  const { memberType }: ScopeRule = scopes[scope]
  return memberType === undefined || memberType === type
}

/** Terms that block `all` close every scope; others close the scopes they name. */
export function isBlockedBy(scope: Scope, sections: readonly Scope[]): boolean {
  return sections.includes('all') || sections.includes(scope)
}
