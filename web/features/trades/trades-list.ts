import { limits } from '@atrium/contract/limits.ts'
import { type TradeOrder, type TradeSort, tradeOrders, tradeSorts } from '@atrium/contract/trades/calls.ts'
import type { TradesQueryVariables } from '../../api/generated/graphql.ts'
import { startOfDay, startOfDayAfter } from '../../ui/text/format.ts'

/** Filters, sorting and page of an account's trades as query parameters: text, and only those that are set. */
export type TradeFilters = { symbol: string; side: string; entry: string; from: string; to: string }
export type TradesSearch = TradeFilters & {
  sort: TradeSort
  order: TradeOrder
  page: number
  open: string | undefined
  /** A table, or a list with the detail beside it. */
  view: 'table' | 'viewer'
}

export const noTradeFilters: TradeFilters = { symbol: '', side: '', entry: '', from: '', to: '' }
const usual = { sort: 'time', order: 'desc', page: 1, view: 'table' } as const

const filterNames = Object.keys(noTradeFilters) as (keyof TradeFilters)[]
const asText = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 100) : ''
const among = <Word extends string>(words: readonly Word[], value: unknown, otherwise: Word): Word =>
  words.find((word) => word === value) ?? otherwise

/** Reads hand-typed addresses too: an invalid value counts as absent. */
export function readTradesSearch(search: Record<string, unknown>): TradesSearch {
  const filters = Object.fromEntries(filterNames.map((name) => [name, asText(search[name])])) as TradeFilters
  const page = Number(asText(search.page))
  const open = asText(search.open)
  return {
    ...filters,
    sort: among(tradeSorts, search.sort, usual.sort),
    order: among(tradeOrders, search.order, usual.order),
    page: Number.isInteger(page) && page > 0 ? page : 1,
    open: open === '' ? undefined : open,
    view: among(['table', 'viewer'], search.view, usual.view),
  }
}

/** Omits empty and default values. */
export function writeTradesSearch(search: TradesSearch): Record<string, string | number> {
  const entries = Object.entries(search).filter(
    ([name, value]) => value !== '' && value !== undefined && usual[name as keyof typeof usual] !== value,
  )
  return { tab: 'trading', ...Object.fromEntries(entries) } as Record<string, string | number>
}

export const countTradeFilters = (filters: TradeFilters) => filterNames.filter((name) => filters[name] !== '').length

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text)

/** In seconds; undefined for an invalid day. */
function secondOf(text: string, momentOf: (day: string) => number): number | undefined {
  const moment = isDay(text) ? momentOf(text) : Number.NaN
  return Number.isNaN(moment) ? undefined : Math.floor(moment / 1000)
}

/** The filter of both the list and its export. */
export function toTradeFilter({ symbol, side, entry, from, to }: TradeFilters) {
  const first = secondOf(from, startOfDay)
  const beyond = secondOf(to, startOfDayAfter)
  return {
    ...(symbol && { symbol }),
    ...((side === 'buy' || side === 'sell') && { side }),
    ...((entry === 'in' || entry === 'out') && { entry }),
    ...(first !== undefined && { from: Math.max(0, first) }),
    ...(beyond !== undefined && { to: Math.max(0, beyond - 1) }),
  }
}

export function toTradesVariables(accountId: string, search: TradesSearch): TradesQueryVariables {
  const { sort, order, page } = search
  return { trading_account: accountId, ...toTradeFilter(search), sort, order, page, limit: limits.tradesPageSize }
}

/** The facts about an account that the surrounding page supplies. */
export type TradedAccount = { _id: string; platform_type: string; currency: string; platform_login: string }
