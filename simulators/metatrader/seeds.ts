/** Times are UTC in milliseconds and are converted to platform time here. Amounts and prices are decimal strings. */
export type AccountSeed = {
  login: string
  group: string
  name: string
  leverage: number
  /** Booked as the first balance operation; trades and ledger entries are added to it. */
  balance?: string
  email?: string
  country?: string
  comment?: string
  rights?: string
  mainPassword?: string
  investorPassword?: string
  registeredAtMs?: number
  ledger?: LedgerSeed[]
  trades?: TradeSeed[]
  positions?: PositionSeed[]
}
export type LedgerSeed = { amount: string; atMs: number; comment?: string; action?: 2 | 3 | 4 | 5 | 6 }
export type TradeSeed = {
  symbol: string
  side: 'buy' | 'sell'
  lots: string
  openPrice: string
  closePrice: string
  openedAtMs: number
  closedAtMs: number
  sl?: string
  tp?: string
  swap?: string
  commission?: string
  comment?: string
  reason?: number
}
export type PositionSeed = {
  symbol: string
  side: 'buy' | 'sell'
  lots: string
  /** Default: the current price. */
  openPrice?: string
  openedAtMs: number
  sl?: string
  tp?: string
  swap?: string
  comment?: string
  reason?: number
}

const HOUR_MS = 3_600_000

/** The opening time of an account with this history. */
export function beforeEverything(seed: AccountSeed, now: number): number {
  const times = [
    ...(seed.ledger ?? []).map((entry) => entry.atMs),
    ...(seed.trades ?? []).map((trade) => trade.openedAtMs),
    ...(seed.positions ?? []).map((position) => position.openedAtMs),
  ]
  return times.length === 0 ? now : Math.min(...times) - HOUR_MS
}
