import { addAmounts, isSame } from '@atrium/contract/money/money.ts'
import type { DaySum } from '@atrium/contract/reconciliation/desk-calls.ts'
import { placeOf } from '../../ui/charts/short-amount.ts'

export type Gross = { currency: string; portal: string; provider: string | null; platform: string | null }

const withoutSign = (amount: string): string => amount.replace(/^-/, '')

/** Turnover per currency, regardless of sign; the platform's is null if any of its sums is unknown. */
export function grossOf(sums: readonly DaySum[]): Gross[] {
  const byCurrency = Map.groupBy(sums, ({ currency }) => currency)
  return [...byCurrency].map(([currency, rows]) => {
    const provided = rows.flatMap(({ provider }) => (provider === null ? [] : [withoutSign(provider)]))
    const isKnown = rows.every(({ platform }) => platform !== null)
    return {
      currency,
      portal: rows.reduce((sum, { portal }) => addAmounts(sum, withoutSign(portal)), '0'),
      provider: provided.length === 0 ? null : provided.reduce(addAmounts, '0'),
      platform: isKnown ? rows.reduce((sum, { platform }) => addAmounts(sum, withoutSign(platform ?? '0')), '0') : null,
    }
  })
}

/** One scale per currency for the bars of a page: the longest bar is its largest day. */
export function largestOf(days: readonly { sums: readonly DaySum[] }[]): Map<string, number> {
  const largest = new Map<string, number>()
  for (const { currency, ...sides } of days.flatMap(({ sums }) => grossOf(sums)))
    largest.set(
      currency,
      Math.max(largest.get(currency) ?? 0, ...Object.values(sides).map((side) => placeOf(side ?? '0'))),
    )
  return largest
}

/** True when every known side equals the portal's. */
export const agrees = ({ portal, provider, platform }: DaySum): boolean =>
  [provider, platform].every((side) => side === null || isSame(side, portal))
