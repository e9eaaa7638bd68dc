import { toScale } from '@atrium/contract/money/money.ts'
import { stateLabel } from '@atrium/contract/trades/calls.ts'
import type * as desk from '@atrium/contract/trades/desk-calls.ts'
import Big from 'big.js'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, listing, reading } from '../foundation/database/database.ts'
import { reachableRowsMax, readPage } from '../foundation/database/paging.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { askForReading, isBeingRead, isDue, readHistory } from './history.ts'
import { readPositions } from './positions.ts'
import { listSymbols, listTradesWithSums, openPriceOf, sumTrades, type TradeShape } from './queries.ts'
import { linesOf } from './table.ts'

type Answer<Call extends { answer: z.ZodType }> = Omit<z.output<Call['answer']>, 'status'>
type Listing = z.output<(typeof desk.listAccountTrades)['input']>
type Account = Awaited<ReturnType<typeof findAccount>>

/** Any account of the workspace, archived ones included, because staff are asked about their history. */
async function findAccount(staff: Staff, accountId: string) {
  authorizeStaff(staff, 'money.read')
  const account = await reading(staff, (tx) =>
    tx
      .selectFrom('trading_accounts as account')
      .innerJoin('trading_platforms as platform', (join) =>
        join
          .onRef('platform.workspace_id', '=', 'account.workspace_id')
          .onRef('platform.platform_id', '=', 'account.platform_id'),
      )
      .select(['account.account_id', 'account.member_id', 'account.platform_id', 'account.platform_login'])
      .select(['account.currency', 'platform.type as platform_type'])
      .where('account.workspace_id', '=', staff.workspaceId)
      .where('account.account_id', '=', accountId)
      .executeTakeFirst(),
  )
  return account ?? refuseNotFound()
}

/** A member's trades as the member sees them. */
export async function listTradesAtDesk(staff: Staff, asked: Listing): Promise<Answer<typeof desk.listAccountTrades>> {
  const account = await findAccount(staff, asked.id)
  const filter = { ...asked, accountId: account.account_id }
  const page = readPage(asked, asked.limit)
  return listing(staff, async (tx) => {
    const { deals, sums } = page
      ? await listTradesWithSums(tx, staff, filter, { ...page, sort: asked.sort, order: asked.order })
      : { deals: [], sums: await sumTrades(tx, staff, filter) }
    const money = (amount: string) => toScale(amount, account.currency)
    return {
      trades: deals.map((deal) => shapeTrade(deal, account)),
      total: Math.min(sums.count, reachableRowsMax),
      totals: {
        ...{ count: sums.count, volume: Number(sums.volume), profit: money(sums.profit), swap: money(sums.swap) },
        ...{ commission: money(sums.commission), net: money(sums.net) },
      },
    }
  })
}

const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1000)

/** A MetaTrader 4 order has no separate closing deal, and no second name for its levels (`graph.ts`). */
function shapeTrade(deal: TradeShape, { currency, platform_type }: Account): z.output<typeof desk.deskTrade> {
  const isMt5 = platform_type === 'mt5'
  return {
    _id: deal.deal_id,
    deal: deal.deal_id,
    order: deal.order_id,
    ticket: deal.position_id ?? deal.order_id,
    cmd: deal.cmd,
    entry: isMt5 ? deal.entry : null,
    symbol: deal.symbol,
    volume: Number(deal.volume),
    open_price: openPriceOf(deal),
    close_price: deal.entry === 0 ? null : deal.price,
    tp: deal.tp,
    sl: deal.sl,
    price_tp: isMt5 ? deal.tp : null,
    price_sl: isMt5 ? deal.sl : null,
    profit: toScale(deal.profit, currency),
    swap: toScale(deal.swap, currency),
    commission: toScale(deal.commission, currency),
    state: deal.state,
    state_label: stateLabel(platform_type, deal.state),
    timestamp: secondsOf(deal.at),
    opened_at: deal.opened_at === null ? null : secondsOf(deal.opened_at),
    comment: deal.comment,
  }
}

export async function readHistoryAtDesk(
  staff: Staff,
  accountId: string,
): Promise<Answer<typeof desk.readAccountHistory>['history']> {
  const account = await findAccount(staff, accountId)
  const find = () => reading(staff, (tx) => readHistory(tx, staff, account.account_id))
  const now = staff.context.clock.now()
  let history = await find()
  if (isDue(history, now)) {
    await askForReading(staff, account)
    history = await find()
  }
  return {
    read_from: history?.read_from?.getTime() ?? null,
    read_at: history?.read_at?.getTime() ?? null,
    is_complete: history?.is_complete ?? false,
    is_being_read: isBeingRead(history, now),
    failing_since: history?.failing_since?.getTime() ?? null,
    symbols: await reading(staff, (tx) => listSymbols(tx, staff, account.account_id)),
  }
}

export async function listPositionsAtDesk(
  staff: Staff,
  accountId: string,
): Promise<Answer<typeof desk.listAccountPositions>> {
  const account = await findAccount(staff, accountId)
  const { positions, readAt, isLive } = await readPositions(staff, account)
  const money = (amount: string) => toScale(amount, account.currency)
  return {
    read_at: readAt?.getTime() ?? null,
    is_live: isLive,
    profit: money(positions.reduce((sum, { profit }) => sum.plus(profit), new Big(0)).toFixed()),
    positions: positions.map((position) => ({
      _id: position.id,
      cmd: position.side === 'buy' ? 'OP_BUY' : 'OP_SELL',
      symbol: position.symbol,
      volume: Number(position.hundredths),
      open_price: position.openPrice,
      current_price: position.currentPrice,
      sl: position.sl,
      tp: position.tp,
      profit: money(position.profit),
      swap: money(position.swap),
      timestamp: position.openedAt,
      comment: position.comment,
    })),
  }
}

/** The same trades as CSV. The export is audited first, with its account and filters. */
export async function exportTradesAtDesk(staff: Staff, asked: z.output<(typeof desk.exportAccountTrades)['input']>) {
  const account = await findAccount(staff, asked.id)
  const { id: _, ...filter } = asked
  await inTransaction(staff, (tx) =>
    audit(tx, staff, {
      action: 'trades.exported',
      subject: { kind: 'trading_account', id: account.account_id },
      memberId: account.member_id,
      after: { login: account.platform_login, ...filter },
    }),
  )
  const name = `trades-${account.platform_login}.csv`
  return { name, lines: linesOf(staff, { ...filter, accountId: account.account_id }, account) }
}
