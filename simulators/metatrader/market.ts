import Big from 'big.js'
import type { State } from './database.ts'

export type Instrument = {
  symbol: string
  digits: number
  contract: number
  /** The currency of prices and profits. */
  quote: string
  /** First price and largest step, in points (one unit of the last digit). */
  points: number
  step: number
  spread: number
}

const instrument = (line: string): Instrument => {
  const [symbol = '', digits, contract, quote = '', points, step, spread] = line.split(' ')
  return {
    symbol,
    quote,
    digits: Number(digits),
    contract: Number(contract),
    points: Number(points),
    step: Number(step),
    spread: Number(spread),
  }
}

/** The prices that the simulators and the demo begin with. Symbol, digits, contract size, quote currency, first price, largest step, spread. */
export const instruments: readonly Instrument[] = [
  'EURUSD 5 100000 USD 108229 6 8',
  'GBPUSD 5 100000 USD 127110 8 12',
  'AUDUSD 5 100000 USD 65240 5 9',
  'NZDUSD 5 100000 USD 60130 5 11',
  'USDJPY 3 100000 JPY 149320 9 9',
  'USDCHF 5 100000 CHF 88450 5 11',
  'USDCAD 5 100000 CAD 136510 6 12',
  'EURGBP 5 100000 GBP 85140 4 10',
  'EURJPY 3 100000 JPY 161610 11 14',
  'XAUUSD 2 100 USD 233540 35 25',
  'XAGUSD 3 5000 USD 27450 12 20',
  'US500 1 10 USD 52480 9 5',
  'BTCUSD 2 1 USD 6423500 1800 1500',
  'USDCNY 5 100000 CNY 714230 6 30',
  'USDVND 0 100000 VND 25430 2 15',
].map(instrument)

const bySymbol = new Map(instruments.map((one) => [one.symbol, one]))

export function instrumentOf(symbol: string): Instrument {
  const found = bySymbol.get(symbol)
  if (found === undefined) throw new Error(`The simulator has no symbol ${symbol}`)
  return found
}

const inUnits = (symbol: string, points: number): Big =>
  new Big(points).div(new Big(10).pow(instrumentOf(symbol).digits))

export const firstPriceOf = (symbol: string): Big => inUnits(symbol, instrumentOf(symbol).points)

/** The value of one unit of a currency in dollars. */
export function dollarsPer(currency: string, priceOf: (symbol: string) => Big = firstPriceOf): Big {
  if (currency === 'USD') return new Big(1)
  return bySymbol.has(`${currency}USD`) ? priceOf(`${currency}USD`) : new Big(1).div(priceOf(`USD${currency}`))
}

export type Market = {
  bid(symbol: string): Big
  ask(symbol: string): Big
  setBid(symbol: string, price: string): void
  tick(): void
  convert(amount: Big, from: string, to: string): Big
}

/** A random walk in whole points, without floats. */
export function openMarket(state: State, seed: number): Market {
  const points = new Map(instruments.map((one) => [one.symbol, one.points]))
  for (const row of state.all<{ symbol: string; points: number }>('select symbol, points from prices')) {
    if (points.has(row.symbol)) points.set(row.symbol, row.points)
  }
  const random = randomFrom(seed)
  const save = (symbol: string, value: number) => {
    points.set(symbol, value)
    state.run(
      'insert into prices values (?, ?) on conflict (symbol) do update set points = excluded.points',
      symbol,
      value,
    )
  }
  const scaled = (symbol: string, extra: number) => inUnits(symbol, (points.get(symbol) ?? 0) + extra)
  const bid = (symbol: string) => scaled(symbol, 0)
  return {
    bid,
    ask: (symbol) => scaled(symbol, instrumentOf(symbol).spread),
    setBid: (symbol, price) => save(symbol, Number(new Big(price).times(new Big(10).pow(instrumentOf(symbol).digits)))),
    tick: () =>
      state.atOnce(() => {
        for (const { symbol, step, points: first } of instruments) {
          const now = points.get(symbol) ?? first
          // Mean reversion keeps a long walk in a plausible range.
          const pull = ((first - now) / first) * step
          save(symbol, Math.max(1, now + Math.round((random() * 2 - 1) * step + pull)))
        }
      }),
    convert: (amount, from, to) =>
      from === to ? amount : amount.times(dollarsPer(from, bid)).div(dollarsPer(to, bid)),
  }
}

/** mulberry32: a small seedable generator, sufficient for prices. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
