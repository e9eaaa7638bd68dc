import { firstPriceOf, instrumentOf } from '../simulators/metatrader/market.ts'
import type { PositionSeed, TradeSeed } from '../simulators/metatrader/seeds.ts'

const dayMs = 86_400_000

/** The costs of a trade, in currencies where they differ from dollars. */
const costs: Record<string, { swap: string; commission: string }> = {
  CNY: { swap: '-3.02', commission: '-2.51' },
  VND: { swap: '-10700', commission: '-8900' },
}
/** Symbols, with the usual move of their prices. */
const traded: [string, number][] = [
  ['EURUSD', 0.0004],
  ['GBPUSD', 0.0005],
  ['USDJPY', 0.06],
]

type Wanted = { count: number; seed: number; currency: string }

/** Plausible closed trades, deterministic for a seed: each has a price move of some tens of points. */
export function demoTrades(now: number, { count, seed, currency }: Wanted): TradeSeed[] {
  const next = randomFrom(seed)
  const { swap, commission } = costs[currency] ?? { swap: '-0.42', commission: '-0.35' }
  return Array.from({ length: count }, (_, index): TradeSeed => {
    const [symbol, step] = traded[Math.floor(next() * traded.length)] ?? ['EURUSD', 0.0004]
    const { digits } = instrumentOf(symbol)
    const openPrice = Number(firstPriceOf(symbol)) + (next() - 0.5) * step * 40
    const closePrice = openPrice + (next() - 0.46) * step * 20
    const openedAtMs = now - (count - index) * 2.1 * dayMs - next() * dayMs
    return {
      symbol,
      side: next() > 0.5 ? 'buy' : 'sell',
      lots: (0.05 + Math.floor(next() * 6) * 0.05).toFixed(2),
      openPrice: openPrice.toFixed(digits),
      closePrice: closePrice.toFixed(digits),
      openedAtMs: Math.round(openedAtMs),
      closedAtMs: Math.round(openedAtMs + next() * dayMs),
      swap: next() > 0.7 ? swap : '0',
      commission,
    }
  })
}

const openTrades: [PositionSeed['symbol'], PositionSeed['side'], string][] = [
  ['EURUSD', 'buy', '0.30'],
  ['USDJPY', 'sell', '0.10'],
  ['GBPUSD', 'sell', '0.20'],
  ['XAUUSD', 'buy', '0.05'],
  ['EURGBP', 'buy', '0.15'],
]

/** Two open trades, different for each account. */
export function demoPositions(now: number, index: number): PositionSeed[] {
  return [0.6, 1.8].map((daysAgo, place) => {
    const [symbol, side, lots] = openTrades[(index + place) % openTrades.length] ?? ['EURUSD', 'buy', '0.30']
    return { symbol, side, lots, openedAtMs: now - daysAgo * dayMs }
  })
}

/** A small linear congruential generator: the demo looks the same on every machine. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}
