import { toScale } from '@atrium/contract/money/money.ts'
import { sideOf, stateLabel } from '@atrium/contract/trades/calls.ts'
import Big from 'big.js'
import { readAccounts } from '../accounts/queries.ts'
import { type Actor, authorize, type Member, systemActor } from '../foundation/actor.ts'
import { type Cell, writeTable } from '../foundation/csv.ts'
import { listing, reading } from '../foundation/database/database.ts'
import { refuse } from '../foundation/errors.ts'
import { type Limit, takeTry } from '../foundation/rate-limit.ts'
import { listTradesBefore, openPriceOf, type TradeFilter, type TradeShape } from './queries.ts'

const rowsAtOnce = 1_000
/** Limits exports per member, because each may be long. */
const perMember: Limit = { name: 'trades-table', triesMax: 30, windowSeconds: 15 * 60 }

type Table = { name: string; lines: AsyncIterable<string> }

/** An account's trades as CSV, streamed page by page, so that memory use does not depend on the length. */
export async function exportTrades(member: Member, filter: TradeFilter): Promise<Table> {
  authorize(member, 'my_accounts')
  const [account] = await reading(member, (tx) => readAccounts(tx, member, [filter.accountId]))
  if (!account || account.deleted) refuse('not_found', 'There is no such account.')
  await takeTry(systemActor(member.context, member.workspaceId), perMember, member.memberId)
  const { platform_type, currency, platform_login } = account
  return { name: `trades-${platform_login}.csv`, lines: linesOf(member, filter, { platform_type, currency }) }
}

type Terms = { platform_type: string; currency: string }

export function linesOf(actor: Actor, filter: TradeFilter, terms: Terms): AsyncIterable<string> {
  const money = (name: string) => `${name} (${terms.currency})`
  const amounts = ['Profit', 'Commission', 'Swap', 'Fee'].map(money)
  const heads = [
    ...['Time (UTC)', 'Deal', 'Order', 'Symbol', 'Side', 'Entry', 'Lots', 'Open price', 'Close price', 'SL', 'TP'],
    ...amounts,
    ...['State', 'Comment'],
  ]
  return writeTable<TradeShape>(heads, async (last) => {
    const before = last ? { at: last.at, deal_id: last.deal_id } : null
    const page = await listing(actor, (tx) => listTradesBefore(tx, actor, filter, before, rowsAtOnce))
    return { rows: page.map((deal) => cellsOf(deal, terms)), next: page.length < rowsAtOnce ? null : page.at(-1) }
  })
}

/** From hundredths, with every digit: a platform may trade a thousandth of a lot. */
function lotsOf(volume: string): string {
  const lots = new Big(volume).div(100)
  return lots.toFixed(Math.max(2, lots.c.length - lots.e - 1))
}

/** A number, since a price may be below zero. */
const priceOf = (price: string | null): Cell => (price === null ? null : { amount: price })

function cellsOf(deal: TradeShape, { platform_type, currency }: Terms): Cell[] {
  const isIn = deal.entry === 0
  return [
    deal.at.toISOString().slice(0, 19).replace('T', ' '),
    deal.deal_id,
    deal.order_id,
    deal.symbol,
    sideOf(deal.cmd),
    platform_type === 'mt5' ? (isIn ? 'In' : 'Out') : '',
    lotsOf(deal.volume),
    priceOf(openPriceOf(deal)),
    priceOf(isIn ? null : deal.price),
    priceOf(deal.sl),
    priceOf(deal.tp),
    { amount: toScale(deal.profit, currency) },
    { amount: toScale(deal.commission, currency) },
    { amount: toScale(deal.swap, currency) },
    { amount: toScale(deal.fee, currency) },
    stateLabel(platform_type, deal.state),
    deal.comment,
  ]
}
