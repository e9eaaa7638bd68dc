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

export const memberTypes = ['client', 'sales_person'] as const
export type MemberType = (typeof memberTypes)[number]

export type ScopeRule = {
  /** The screens of the scope; the first is where the menu leads. `:name` is a place, `:name?` one that may be empty. */
  routes: readonly string[]
  /** Open when any of these is on; none named: always. */
  features: readonly Feature[]
  /** What is asked for: one permission, or several of which any will do; none: every signed-in member. */
  permission?: string | readonly string[]
  /** For members of this type only; none: of every type. */
  memberType?: MemberType
}

/**
 * The one table behind menu, router and server: a scope is open to a member when a feature of it is on, its permission is
 * not denied and no pending terms block it. The web mirrors it for comfort; the server enforces it: each call and field
 * states its scopes where it is opened (server/http/call-facts.ts).
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
 * What a member holds: every permission there is, less what the workspace denies to all, plus what stands with the member.
 * A permission that the member was given by name stands against the workspace's denial; one denied to them stays denied.
 */
export function heldPermissions(ofWorkspace: readonly string[], own: readonly string[]): string[] {
  const forAll = ofWorkspace.filter((entry) => !(entry.endsWith('-') && own.includes(entry.slice(0, -1))))
  return [...memberPermissions, ...forAll, ...own]
}

/** True when the list grants the key and no "key-" in it takes it away again. */
export function holdsPermission(held: readonly string[], key: string): boolean {
  return held.includes(key) && !held.includes(`${key}-`)
}

export function isFeatureOn(scope: Scope, flags: Features): boolean {
  const rule: ScopeRule = scopes[scope]
  return rule.features.length === 0 || rule.features.some((feature) => flags[feature])
}

/** Nothing asked for, or any of it held. */
export function holdsAny(held: readonly string[], asked: readonly string[]): boolean {
  return asked.length === 0 || asked.some((key) => holdsPermission(held, key))
}

export function isPermitted(scope: Scope, held: readonly string[]): boolean {
  return holdsAny(held, permissionsOf(scopes[scope]))
}

/** The one scope that a screen belongs to; none for an address that the table does not name. */
export function scopeOfScreen(route: string): Scope | null {
  const named = (path: string): string => path.replace(/(.)\/$/, '$1')
  return rules.find(([, rule]) => rule.routes.some((each) => named(each) === named(route)))?.[0] ?? null
}

export function isForType(scope: Scope, type: string): boolean {
  const { memberType }: ScopeRule = scopes[scope]
  return memberType === undefined || memberType === type
}

/** Terms that block `all` close every scope; others the ones that they name. */
export function isBlockedBy(scope: Scope, sections: readonly Scope[]): boolean {
  return sections.includes('all') || sections.includes(scope)
}
