import Big from 'big.js'
import { instrumentOf, type Market } from './market.ts'

export type Trade = {
  symbol: string
  side: 'buy' | 'sell'
  openPrice: string
  lots: Big
  storage: string
  commission?: string
}
type Terms = { balance: string; credit: string; leverage: number; currency: string; digits: number }

/** In the account's currency; each trade is rounded separately, as on the platform. */
export type AccountMetrics = {
  profit: Big
  storage: Big
  floating: Big
  margin: Big
  equity: Big
  marginFree: Big
}

/** The current closing price of a trade. */
export function tradePrice(market: Market, { symbol, side }: Trade): Big {
  return side === 'buy' ? market.bid(symbol) : market.ask(symbol)
}

export function tradeProfit(
  market: Market,
  trade: Trade,
  { currency, digits }: Pick<Terms, 'currency' | 'digits'>,
): Big {
  return profitAt(market, { ...trade, closePrice: tradePrice(market, trade), currency, digits })
}

type Closed = Pick<Trade, 'symbol' | 'side' | 'openPrice' | 'lots'> & Pick<Terms, 'currency' | 'digits'>

export function profitAt(market: Market, trade: Closed & { closePrice: Big | string }): Big {
  const { contract, quote } = instrumentOf(trade.symbol)
  const moved = new Big(trade.closePrice).minus(trade.openPrice).times(trade.side === 'buy' ? 1 : -1)
  return market.convert(moved.times(contract).times(trade.lots), quote, trade.currency).round(trade.digits)
}

export function openTradeMetrics(market: Market, terms: Terms, trades: readonly Trade[]): AccountMetrics {
  let profit = new Big(0)
  let storage = new Big(0)
  let margin = new Big(0)
  for (const trade of trades) {
    const { contract, quote } = instrumentOf(trade.symbol)
    profit = profit.plus(tradeProfit(market, trade, terms))
    storage = storage.plus(trade.storage).plus(trade.commission ?? 0)
    const notional = new Big(trade.openPrice).times(contract).times(trade.lots)
    margin = margin.plus(market.convert(notional, quote, terms.currency).div(terms.leverage).round(terms.digits))
  }
  const floating = profit.plus(storage)
  const equity = new Big(terms.balance).plus(terms.credit).plus(floating)
  return { profit, storage, floating, margin, equity, marginFree: equity.minus(margin) }
}
