import type { Scope } from './scopes.ts'

type Opened = {
  /** The members' REST calls of the scope. One that stands in several scopes is open when any of them is. */
  calls: readonly string[]
  /** Fields of the query endpoint, in the same way. */
  reads: readonly string[]
}

/** Whoever sees a pending transaction of theirs may take it back. */
const cancelling = ['POST /customers/trading-accounts/change-transaction-state', 'POST /members/deposits/:id/delete']

/** Whoever sees a form fills it in. */
const fillingIn = ['POST /form/submit', 'GET /forms/draft', 'POST /forms/drafts/save', 'POST /forms/drafts/discard']

/** What each scope opens. Apart from the scopes, since only the server looks it up and members need not load it. */
export const scopeCalls: Readonly<Record<Scope, Opened>> = {
  all: {
    calls: [
      'POST /users/logout',
      'GET /user/permissions',
      'POST /members/get-unique-token',
      'POST /members/activity',
      'GET /members/search',
      'GET /members/notices',
      'GET /members/notices/live',
      'POST /members/notices/:id/read',
      'POST /members/notices/read-all',
      'GET /members/terms',
      'POST /members/accept-terms/',
      'POST /members/accept-terms',
      'GET /members/trading/configuration',
      'GET /members/currencies',
      'GET /members/taxonomies/taxonomies-by-entity',
      'POST /media/cp-upload-image',
      'POST /media/cp-upload-file',
      'POST /media/cp-upload-video',
      'POST /media/finish-upload',
    ],
    reads: ['Query.current_member'],
  },
  profile: {
    calls: [
      'POST /members/change-password',
      'POST /users/change-password',
      'GET /members/sessions',
      'POST /members/sessions/end',
      'POST /members/sessions/end-others',
      'POST /members/profile/contacts',
      'POST /members/profile/addresses',
      'POST /members/profile/preferences',
      'GET /members/notices/mail-wishes',
      'POST /members/notices/mail-wishes',
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
  dashboard: { calls: ['GET /members/dashboard'], reads: [] },
  my_accounts: {
    calls: [
      'POST /members/trading/open-live-account',
      'POST /members/trading/open-demo-account',
      'GET /members/trading/openings',
      'GET /members/trading/live',
      'GET /members/trading/recent-equity',
      'GET /members/trading-accounts/:id/figures',
      'GET /members/trading-accounts/:id/password-policy',
      'POST /members/trading-accounts/:id/change-password',
      'POST /members/trading-accounts/:id/change-investor-password',
      'GET /members/trading-accounts/:id/trades/table',
      'GET /members/trading-accounts/:id/statements',
      'GET /members/trading-accounts/:id/statement',
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
  funds: { calls: [], reads: [] },
  deposit: {
    calls: [
      'POST /members/deposits/create',
      'POST /customers/trading-accounts/start-deposit',
      'POST /customers/trading-accounts/deposit-status',
      'GET /members/deposits/coins',
      'GET /members/deposits/ways',
      ...cancelling,
    ],
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
    calls: [
      'POST /members/withdrawals/create',
      'GET /members/withdrawals/preflight',
      'GET /coinpayments/get-enabled-coins',
      ...cancelling,
    ],
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
    calls: [
      'GET /members/transactions/table',
      'GET /members/trading-accounts/:id/statements',
      'GET /members/trading-accounts/:id/statement',
      ...cancelling,
    ],
    reads: ['Query.balance_transactions', 'Query.pending_deposits'],
  },
  'bank-accounts': {
    calls: [
      'POST /members/bank-accounts/create',
      'POST /members/bank-accounts/update',
      'POST /members/bank-accounts/:id/delete',
    ],
    reads: ['Query.system_bank_accounts', 'Query.bank_accounts', 'Customer.bank_accounts'],
  },
  'other-accounts': {
    calls: [
      'POST /members/fund-accounts/create',
      'POST /members/fund-accounts/update',
      'POST /members/fund-accounts/:id/delete',
    ],
    reads: ['Query.other_accounts'],
  },
  downloads: { calls: [], reads: ['Customer.accounts', 'TradingPlatform.downloads'] },
  support: {
    calls: ['POST /tickets/cp-create', 'POST /tickets/cp-update', 'POST /tickets/cp-respond', 'POST /tickets/cp-read'],
    reads: ['Query.tickets'],
  },
  requests: {
    calls: ['POST /requests/send-customer-request', 'POST /requests/cp-change-status', ...fillingIn],
    reads: [
      'Query.requests_types',
      'Query.request_type',
      'Query.form',
      'Query.requests',
      'Customer.requests_types_for_quick_links',
    ],
  },
  documents: {
    calls: [
      'GET /file-categories/cp-search',
      'POST /clients/add-documents',
      'GET /clients/identity-check',
      'POST /clients/start-identity-check',
      ...fillingIn,
    ],
    reads: ['Query.form', 'Query.documents', 'Query.documents_progress'],
  },
  sales: { calls: ['GET /members/sales/clients', 'GET /members/sales/clients/export'], reads: [] },
}

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

const rules = Object.entries(scopeCalls) as [Scope, Opened][]

/** The scopes that a call stands in, by method and path as the contract writes them. */
export function scopesOfCall(call: string): Scope[] {
  return rules.filter(([, opened]) => opened.calls.includes(call)).map(([scope]) => scope)
}

/** `Type.field` of the query endpoint with the scopes that open it: every field that stands in the table. */
export function scopesOfReads(): Map<string, Scope[]> {
  const found = new Map<string, Scope[]>()
  for (const [scope, opened] of rules)
    for (const read of opened.reads) found.set(read, [...(found.get(read) ?? []), scope])
  return found
}
