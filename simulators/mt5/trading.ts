import Big from 'big.js'
import { instrumentOf } from '../metatrader/market.ts'
import { currentPrice, floatingProfit, metricsOf } from './account-metrics.ts'
import { groupOf } from './groups.ts'
import type { DealRow, OrderRow, PositionRow, UserRow } from './state.ts'
import { findUser, userOf, usersOfGroups } from './users.ts'
import { listOf, type Parameters, Refusal, type Reply } from './wire.ts'
import type { World } from './world.ts'

const COMMENT_CHARS = 31
const PAGE_ROWS = 100
const AMOUNT_MAX = '1000000000'
const UINT_EXT_PER_VOLUME = 10_000
/** The last second that fits into 32 bits. */
const secondsMax = 4_294_967_295

export type NewDeal = Partial<Omit<DealRow, 'deal' | 'login'>> & { login: number; action: number; time_msc: number }

export function insertDeal(world: World, deal: NewDeal): number {
  return world.state.insert('deals', {
    dealer: 0,
    order_id: 0,
    entry: 0,
    reason: 0,
    symbol: '',
    price: '0',
    price_sl: '0',
    price_tp: '0',
    volume_ext: 0,
    profit: '0',
    storage: '0',
    commission: '0',
    position_id: 0,
    price_position: '0',
    volume_closed_ext: 0,
    ...deal,
    comment: (deal.comment ?? '').slice(0, COMMENT_CHARS),
  })
}

/** Balance, correction and charge change the balance; credit and bonus change the credit. */
export function bookBalance(world: World, user: UserRow, deal: NewDeal & { profit: string }): number {
  return world.state.atOnce(() => {
    const column = deal.action === 3 || deal.action === 6 ? 'credit' : 'balance'
    const digits = Number(groupOf(world, user.group_name).CurrencyDigits)
    const before = world.state.one<UserRow>('select * from users where login = ?', user.login) ?? user
    const after = new Big(before[column]).plus(deal.profit).toFixed(digits)
    world.state.run(`update users set ${column} = ? where login = ?`, after, user.login)
    return insertDeal(world, deal)
  })
}

function changeBalance(world: World, parameters: Parameters, _body: unknown, manager: number): Reply {
  if (!world.switches.accountantAllowed) throw new Refusal(8)
  const user = userOf(world, parameters.get('login'))
  const type = parameters.get('type') ?? ''
  if (!/^[2-6]$/.test(type)) throw new Refusal(3)
  const text = parameters.get('balance') ?? ''
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new Refusal(3)
  const metrics = metricsOf(world, user)
  const amount = new Big(text).round(metrics.digits)
  if (amount.abs().gt(AMOUNT_MAX)) throw new Refusal(4005)
  if (amount.lt(0)) refuseOverdraft(world, user, { type, amount, checked: parameters.get('check_margin') !== '0' })
  world.active.add(user.login)
  const ticket = bookBalance(world, user, {
    login: user.login,
    dealer: manager,
    action: Number(type),
    reason: 2,
    time_msc: world.time.nowMsc(),
    profit: amount.toFixed(metrics.digits),
    comment: parameters.get('comment') ?? '',
  })
  return { code: 0, answer: { Ticket: String(ticket) } }
}

/** A correction (5) skips the free-margin check, but no operation may take more than the balance. */
function refuseOverdraft(world: World, user: UserRow, wanted: { type: string; amount: Big; checked: boolean }): void {
  const metrics = metricsOf(world, user)
  const taken = wanted.amount.abs()
  const available = wanted.type === '3' || wanted.type === '6' ? user.credit : user.balance
  if (taken.gt(available)) throw new Refusal(10019)
  if (wanted.checked && wanted.type !== '5' && taken.gt(metrics.marginFree)) throw new Refusal(10019)
}

function volumeFields(world: World, name: string, ext: number): Record<string, string> {
  const fields: Record<string, string> = { [name]: String(Math.round(ext / UINT_EXT_PER_VOLUME)) }
  if (!world.switches.withoutExtVolumes) fields[`${name}Ext`] = String(ext)
  return fields
}

export function dealRecord(world: World, deal: DealRow): Record<string, string> {
  const user = userOf(world, String(deal.login))
  const currencyDigits = Number(groupOf(world, user.group_name).CurrencyDigits)
  const digits = deal.symbol === '' ? 0 : instrumentOf(deal.symbol).digits
  const price = (value: string) => new Big(value).toFixed(digits === 0 ? 2 : digits)
  const money = (value: string) => new Big(value).toFixed(currencyDigits)
  return {
    Deal: String(deal.deal),
    ExternalID: '',
    Login: String(deal.login),
    Dealer: String(deal.dealer),
    Order: String(deal.order_id),
    Action: String(deal.action),
    Entry: String(deal.entry),
    Reason: String(deal.reason),
    Digits: String(digits),
    DigitsCurrency: String(currencyDigits),
    ContractSize: deal.symbol === '' ? '0.00' : new Big(instrumentOf(deal.symbol).contract).toFixed(2),
    Time: String(Math.floor(deal.time_msc / 1000)),
    TimeMsc: String(deal.time_msc),
    Symbol: deal.symbol,
    Price: price(deal.price),
    PriceSL: price(deal.price_sl),
    PriceTP: price(deal.price_tp),
    ...volumeFields(world, 'Volume', deal.volume_ext),
    Profit: money(deal.profit),
    Storage: money(deal.storage),
    Commission: money(deal.commission),
    Fee: money('0'),
    RateProfit: '1.00000000',
    RateMargin: '1.00000000',
    ExpertID: '0',
    PositionID: String(deal.position_id),
    Comment: deal.comment,
    ProfitRaw: money(deal.profit),
    PricePosition: price(deal.price_position),
    ...volumeFields(world, 'VolumeClosed', deal.volume_closed_ext),
    TickValue: '0.00',
    TickSize: '0.00',
    Flags: '0',
    Gateway: '',
    PriceGateway: price('0'),
    ModifyFlags: '0',
  }
}

function orderRecord(world: World, order: OrderRow): Record<string, string> {
  const { digits } = instrumentOf(order.symbol)
  const done = order.done_msc > 0
  return {
    Order: String(order.order_id),
    Login: String(order.login),
    Symbol: order.symbol,
    Digits: String(digits),
    State: String(order.state),
    Reason: String(order.reason),
    Type: String(order.type),
    TimeSetup: String(Math.floor(order.setup_msc / 1000)),
    TimeSetupMsc: String(order.setup_msc),
    TimeDone: String(Math.floor(order.done_msc / 1000)),
    TimeDoneMsc: String(order.done_msc),
    ...volumeFields(world, 'VolumeInitial', order.volume_ext),
    ...volumeFields(world, 'VolumeCurrent', done ? 0 : order.volume_ext),
    PriceOrder: new Big(order.price).toFixed(digits),
    PositionID: String(order.position_id),
    Comment: order.comment,
  }
}

function positionRecord(world: World, position: PositionRow): Record<string, string> {
  const group = groupOf(world, userOf(world, String(position.login)).group_name)
  const currencyDigits = Number(group.CurrencyDigits)
  const { digits, contract } = instrumentOf(position.symbol)
  const price = (value: Big | string) => new Big(value).toFixed(digits)
  return {
    Position: String(position.position),
    ExternalID: '',
    Login: String(position.login),
    Dealer: '0',
    Symbol: position.symbol,
    Action: String(position.action),
    Digits: String(digits),
    DigitsCurrency: group.CurrencyDigits,
    Reason: String(position.reason),
    ContractSize: new Big(contract).toFixed(2),
    TimeCreate: String(Math.floor(position.created_msc / 1000)),
    TimeUpdate: String(Math.floor(position.created_msc / 1000)),
    TimeCreateMsc: String(position.created_msc),
    TimeUpdateMsc: String(position.created_msc),
    PriceOpen: price(position.price_open),
    PriceCurrent: price(currentPrice(world, position)),
    PriceSL: price(position.price_sl),
    PriceTP: price(position.price_tp),
    ...volumeFields(world, 'Volume', position.volume_ext),
    Profit: floatingProfit(world, position, group.Currency, currencyDigits).toFixed(currencyDigits),
    Storage: new Big(position.storage).toFixed(currencyDigits),
    Comment: position.comment,
    ActivationMode: '0',
    ModifyFlags: '0',
  }
}

type Listing<Row> = {
  table: string
  id: string
  /** The column for `from` and `to`; absent for lists of current rows. */
  when?: string
  /** Allows a query for one row by login and symbol. */
  bySymbol?: boolean
  extra?: string
  record: (world: World, row: Row) => Record<string, string>
}

function listCommands<Row>(base: string, listing: Listing<Row>) {
  const { table, id, when, record } = listing
  const only = listing.extra === undefined ? '' : ` and ${listing.extra}`
  const order = when === undefined ? id : `${when}, ${id}`
  const bounds = (parameters: Parameters): number[] => {
    if (when === undefined) return []
    // Without dates the range is unlimited.
    const from = Number(parameters.get('from') ?? 0)
    const to = Number(parameters.get('to') ?? secondsMax)
    if (!Number.isInteger(from) || !Number.isInteger(to)) throw new Refusal(3)
    return [from * 1000, to * 1000 + 999]
  }
  const where = `login = ?${only}${when === undefined ? '' : ` and ${when} between ? and ?`}`
  const ofLogin = (world: World, login: number, parameters: Parameters) =>
    world.state.all<Row>(`select * from ${table} where ${where} order by ${order}`, login, ...bounds(parameters))
  const byTicket = (world: World, ticket: string | undefined): Row[] =>
    ticket !== undefined && /^\d{1,15}$/.test(ticket)
      ? world.state.all<Row>(`select * from ${table} where ${id} = ?${only}`, Number(ticket))
      : []
  const bySymbol = (world: World, parameters: Parameters): Row[] =>
    world.state.all<Row>(
      `select * from ${table} where login = ? and symbol = ? order by ${id}`,
      userOf(world, parameters.get('login')).login,
      parameters.get('symbol') ?? '',
    )
  const batch = (world: World, parameters: Parameters): Row[] => {
    if (parameters.has('ticket')) return listOf(parameters.get('ticket')).flatMap((one) => byTicket(world, one))
    const masks = parameters.get('group')
    const users =
      masks === undefined
        ? listOf(parameters.get('login')).flatMap((login) => findUser(world, login) ?? [])
        : usersOfGroups(world, masks)
    return users.flatMap((user) => ofLogin(world, user.login, parameters))
  }
  return {
    [`${base}/get`]: (world: World, parameters: Parameters): Reply => {
      const isBySymbol = listing.bySymbol && !parameters.has('ticket')
      const [row] = isBySymbol ? bySymbol(world, parameters) : byTicket(world, parameters.get('ticket'))
      if (row === undefined) throw new Refusal(13)
      return { code: 0, answer: record(world, row) }
    },
    [`${base}/get_total`]: (world: World, parameters: Parameters): Reply => {
      const user = userOf(world, parameters.get('login'))
      return { code: 0, answer: { Total: String(ofLogin(world, user.login, parameters).length) } }
    },
    [`${base}/get_page`]: (world: World, parameters: Parameters): Reply => {
      const user = userOf(world, parameters.get('login'))
      const offset = Math.max(0, Number(parameters.get('offset') ?? 0))
      const total = Math.min(PAGE_ROWS, Math.max(0, Number(parameters.get('total') ?? PAGE_ROWS)))
      const rows = world.state.all<Row>(
        `select * from ${table} where ${where} order by ${order} limit ${Math.trunc(total)} offset ${Math.trunc(offset)}`,
        user.login,
        ...bounds(parameters),
      )
      return { code: 0, answer: rows.map((row) => record(world, row)) }
    },
    [`${base}/get_batch`]: (world: World, parameters: Parameters): Reply => ({
      code: 0,
      answer: batch(world, parameters).map((row) => record(world, row)),
    }),
  }
}

export const tradingCommands = {
  '/api/trade/balance': changeBalance,
  ...listCommands<DealRow>('/api/deal', { table: 'deals', id: 'deal', when: 'time_msc', record: dealRecord }),
  ...listCommands<PositionRow>('/api/position', {
    table: 'positions',
    id: 'position',
    bySymbol: true,
    record: positionRecord,
  }),
  ...listCommands<OrderRow>('/api/order', {
    table: 'orders',
    id: 'order_id',
    extra: 'done_msc = 0',
    record: orderRecord,
  }),
  ...listCommands<OrderRow>('/api/history', {
    table: 'orders',
    id: 'order_id',
    when: 'done_msc',
    extra: 'done_msc > 0',
    record: orderRecord,
  }),
}
