/**
 * What the portal may ask of any trading platform, in our own words.
 *
 * Numbers of the platform (logins, tickets) are decimal strings because platforms use 64 bits and a JavaScript number
 * does not hold them. Money and prices are decimal strings. Times are true UTC: the platform's own clock never leaves
 * its adapter.
 */

/** An exact decimal, such as `-1250.00`. */
export type Decimal = string
export type Login = string
export type Ticket = string
/** Epoch seconds, true UTC. */
export type Utc = number
export type PlatformKind = 'mt5' | 'mt4'
export type BalanceKind = 'balance' | 'credit' | 'charge' | 'correction' | 'bonus'
export type PasswordKind = 'main' | 'investor'

export type OpenAccount = {
  /** Unique per intent and written into the account's comment, so that a lost answer can be found again. */
  tag: string
  kind: 'live' | 'demo'
  group: string
  leverage: number
  mainPassword: string
  investorPassword: string
  firstName: string
  lastName: string
  email: string
  phone?: string
  country?: string
  city?: string
  state?: string
  zip?: string
  address?: string
  /** Only when the brokerage gave us a range of logins; otherwise the platform chooses. */
  login?: Login
}

/** What opening an account writes and the platform shows again; passwords it never shows. */
export type WrittenField =
  | ('group' | 'leverage' | 'rights' | 'comment' | 'name' | 'firstName' | 'lastName')
  | ('email' | 'phone' | 'country' | 'city' | 'state' | 'zip' | 'address')
export type WrittenPerson = Pick<
  OpenAccount,
  'firstName' | 'lastName' | 'email' | 'phone' | 'country' | 'city' | 'state' | 'zip' | 'address'
>
export type WrittenAccount = WrittenPerson & Pick<OpenAccount, 'tag' | 'group' | 'leverage'>

export type AccountState = {
  login: Login
  group: string
  currency: string
  currencyDigits: number
  leverage: number
  balance: Decimal
  credit: Decimal
  equity: Decimal
  floating: Decimal
  margin: Decimal
  marginFree: Decimal
  /** In percent; null while nothing is open. */
  marginLevel: Decimal | null
  enabled: boolean
  tradingAllowed: boolean
  passwordChangeAllowed: boolean
  /** `record`: the platform held no live trade state, so the figures come from the client record. */
  source: 'live' | 'record'
}

export type ChangeBalance = {
  tag: string
  login: Login
  kind: BalanceKind
  /** Signed: + in, - out. More decimals than the account's currency has are refused before anything is sent. */
  amount: Decimal
  /** What the amount is in. Another one than the account's is refused before anything is sent: 1,000 is not 1,000 everywhere. */
  currency: string
  /** A short word after the tag, cut to fit. Never the member's own text: it may hold personal data or another tag. */
  note: string
  /** True for every withdrawal: the platform's refusal is atomic with the operation, a balance read before it is not. */
  refuseIfMarginTooLow: boolean
}

/** One account as a platform lists it, without figures of open trades and without secrets. */
export type ListedAccount = {
  login: Login
  group: string
  leverage: number
  enabled: boolean
  tradingAllowed: boolean
  passwordChangeAllowed: boolean
  /** Null where nothing stands there, or where our manager may not see personal data. */
  email: string | null
  name: string | null
  /** Ours begins with the tag of the intent that opened the account. */
  comment: string
  balance: Decimal
  credit: Decimal
  registeredAt: Utc
}

/** What is left out stays as it is. */
export type ChangeAccess = { enabled?: boolean; tradingAllowed?: boolean; passwordChangeAllowed?: boolean }

export type BalanceReceipt = { ticket: Ticket; amount: Decimal; at: Utc | null; foundByReconciling: boolean }

export type GroupInfo = {
  /** Exactly as the platform spells it: two groups may differ by case only. */
  name: string
  currency: string
  currencyDigits: number
  minPasswordLength: number | null
  defaultLeverage: number | null
  accounting: 'netting' | 'hedging' | 'exchange' | 'mt4'
}

type Volume = {
  lots: Decimal
  /** Lots x 100, the unit that screens divide by 100. */
  hundredths: Decimal
}

export type Position = Volume & {
  id: Ticket
  login: Login
  symbol: string
  side: 'buy' | 'sell'
  openPrice: Decimal
  currentPrice: Decimal
  sl: Decimal | null
  tp: Decimal | null
  profit: Decimal
  swap: Decimal
  openedAt: Utc
  reason: number
  comment: string
}

export type Deal = Volume & {
  id: Ticket
  order: Ticket | null
  position: Ticket | null
  login: Login
  /** `OP_BUY`, `OP_SELL`, `OP_BALANCE`, `OP_CREDIT`, or another ledger word such as `OP_CORRECTION`. */
  cmd: string
  /** 0 in, 1 out, 2 reversal, 3 closed by an opposite one. */
  entry: 0 | 1 | 2 | 3
  symbol: string
  price: Decimal
  openPrice: Decimal | null
  sl: Decimal | null
  tp: Decimal | null
  profit: Decimal
  swap: Decimal
  commission: Decimal
  fee: Decimal
  at: Utc
  /** When the trade that this deal belongs to was opened; null where the records that were read do not say. */
  openedAt: Utc | null
  /**
   * The number that screens have a word for. MT4: the order's own state, 0 for what is open. MT5: the state of the order
   * behind the deal, and what became a deal is filled (4).
   */
  state: number
  /** As the platform keeps it: an MT4 order may be open in three ways (0, 1, 2). */
  platformState: number
  reason: number
  comment: string
  /** False for ledger entries, which must never show up as trades. */
  isTrade: boolean
}

export type Capabilities = {
  commentChars: number
  accountCommentChars: number
  amountMax: Decimal
  leverage: { min: number; max: number }
  investorPasswordRequired: boolean
  passwordPolicy: {
    min: number
    max: number
    classes: 'lower+upper+digit+special' | 'two-of-three'
    /** Characters that a password may not contain. */
    forbidden: string
  }
}

/** A word for operators, stable enough to alert on. */
export type HealthProblem =
  | 'unreachable'
  | 'auth_failed'
  | 'auth_failing_repeatedly'
  | 'server_not_proven'
  | 'not_permitted'
  | 'clock_mismatch'
  | 'not_answering'
  /** Nothing is sent for a while, because nothing was answered (breaker.ts). */
  | 'circuit_open'

export type Health = {
  reachable: boolean
  authenticated: boolean
  lastTrafficAt: Utc | null
  clockSkewSeconds: number | null
  problems: HealthProblem[]
}

/**
 * The adapter never repeats a call that moves money, opens an account or sets a password. It classifies what happened
 * (`GatewayError`) and returns; trying again belongs to whoever holds the intent and knows how to look first. A read
 * may be repeated by the adapter once, after a new authentication.
 */
export interface TradingGateway {
  readonly kind: PlatformKind
  capabilities(): Promise<Capabilities>
  /** Asks the platform, and never throws: what is wrong stands in `problems`. */
  health(): Promise<Health>
  serverClock(): Promise<{ utcOffsetSeconds: number; platformNow: number }>
  listGroups(): Promise<GroupInfo[]>
  openAccount(command: OpenAccount): Promise<{ login: Login }>
  findAccountByTag(tag: string, hint: { group: string; afterLogin?: Login }): Promise<Login | null>
  /**
   * Reads the account and names the fields that are not as they were written, for platforms cut and ignore what they do not
   * like without a word. A cut at the platform's own limit is none, and what it does not show cannot be compared.
   */
  compareAccount(login: Login, written: WrittenAccount | WrittenPerson): Promise<WrittenField[]>
  /** Harmless to repeat. What the person leaves out stays as it is; what the platform made of it `compareAccount` says. */
  changePerson(login: Login, person: WrittenPerson): Promise<void>
  readAccount(login: Login): Promise<AccountState>
  /** Logins that the platform does not know are absent from the answer. */
  readAccounts(logins: Login[]): Promise<Map<Login, AccountState>>
  /**
   * Every account of the groups, page by page, read on a session that began with the call. A mask may hold `*`; managers'
   * groups are never read. An account that does not come may still exist: in a group that our manager sees no longer.
   */
  listAccounts(masks: readonly string[]): AsyncIterable<ListedAccount[]>
  listPositions(login: Login): Promise<Position[]>
  /** Oldest first, both ends included. */
  listDeals(login: Login, from: Utc, to: Utc): AsyncIterable<Deal>
  changeBalance(command: ChangeBalance): Promise<BalanceReceipt>
  /**
   * Every balance operation of the login that carries the tag, looked up on a session that began after `since` (the
   * first send). An empty answer is one proof of absence; see `judgeReceipts` for what it is worth.
   */
  findBalanceByTag(login: Login, tag: string, since: Utc): Promise<BalanceReceipt[]>
  setPassword(login: Login, which: PasswordKind, password: string): Promise<void>
  checkPassword(login: Login, which: PasswordKind, password: string): Promise<boolean>
  /** Harmless to repeat: after `unknown`, read the account and compare, or set it again. */
  setAccess(login: Login, access: ChangeAccess): Promise<void>
  close(): Promise<void>
}

/**
 * - `not_executed`: proven not to have run. May be tried again later, with the same tag.
 * - `rejected`: the platform ran its checks and said no. Final.
 * - `unknown`: sent, and no trustworthy answer. Look before anything is tried again.
 */
export type Outcome = 'not_executed' | 'rejected' | 'unknown'

export type Reason =
  // The connection.
  | 'unreachable'
  | 'session_lost'
  | 'auth_failed'
  | 'throttled'
  | 'busy'
  | 'shutdown'
  // An operator must act.
  | 'not_permitted'
  | 'misconfigured'
  | 'not_supported'
  // The business said no.
  | 'not_found'
  | 'already_exists'
  | 'invalid_input'
  | 'weak_password'
  | 'insufficient_funds'
  | 'amount_limit'
  | 'account_disabled'
  | 'logins_exhausted'
  | 'has_open_trades'
  | 'currency_mismatch'
  // Cannot tell.
  | 'timeout'
  | 'protocol'

export type GatewayFailure = {
  outcome: Outcome
  reason: Reason
  /** Whether any byte of the call had left this process: it decides between `not_executed` and `unknown`. */
  sent: boolean
  platformCode?: number | undefined
  platformText?: string | undefined
}

/** Carries codes and words of the platform only: never a password, a hash, or anything personal. */
export class GatewayError extends Error {
  readonly outcome: Outcome
  readonly reason: Reason
  readonly sent: boolean
  readonly platformCode: number | undefined
  readonly platformText: string | undefined

  constructor(failure: GatewayFailure) {
    const code = failure.platformCode === undefined ? '' : ` (platform code ${failure.platformCode})`
    super(`The trading platform call failed: ${failure.outcome}, ${failure.reason}${code}`)
    this.name = 'GatewayError'
    this.outcome = failure.outcome
    this.reason = failure.reason
    this.sent = failure.sent
    this.platformCode = failure.platformCode
    this.platformText = failure.platformText
  }
}
