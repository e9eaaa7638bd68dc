/**
 * The operations that the portal needs from any trading platform, in platform-neutral terms; money, prices, logins and
 * tickets are decimal strings, because a JavaScript number cannot hold 64 bits. Times are UTC: the platform's own clock
 * never leaves its adapter.
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
  /** Unique per intent and written into the account's comment, so that a look-up can find it after a lost answer. */
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
  /** Only if the brokerage gave us a range of logins; otherwise the platform chooses. */
  login?: Login
}

/** The fields that opening an account writes and the platform shows; it never shows passwords. */
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
  /** In percent; null while no position is open. */
  marginLevel: Decimal | null
  enabled: boolean
  tradingAllowed: boolean
  passwordChangeAllowed: boolean
  /** `record`: the platform held no live trade state, so the metrics come from the client record. */
  source: 'live' | 'record'
}

/** An account read by its number. The platform may give the number of a deleted one to somebody else. */
export type RegisteredAccount = AccountState & Pick<ListedAccount, 'registeredAt'>

export type ChangeBalance = {
  tag: string
  login: Login
  kind: BalanceKind
  /** Signed: + in, - out. More decimals than the account's currency has are refused before sending. */
  amount: Decimal
  /** The currency of the amount. One that differs from the account's is refused before sending. */
  currency: string
  /** When the platform registered the account, if known. Somebody else's with its number is refused before sending. */
  registeredAt?: Utc
  /** A short word after the tag, cut to fit. Never the member's text, which may hold personal data or another tag. */
  note: string
  /**
   * True for every withdrawal: the platform's check is atomic with the operation, unlike a balance read before it. It
   * counts credit as free margin, so a withdrawal from an account with credit is checked before sending too.
   */
  refuseIfMarginTooLow: boolean
}

/** An account in a platform's list, without metrics of open trades and without secrets. */
export type ListedAccount = {
  login: Login
  group: string
  leverage: number
  enabled: boolean
  tradingAllowed: boolean
  passwordChangeAllowed: boolean
  /** Null if empty, or if our manager login cannot read personal data. */
  email: string | null
  name: string | null
  /** For our accounts it begins with the tag of the intent that opened them. */
  comment: string
  balance: Decimal
  credit: Decimal
  registeredAt: Utc
}

/** The group's name. */
export type OnRefused = (group: string) => void

/** Omitted fields stay unchanged. */
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
  /** Opening time of the deal's trade; null if the records that were read do not contain it. */
  openedAt: Utc | null
  /**
   * The state number that screens label: on MT4 the order's own state, 0 for open; on MT5 the state of the order behind
   * the deal, 4 for filled.
   */
  state: number
  /** The platform's own value: an open MT4 order may have three (0, 1, 2). */
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

/** A stable code for operators, suitable for alerts. */
export type HealthProblem =
  | 'unreachable'
  | 'auth_failed'
  | 'auth_failing_repeatedly'
  | 'server_not_proven'
  | 'not_permitted'
  | 'clock_mismatch'
  | 'not_answering'
  /** The circuit is open, so nothing is sent for a while (breaker.ts). */
  | 'circuit_open'

export type Health = {
  reachable: boolean
  authenticated: boolean
  lastTrafficAt: Utc | null
  clockSkewSeconds: number | null
  problems: HealthProblem[]
}

/**
 * The adapter never repeats a call that moves money, opens an account or sets a password: it classifies the outcome
 * (`GatewayError`), and the owner of the intent decides about a retry and looks up first. It may repeat a read once,
 * after signing in again.
 */
export interface TradingGateway {
  readonly kind: PlatformKind
  /** Without a promise where the adapter knows them and calls nobody. */
  capabilities(): Capabilities | Promise<Capabilities>
  /** Calls the platform and never throws; problems are in `problems`. */
  health(): Promise<Health>
  serverClock(): Promise<{ utcOffsetSeconds: number; platformNow: number }>
  /** All groups that our manager login sees, without managers' groups. A list that may be incomplete is a failure. */
  listGroups(): Promise<GroupInfo[]>
  findGroup(name: string): Promise<GroupInfo | null>
  openAccount(command: OpenAccount): Promise<{ login: Login }>
  findAccountByTag(tag: string, hint: { group: string; afterLogin?: Login }): Promise<Login | null>
  /**
   * Reads the account and names fields that differ from what was written, since platforms silently cut and ignore
   * values. A cut at the platform's own limit is no difference, and hidden fields cannot be compared.
   */
  compareAccount(login: Login, written: WrittenAccount | WrittenPerson): Promise<WrittenField[]>
  /** Idempotent. Omitted fields stay unchanged; `compareAccount` shows what the platform stored. */
  changePerson(login: Login, person: WrittenPerson): Promise<void>
  readAccount(login: Login): Promise<RegisteredAccount>
  /**
   * Logins unknown to the platform are missing in the result, and so are those in a group that our manager login cannot
   * read, of which `readAccount` says so.
   */
  readAccounts(logins: Login[]): Promise<Map<Login, RegisteredAccount>>
  /**
   * Every account of the groups, page by page, read on a new session; a mask may contain `*`, and managers' groups are
   * never read. A missing account may still exist in a group that our manager login can no longer read. A group whose
   * accounts it may not read is passed to `onRefused` and left out; without that, or if it is every group, it fails.
   */
  listAccounts(masks: readonly string[], onRefused?: OnRefused): AsyncIterable<ListedAccount[]>
  listPositions(login: Login): Promise<Position[]>
  /** Oldest first, both ends included. Of an account that the platform no longer has: `not_found`, not an empty history. */
  listDeals(login: Login, from: Utc, to: Utc): AsyncIterable<Deal>
  changeBalance(command: ChangeBalance): Promise<BalanceReceipt>
  /**
   * Every balance operation of the login with the tag, looked up on a session that began after `since` (the first
   * send). An empty result is one proof of absence; see `judgeReceipts`.
   */
  findBalanceByTag(login: Login, tag: string, since: Utc): Promise<BalanceReceipt[]>
  setPassword(login: Login, which: PasswordKind, password: string): Promise<void>
  checkPassword(login: Login, which: PasswordKind, password: string): Promise<boolean>
  /** Idempotent: after `unknown`, read the account and compare, or set it again. */
  setAccess(login: Login, access: ChangeAccess): Promise<void>
  close(): Promise<void>
}

export type Outcome =
  /** Proven not to have run: may be retried later with the same tag. */
  | 'not_executed'
  /** The platform checked and refused, finally. */
  | 'rejected'
  /** Sent, without a trustworthy answer: look up before any retry. */
  | 'unknown'

export type Reason =
  // Connection.
  | 'unreachable'
  | 'session_lost'
  | 'auth_failed'
  | 'throttled'
  | 'busy'
  | 'shutdown'
  // Operator action required.
  | 'not_permitted'
  | 'misconfigured'
  | 'not_supported'
  // Business refusal.
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
  // Unknown.
  | 'timeout'
  | 'protocol'

export type GatewayFailure = {
  outcome: Outcome
  reason: Reason
  /** Whether any byte of the call has left this process; decides between `not_executed` and `unknown`. */
  sent: boolean
  platformCode?: number | undefined
  platformText?: string | undefined
}

/** Carries platform codes and texts only: never a password, a hash or personal data. */
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
