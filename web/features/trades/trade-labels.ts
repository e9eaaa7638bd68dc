import { sideOf } from '@atrium/contract/trades/calls.ts'
import type { Meaning } from '../../ui/brand/theme.ts'
import { readerLanguage } from '../../ui/text/format.ts'
import type { Trade } from './use-trades.ts'

/** "Buy" or "Sell", without the platform's prefix. */
export function sideLabel(cmd: string): string {
  return sideOf(cmd)
}

/** The wire carries hundredths of a lot. */
export function lots(volume: number, language = readerLanguage()): string {
  const shape = { minimumFractionDigits: 2, maximumFractionDigits: 4 }
  return new Intl.NumberFormat(language, shape).format(volume / 100)
}

/** In or out, if the platform reports it; a reversal and a close by an opposite position count as out. */
export function entryLabel(entry: number | null | undefined): string | null {
  if (entry === null || entry === undefined) return null
  return entry === 0 ? 'In' : 'Out'
}

type Named = Pick<Trade, 'cmd' | 'volume' | 'symbol' | 'entry'>

/** "BUY 0.30 EURUSD (In)": identifies a trade in one line. */
export function tradeName({ cmd, volume, symbol, entry }: Named, t: (text: string) => string): string {
  const way = entryLabel(entry)
  return [t(sideLabel(cmd)), lots(volume), symbol, way && `(${t(way)})`].filter(Boolean).join(' ')
}

type Levels = Pick<Trade, 'sl' | 'tp' | 'price_sl' | 'price_tp'>

/** MetaTrader 5 has separate fields for the order's stop loss and take profit. */
export function levelsOf(trade: Levels, platform: string): { sl: string | null; tp: string | null } {
  return platform === 'mt5'
    ? { sl: trade.price_sl ?? null, tp: trade.price_tp ?? null }
    : { sl: trade.sl ?? null, tp: trade.tp ?? null }
}

const meanings: Record<string, Meaning> = {
  Open: 'blue',
  Closed: 'green',
  Filled: 'green',
  Partial: 'amber',
  Started: 'amber',
  Placed: 'amber',
  Rejected: 'red',
  Canceled: 'grey',
  Expired: 'grey',
}

/** A state without an entry counts as in progress. */
export const stateMeaning = (label: string | null | undefined): Meaning => meanings[label ?? ''] ?? 'blue'

/** The wire has seconds; screens count in milliseconds. */
export const fromSeconds = (seconds: number): number => seconds * 1000
