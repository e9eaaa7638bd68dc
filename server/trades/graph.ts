import { limits } from '@atrium/contract/limits.ts'
import { toScale } from '@atrium/contract/money/money.ts'
import { stateLabel, type TradeOrder, type TradeSort, tradeOrders, tradeSorts } from '@atrium/contract/trades/calls.ts'
import type { InputShapeFromFields } from '@pothos/core'
import Big from 'big.js'
import DataLoader from 'dataloader'
import type { GraphQLResolveInfo } from 'graphql'
import { z } from 'zod'
import { accountLoader } from '../accounts/graph.ts'
import type { AccountShape } from '../accounts/queries.ts'
import { givenFilter, readPage } from '../foundation/database/paging.ts'
import { builder } from '../graphql/builder.ts'
import type { GraphContext } from '../graphql/context.ts'
import { keepCount, pageArgs, readCounted } from '../graphql/paging.ts'
import { askForReading, type History, isBeingRead, isDue, readHistory } from './history.ts'
import { type OpenPositions, readPositions, type StoredPosition } from './positions.ts'
import * as queries from './queries.ts'
import { readBeforeListing } from './reading.ts'

type HistoryShape = { history: History | undefined; account: AccountShape; now: Date }
type TotalsShape = queries.TotalsShape & { currency: string }
type PositionShape = { position: StoredPosition; account: AccountShape }

const tradeTotals = builder.objectRef<TotalsShape>('TradeTotals')
const tradeHistory = builder.objectRef<HistoryShape>('TradeHistory')
const openPositions = builder.objectRef<OpenPositions & { account: AccountShape }>('OpenPositions')
const openPosition = builder.objectRef<PositionShape>('OpenPosition')

const isUuid = (text: string) => z.uuid().safeParse(text).success

/** The member's own account; null for another member's, an unknown or an archived one. */
async function ownAccount(context: GraphContext, id: string): Promise<AccountShape | null> {
  const account = isUuid(id) ? await accountLoader(context).load(id.toLowerCase()) : null
  return account?.deleted ? null : account
}

const filterArgs = builder.args((t) => ({
  trading_account: t.id({ required: true }),
  symbol: t.string(),
  side: t.string(),
  entry: t.string(),
  from: t.field({ type: 'Seconds' }),
  to: t.field({ type: 'Seconds' }),
}))
const listArgs = builder.args((t) => ({
  ...filterArgs,
  sort: t.string(),
  order: t.string(),
  ...pageArgs,
}))
type FilterArgs = InputShapeFromFields<typeof filterArgs>
type ListArgs = InputShapeFromFields<typeof listArgs>

function filterOf(args: FilterArgs, accountId: string): queries.TradeFilter {
  const { symbol, side, entry, from, to } = args
  return {
    accountId,
    symbol: givenFilter(symbol),
    side: givenFilter(side),
    entry: givenFilter(entry),
    from: from ?? undefined,
    to: to ?? undefined,
  }
}

const among = <Word extends string>(words: readonly Word[], word: string | null | undefined, usual: Word): Word =>
  words.find((each) => each === word) ?? usual

async function tradesOf(
  args: ListArgs,
  context: GraphContext,
  info: GraphQLResolveInfo,
): Promise<queries.TradeRecordShape[]> {
  const { member } = context
  const account = await ownAccount(context, args.trading_account)
  if (args.withCount && !account) keepCount(context, info, 0)
  if (!account) return []
  await readBeforeListing(await context.proven(), account)
  const filter = filterOf(args, account.account_id)
  const page = readPage(args, limits.tradesPageSize)
  const sort: TradeSort = among(tradeSorts, args.sort, 'time')
  const order: TradeOrder = among(tradeOrders, args.order, 'desc')
  const deals = await readCounted(context, info, args.withCount, {
    rows: async (tx) => (page ? queries.listTrades(tx, member, filter, { ...page, sort, order }) : []),
    count: (tx) => queries.countTrades(tx, member, filter),
  })
  return deals.map((deal) => ({ deal, platform_type: account.platform_type, currency: account.currency }))
}

/** Viewing the history triggers a read of new or missing deals from the platform. */
async function historyOf(id: string, context: GraphContext): Promise<HistoryShape | null> {
  const { read, member } = context
  const account = await ownAccount(context, id)
  if (!account) return null
  const find = () => read((tx) => readHistory(tx, member, account.account_id))
  const now = member.context.clock.now()
  const history = await find()
  if (!isDue(history, now)) return { history, account, now }
  await askForReading(await context.proven(), account)
  return { history: await find(), account, now }
}

async function positionsOf(id: string, context: GraphContext) {
  const account = await ownAccount(context, id)
  return account && { ...(await readPositions(await context.proven(), account)), account }
}

async function totalsOf(args: FilterArgs, context: GraphContext): Promise<TotalsShape | null> {
  const { read, member } = context
  const account = await ownAccount(context, args.trading_account)
  if (!account) return null
  const totals = await read((tx) => queries.sumTrades(tx, member, filterOf(args, account.account_id)))
  return { ...totals, currency: account.currency }
}

/** Triggers a read from the platform for one account, but not for a list of accounts. */
const newestLoader = ({ read, member, proven }: GraphContext) =>
  new DataLoader<AccountShape, queries.TradeShape[], string>(
    async (accounts) => {
      const [only, ...others] = accounts
      if (only && others.length === 0) await readBeforeListing(await proven(), only)
      const ids = accounts.map(({ account_id }) => account_id)
      const found = await read((tx) => queries.listTradesOfAccounts(tx, member, ids, limits.tradesPageSize))
      const rows = Map.groupBy(found, (row) => row.account_id)
      return ids.map((id) => rows.get(id) ?? [])
    },
    { cacheKeyFn: ({ account_id }) => account_id },
  )

export function describeTrades(): void {
  describeTradeRecord()
  describeTotals()
  describeHistory()
  describePositions()
  builder.objectField('TradingAccount', 'trade_records', (t) =>
    t.field({
      scopes: ['my_accounts'],
      feature: 'trades',
      reads: 3,
      usualLength: limits.tradesPageSize,
      type: ['TradeRecord'],
      resolve: async (account, _args, context) => {
        const { platform_type, currency } = account
        const deals = await context.own(newestLoader).load(account)
        return deals.map((deal) => ({ deal, platform_type, currency }))
      },
    }),
  )
  builder.queryFields((t) => {
    const account = { trading_account: t.arg.id({ required: true }) }
    return {
      trade_records: t.field({
        scopes: ['my_accounts'],
        feature: 'trades',
        reads: 4,
        type: ['TradeRecord'],
        args: listArgs,
        resolve: (_root, args, context, info) => tradesOf(args, context, info),
      }),
      trade_totals: t.field({
        scopes: ['my_accounts'],
        feature: 'trades',
        reads: 2,
        type: tradeTotals,
        nullable: true,
        args: filterArgs,
        resolve: (_root, args, context) => totalsOf(args, context),
      }),
      trade_history: t.field({
        scopes: ['my_accounts'],
        feature: 'trades',
        reads: 3,
        type: tradeHistory,
        nullable: true,
        args: account,
        resolve: (_root, args, context) => historyOf(args.trading_account, context),
      }),
      open_positions: t.field({
        scopes: ['my_accounts'],
        feature: 'trades',
        reads: 3,
        type: openPositions,
        nullable: true,
        args: account,
        resolve: (_root, args, context) => positionsOf(args.trading_account, context),
      }),
    }
  })
}

const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1000)
const isMt5 = ({ platform_type }: queries.TradeRecordShape): boolean => platform_type === 'mt5'

/** A MetaTrader 4 order is the whole trade, without a separate closing deal. */
function describeTradeRecord(): void {
  builder.objectType('TradeRecord', {
    fields: (t) => ({
      _id: t.id({ resolve: ({ deal }) => deal.deal_id }),
      order: t.string({ nullable: true, resolve: ({ deal }) => deal.order_id }),
      cmd: t.string({ resolve: ({ deal }) => deal.cmd }),
      reason: t.string({ nullable: true, resolve: ({ deal }) => String(deal.reason) }),
      profit: t.field({ type: 'Money', nullable: true, resolve: (row) => toScale(row.deal.profit, row.currency) }),
      swap: t.field({ type: 'Money', resolve: (row) => toScale(row.deal.swap, row.currency) }),
      commission: t.field({ type: 'Money', resolve: (row) => toScale(row.deal.commission, row.currency) }),
      fee: t.field({ type: 'Money', resolve: (row) => toScale(row.deal.fee, row.currency) }),
      state: t.int({ nullable: true, resolve: ({ deal }) => deal.state }),
      state_label: t.string({ nullable: true, resolve: (row) => stateLabel(row.platform_type, row.deal.state) }),
      symbol: t.string({ resolve: ({ deal }) => deal.symbol }),
      tp: t.string({ nullable: true, resolve: ({ deal }) => deal.tp }),
      sl: t.string({ nullable: true, resolve: ({ deal }) => deal.sl }),
      price_tp: t.string({ nullable: true, resolve: (row) => (isMt5(row) ? row.deal.tp : null) }),
      price_sl: t.string({ nullable: true, resolve: (row) => (isMt5(row) ? row.deal.sl : null) }),
      volume: t.float({ resolve: ({ deal }) => Number(deal.volume) }),
      timestamp: t.field({ type: 'Seconds', resolve: ({ deal }) => secondsOf(deal.at) }),
      opened_at: t.field({
        type: 'Seconds',
        nullable: true,
        resolve: ({ deal }) => (deal.opened_at === null ? null : secondsOf(deal.opened_at)),
      }),
      open_price: t.string({ nullable: true, resolve: ({ deal }) => queries.openPriceOf(deal) }),
      close_price: t.string({ nullable: true, resolve: ({ deal }) => (deal.entry === 0 ? null : deal.price) }),
      comment: t.string({ nullable: true, resolve: ({ deal }) => deal.comment }),
      ticket: t.string({ nullable: true, resolve: ({ deal }) => deal.position_id ?? deal.order_id }),
      deal: t.string({ nullable: true, resolve: ({ deal }) => deal.deal_id }),
      status: t.string({ nullable: true, resolve: (row) => stateLabel(row.platform_type, row.deal.state) }),
      entry: t.int({ nullable: true, resolve: (row) => (isMt5(row) ? row.deal.entry : null) }),
    }),
  })
}

function describeTotals(): void {
  const sum = (name: 'profit' | 'swap' | 'commission' | 'fee' | 'net') => (row: TotalsShape) =>
    toScale(row[name], row.currency)
  tradeTotals.implement({
    fields: (t) => ({
      count: t.exposeInt('count'),
      volume: t.float({ resolve: (row) => Number(row.volume) }),
      profit: t.field({ type: 'Money', resolve: sum('profit') }),
      swap: t.field({ type: 'Money', resolve: sum('swap') }),
      commission: t.field({ type: 'Money', resolve: sum('commission') }),
      fee: t.field({ type: 'Money', resolve: sum('fee') }),
      net: t.field({ type: 'Money', resolve: sum('net') }),
    }),
  })
}

function describeHistory(): void {
  tradeHistory.implement({
    fields: (t) => ({
      read_from: t.field({ type: 'Millis', nullable: true, resolve: ({ history }) => history?.read_from ?? null }),
      read_at: t.field({ type: 'Millis', nullable: true, resolve: ({ history }) => history?.read_at ?? null }),
      is_complete: t.boolean({ resolve: ({ history }) => history?.is_complete ?? false }),
      is_being_read: t.boolean({ resolve: ({ history, now }) => isBeingRead(history, now) }),
      failing_since: t.field({
        type: 'Millis',
        nullable: true,
        resolve: ({ history }) => history?.failing_since ?? null,
      }),
      symbols: t.stringList({
        reads: 1,
        resolve: ({ account }, _args, { read, member }) =>
          read((tx) => queries.listSymbols(tx, member, account.account_id)),
      }),
    }),
  })
}

function describePositions(): void {
  openPositions.implement({
    fields: (t) => ({
      read_at: t.expose('readAt', { type: 'Millis', nullable: true }),
      is_live: t.exposeBoolean('isLive'),
      profit: t.field({
        type: 'Money',
        resolve: ({ positions, account }) =>
          toScale(positions.reduce((sum, { profit }) => sum.plus(profit), new Big(0)).toFixed(), account.currency),
      }),
      positions: t.field({
        usualLength: 50,
        type: [openPosition],
        resolve: ({ positions, account }) => positions.map((position) => ({ position, account })),
      }),
    }),
  })
  openPosition.implement({
    fields: (t) => ({
      _id: t.id({ resolve: ({ position }) => position.id }),
      cmd: t.string({ resolve: ({ position }) => (position.side === 'buy' ? 'OP_BUY' : 'OP_SELL') }),
      symbol: t.string({ resolve: ({ position }) => position.symbol }),
      volume: t.float({ resolve: ({ position }) => Number(position.hundredths) }),
      open_price: t.string({ resolve: ({ position }) => position.openPrice }),
      current_price: t.string({ resolve: ({ position }) => position.currentPrice }),
      sl: t.string({ nullable: true, resolve: ({ position }) => position.sl }),
      tp: t.string({ nullable: true, resolve: ({ position }) => position.tp }),
      profit: t.field({
        type: 'Money',
        resolve: ({ position, account }) => toScale(position.profit, account.currency),
      }),
      swap: t.field({ type: 'Money', resolve: ({ position, account }) => toScale(position.swap, account.currency) }),
      timestamp: t.field({ type: 'Seconds', resolve: ({ position }) => position.openedAt }),
      comment: t.string({ resolve: ({ position }) => position.comment }),
    }),
  })
}
