import { sideOf } from '@atrium/contract/trades/calls.ts'
import type { Meaning } from '../../ui/brand/theme.ts'
import { readerLanguage } from '../../ui/text/format.ts'
import type { Trade } from './use-trades.ts'

/** Buy and sell in the words of people, who never see the platform's prefix. */
export function sideLabel(cmd: string): string {
  return sideOf(cmd)
}

/** The wire carries hundredths of a lot. */
export function lots(volume: number, language = readerLanguage()): string {
  const shape = { minimumFractionDigits: 2, maximumFractionDigits: 4 }
  return new Intl.NumberFormat(language, shape).format(volume / 100)
}

/** In or out, where the platform tells; a reversal and a close by an opposite position end something too. */
export function entryLabel(entry: number | null | undefined): string | null {
  if (entry === null || entry === undefined) return null
  return entry === 0 ? 'In' : 'Out'
}

type Named = Pick<Trade, 'cmd' | 'volume' | 'symbol' | 'entry'>

/** "BUY 0.30 EURUSD (In)": what tells one trade from the next where there is one line for it. */
export function tradeName({ cmd, volume, symbol, entry }: Named, t: (text: string) => string): string {
  const way = entryLabel(entry)
  return [t(sideLabel(cmd)), lots(volume), symbol, way && `(${t(way)})`].filter(Boolean).join(' ')
}

type Levels = Pick<Trade, 'sl' | 'tp' | 'price_sl' | 'price_tp'>

/** MetaTrader 5 has the levels of the order in fields of its own. */
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

/** What asks for something is on its way. */
export const stateMeaning = (label: string | null | undefined): Meaning => meanings[label ?? ''] ?? 'blue'

/** What travels in seconds, for screens that count in milliseconds. */
export const fromSeconds = (seconds: number): number => seconds * 1000
