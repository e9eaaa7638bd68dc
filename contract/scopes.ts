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
  /** The members' REST calls of the scope. One that stands in several scopes is open when any of them is. */
  calls: readonly string[]
  /** Fields of the query endpoint, in the same way. */
  reads: readonly string[]
}

/**
 * The one table behind menu, router and server: a scope is open to a member when a feature of it is on, its permission is
 * not denied and no pending terms block it. The web mirrors it for comfort; the server enforces it, call by call and field
 * by field, and refuses to start with a call that stands nowhere in it.
 */
export const scopes = {
  all: {
    routes: ['/home/', '/unauthorized'],
    features: [],
    calls: [
      'POST /users/logout',
      'GET /user/permissions',
      'POST /members/get-unique-token',
      'POST /members/activity',
      'GET /members/search',
      'GET /members/terms',
      'POST /members/accept-terms/',
      'POST /members/accept-terms',
      'GET /members/trading/configuration',
      'GET /members/currencies',
      'GET /members/taxonomies/taxonomies-by-entity',
      'POST /media/cp-upload-image',
      'POST /media/cp-upload-file',
    ],
    reads: ['Query.current_member'],
  },
  profile: {
    routes: ['/profile', '/profile/change_password'],
    features: [],
    calls: [
      'POST /members/change-password',
      'POST /users/change-password',
      'GET /members/sessions',
      'POST /members/sessions/end',
      'POST /members/sessions/end-others',
      'POST /members/profile/contacts',
      'POST /members/profile/addresses',
      'POST /members/profile/preferences',
      'POST /members/profile/picture',
      'POST /members/profile/picture/remove',
      'GET /members/security',
      'POST /members/security/prove/start',
      'POST /members/security/prove',
      'POST /members/security/totp/start',
      'POST /members/security/totp/confirm',
      'POST /members/security/totp/remove',
      'POST /members/security/passkeys/start',
      'POST /members/security/passkeys/add',
      'POST /members/security/passkeys/rename',
      'POST /members/security/passkeys/remove',
      'POST /members/security/recovery-codes/renew',
    ],
    reads: ['Customer.phones', 'Customer.emails', 'Customer.addresses'],
  },
  dashboard: {
    routes: ['/dashboard'],
    features: ['dashboard'],
    permission: 'dashboard',
    calls: ['GET /members/dashboard'],
    reads: [],
  },
  my_accounts: {
    routes: ['/accounts', '/accounts/open-live-account', '/accounts/open-demo-account', '/accounts/:accountId'],
    features: ['accounts'],
    permission: 'my_accounts',
    calls: [
      'POST /members/trading/open-live-account',
      'POST /members/trading/open-demo-account',
      'GET /members/trading/openings',
      'GET /members/trading/live',
      'GET /members/trading/recent-equity',
      'GET /members/trading-accounts/:id/figures',
      'GET /members/trading-accounts/:id/password-policy',
      'POST /members/trading-accounts/:id/change-password',
      'GET /members/trading-accounts/:id/trades/table',
    ],
    reads: [
      'Query.trading_account',
      'Query.trade_records',
      'Query.trade_totals',
      'Query.trade_history',
      'Query.open_positions',
      'Customer.accounts',
      'TradingAccount.trade_records',
    ],
  },
  funds: {
    routes: ['/funds'],
    features: ['deposits', 'withdraw', 'balance_transactions', 'accounts'],
    calls: [],
    reads: [],
  },
  deposit: {
    routes: ['/funds/deposit/:accountId?', '/funds/deposit-demo/:accountId?'],
    features: ['deposits'],
    permission: 'deposit',
    calls: ['POST /members/deposits/create'],
    reads: [
      'Query.trading_account',
      'Query.available_psps',
      'Query.system_bank_accounts',
      'Query.bank_accounts',
      'Customer.accounts',
      'Customer.bank_accounts',
      'Customer.phones',
      'Customer.emails',
      'Customer.addresses',
    ],
  },
  withdraw: {
    routes: ['/funds/withdraw/:accountId?'],
    features: ['withdraw'],
    permission: 'withdraw',
    calls: [],
    reads: [
      'Query.trading_account',
      'Query.system_bank_accounts',
      'Query.bank_accounts',
      'Query.other_accounts',
      'Customer.accounts',
      'Customer.bank_accounts',
    ],
  },
  transactions: {
    routes: ['/funds/transactions'],
    features: ['balance_transactions'],
    permission: 'transactions',
    calls: [],
    reads: ['Query.balance_transactions', 'Query.pending_deposits', 'TradingAccount.balance_transactions'],
  },
  'bank-accounts': {
    routes: ['/funds/bank-accounts'],
    features: ['accounts'],
    permission: 'bank-accounts',
    calls: [],
    reads: ['Query.system_bank_accounts', 'Query.bank_accounts', 'Customer.bank_accounts'],
  },
  'other-accounts': {
    routes: ['/funds/other-accounts'],
    features: ['accounts'],
    permission: 'other-accounts',
    calls: [],
    reads: ['Query.other_accounts'],
  },
  downloads: {
    routes: ['/platforms'],
    features: ['downloads'],
    permission: 'downloads',
    calls: [],
    reads: ['Customer.accounts', 'TradingPlatform.downloads'],
  },
  support: {
    routes: ['/support'],
    features: ['support'],
    permission: 'support',
    calls: [],
    reads: ['Query.tickets'],
  },
  requests: {
    routes: ['/requests', '/requests-types/:id'],
    features: ['requests'],
    permission: 'requests',
    calls: [],
    reads: [
      'Query.requests_types',
      'Query.request_type',
      'Query.form',
      'Query.requests',
      'Customer.requests_types_for_quick_links',
    ],
  },
  documents: {
    routes: ['/documents'],
    features: ['documents'],
    permission: 'documents',
    calls: [],
    reads: ['Query.form'],
  },
  sales: {
    routes: ['/sales'],
    features: [],
    memberType: 'sales_person',
    calls: ['GET /members/sales/clients', 'GET /members/sales/clients/export'],
    reads: [],
  },
} as const satisfies Record<string, ScopeRule>

export type Scope = keyof typeof scopes

export const scopeNames = Object.keys(scopes) as [Scope, ...Scope[]]

/**
 * What a member needs to know who is signed in, read terms, accept them, and leave. No terms close these, not even ones
 * that block `all`: whoever is asked must be able to answer or to go.
 */
export const openBeforeTerms: readonly string[] = [
  'POST /users/logout',
  'GET /user/permissions',
  'POST /members/activity',
  'GET /members/terms',
  'POST /members/accept-terms/',
  'POST /members/accept-terms',
  'Query.current_member',
]

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

/** The scopes that a call stands in, by method and path as the contract writes them. */
export function scopesOfCall(call: string): Scope[] {
  return rules.filter(([, rule]) => rule.calls.includes(call)).map(([scope]) => scope)
}

/** `Type.field` of the query endpoint with the scopes that open it: every field that stands in the table. */
export function scopesOfReads(): Map<string, Scope[]> {
  const found = new Map<string, Scope[]>()
  for (const [scope, rule] of rules) for (const read of rule.reads) found.set(read, [...(found.get(read) ?? []), scope])
  return found
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
