/** Pure functions from the platform's records to ours. The platform's terms do not leave this file. */

import Big from 'big.js'
import type {
  AccountState,
  BalanceKind,
  ChangeAccess,
  Deal,
  Decimal,
  GroupInfo,
  ListedAccount,
  Position,
  Utc,
} from '../contract.ts'
import { leverageOf } from '../platform-values.ts'
import { compareTickets, protocolError } from '../refusals.ts'
import type { PlatformClock } from './clock.ts'
import type { Mt5Record } from './wire.ts'

const RIGHT_ENABLED = 0x1n
const RIGHT_PASSWORD = 0x2n
const RIGHT_TRADE_DISABLED = 0x4n
const EXT_PER_LOT = 100_000_000
const VOLUME_PER_LOT = 10_000

export const balanceTypes: Readonly<Record<BalanceKind, number>> = {
  balance: 2,
  credit: 3,
  charge: 4,
  correction: 5,
  bonus: 6,
}

export function isBalanceOperation(action: number): boolean {
  return action >= 2 && action <= 6
}

const dealCommands = (
  'OP_BUY OP_SELL OP_BALANCE OP_CREDIT OP_CHARGE OP_CORRECTION OP_CREDIT OP_COMMISSION OP_COMMISSION_DAILY ' +
  'OP_COMMISSION_MONTHLY OP_AGENT_DAILY OP_AGENT_MONTHLY OP_INTEREST OP_BUY_CANCELED OP_SELL_CANCELED OP_DIVIDEND ' +
  'OP_DIVIDEND_FRANKED OP_TAX OP_AGENT OP_SO_COMPENSATION OP_SO_COMPENSATION_CREDIT'
).split(' ')

/** Unknown actions of newer builds must not count as trades. */
export function dealCommand(action: number): string {
  return dealCommands[action] ?? `OP_OTHER_${action}`
}

const accountings = ['netting', 'exchange', 'hedging'] as const

export function toGroup(record: Mt5Record): GroupInfo {
  const leverage = record.has('DemoLeverage') ? record.integer('DemoLeverage') : 0
  return {
    name: record.text('Group'),
    currency: record.text('Currency'),
    currencyDigits: record.integer('CurrencyDigits'),
    minPasswordLength: record.has('AuthPasswordMin') ? record.integer('AuthPasswordMin') : null,
    defaultLeverage: leverage === 0 ? null : leverage,
    accounting: accountings[record.integer('MarginMode')] ?? 'hedging',
  }
}

function accessOf(rightsText: string): Required<ChangeAccess> {
  const rights = BigInt(rightsText)
  return {
    enabled: (rights & RIGHT_ENABLED) !== 0n,
    tradingAllowed: (rights & RIGHT_TRADE_DISABLED) === 0n,
    passwordChangeAllowed: (rights & RIGHT_PASSWORD) !== 0n,
  }
}

/** Flips only the named bits: the platform stores more in there, beyond the range of a number. */
export function rightsWith(rightsText: string, access: ChangeAccess): string {
  const flip = (rights: bigint, bit: bigint, on: boolean | undefined) =>
    on === undefined ? rights : on ? rights | bit : rights & ~bit
  const { enabled, tradingAllowed, passwordChangeAllowed } = access
  let rights = flip(BigInt(rightsText), RIGHT_ENABLED, enabled)
  rights = flip(rights, RIGHT_TRADE_DISABLED, tradingAllowed === undefined ? undefined : !tradingAllowed)
  return String(flip(rights, RIGHT_PASSWORD, passwordChangeAllowed))
}

/** 0 if the platform does not say. */
export const toRegistration = (user: Mt5Record, clock: PlatformClock): Utc =>
  user.has('Registration') ? clock.toUtc(user.integer('Registration')) : 0

/** Names, addresses and comments are empty for a manager login without access to personal data. */
export function toListedAccount(user: Mt5Record, clock: PlatformClock): ListedAccount {
  return {
    login: user.id('Login'),
    group: user.text('Group'),
    leverage: leverageOf(user.integer('Leverage')),
    ...accessOf(user.id('Rights')),
    email: user.has('Email') ? user.text('Email') : null,
    name: user.has('Name') ? user.text('Name') : null,
    comment: user.text('Comment'),
    balance: user.decimal('Balance'),
    credit: user.decimal('Credit'),
    registeredAt: toRegistration(user, clock),
  }
}

/** Without a live trade account no position is open, so the client record has all metrics. */
export function toAccount(user: Mt5Record, live: Mt5Record | null, group: GroupInfo): AccountState {
  const money = (text: Decimal) => new Big(text).toFixed(group.currencyDigits)
  const shared = {
    login: user.id('Login'),
    group: user.text('Group'),
    currency: group.currency,
    currencyDigits: group.currencyDigits,
    leverage: leverageOf(user.integer('Leverage')),
    ...accessOf(user.id('Rights')),
  }
  if (live === null) {
    const balance = money(user.decimal('Balance'))
    const credit = money(user.decimal('Credit'))
    const equity = money(new Big(balance).plus(credit).toFixed())
    const nothing = money('0')
    const empty = { floating: nothing, margin: nothing, marginFree: equity, marginLevel: null }
    return { ...shared, balance, credit, equity, ...empty, source: 'record' }
  }
  return {
    ...shared,
    balance: money(live.decimal('Balance')),
    credit: money(live.decimal('Credit')),
    equity: money(live.decimal('Equity')),
    floating: money(live.decimal('Floating')),
    margin: money(live.decimal('Margin')),
    marginFree: money(live.decimal('MarginFree')),
    marginLevel: new Big(live.decimal('Margin')).eq(0) ? null : live.decimal('MarginLevel'),
    source: 'live',
  }
}

/** The same volume in two scales; old builds lack the finer one. */
export function toVolume(record: Mt5Record, name: 'Volume' | 'VolumeClosed'): { lots: Decimal; hundredths: Decimal } {
  const lots = record.has(`${name}Ext`)
    ? new Big(record.id(`${name}Ext`)).div(EXT_PER_LOT)
    : new Big(record.has(name) ? record.id(name) : '0').div(VOLUME_PER_LOT)
  return { lots: lots.toFixed(), hundredths: lots.times(100).toFixed() }
}

function priceOrNull(record: Mt5Record, name: string): Decimal | null {
  const price = record.decimalOr(name, '0')
  return new Big(price).eq(0) ? null : price
}

/** Prefers milliseconds if the build has them; our times are in seconds. */
function timeOf(record: Mt5Record, name: string, clock: PlatformClock): Utc {
  const platform = record.has(`${name}Msc`) ? Math.floor(record.integer(`${name}Msc`) / 1000) : record.integer(name)
  return clock.toUtc(platform)
}

export function toPosition(record: Mt5Record, clock: PlatformClock): Position {
  const action = record.integer('Action')
  if (action !== 0 && action !== 1) throw protocolError()
  return {
    id: record.id('Position'),
    login: record.id('Login'),
    symbol: record.text('Symbol'),
    side: action === 0 ? 'buy' : 'sell',
    ...toVolume(record, 'Volume'),
    openPrice: record.decimal('PriceOpen'),
    currentPrice: record.decimal('PriceCurrent'),
    sl: priceOrNull(record, 'PriceSL'),
    tp: priceOrNull(record, 'PriceTP'),
    profit: record.decimal('Profit'),
    swap: record.decimalOr('Storage', '0'),
    openedAt: timeOf(record, 'TimeCreate', clock),
    reason: record.has('Reason') ? record.integer('Reason') : 0,
    comment: record.text('Comment'),
  }
}

const entries: Readonly<Record<number, Deal['entry']>> = { 0: 0, 1: 1, 2: 2, 3: 3 }

/** The order behind a deal has been filled. The rare partially filled one is reported as filled too. */
const STATE_FILLED = 4

/** `openings`: the opening time of each position whose first deal was read. */
export function toDeal(record: Mt5Record, clock: PlatformClock, openings: ReadonlyMap<string, Utc> = new Map()): Deal {
  const action = record.integer('Action')
  // An unknown entry type counts as in.
  const entry = entries[record.has('Entry') ? record.integer('Entry') : 0] ?? 0
  const isTrade = action === 0 || action === 1
  const position = record.idOrNull('PositionID')
  const at = timeOf(record, 'Time', clock)
  return {
    id: record.id('Deal'),
    order: record.idOrNull('Order'),
    position,
    login: record.id('Login'),
    cmd: dealCommand(action),
    entry,
    symbol: record.text('Symbol'),
    ...toVolume(record, 'Volume'),
    price: record.decimalOr('Price', '0'),
    openPrice: priceOrNull(record, 'PricePosition'),
    sl: priceOrNull(record, 'PriceSL'),
    tp: priceOrNull(record, 'PriceTP'),
    profit: record.decimal('Profit'),
    swap: record.decimalOr('Storage', '0'),
    commission: record.decimalOr('Commission', '0'),
    fee: record.decimalOr('Fee', '0'),
    at,
    openedAt: !isTrade || entry === 0 ? at : (openings.get(position ?? '') ?? null),
    state: STATE_FILLED,
    platformState: STATE_FILLED,
    reason: record.has('Reason') ? record.integer('Reason') : 0,
    comment: record.text('Comment'),
    isTrade,
  }
}

/** The first entry deal of every position among these deals, in the platform's order. */
export function openingsOf(records: readonly Mt5Record[], clock: PlatformClock): Map<string, Utc> {
  const openings = new Map<string, Utc>()
  for (const record of records) {
    const deal = toDeal(record, clock)
    if (!deal.isTrade || deal.entry !== 0 || deal.position === null || openings.has(deal.position)) continue
    openings.set(deal.position, deal.at)
  }
  return openings
}

/** The platform's order of deals: time in milliseconds, then number, compared without losing digits. */
export function compareDeals(one: Mt5Record, other: Mt5Record): number {
  const timeOfDeal = (record: Mt5Record) =>
    record.has('TimeMsc') ? record.integer('TimeMsc') : record.integer('Time') * 1000
  return timeOfDeal(one) - timeOfDeal(other) || compareTickets(one.id('Deal'), other.id('Deal'))
}
