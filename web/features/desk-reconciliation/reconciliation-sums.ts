import { addAmounts, isSame } from '@atrium/contract/money/money.ts'
import type { DaySum } from '@atrium/contract/reconciliation/desk-calls.ts'

export type Gross = { currency: string; portal: string; provider: string | null; platform: string | null }

const withoutSign = (amount: string): string => amount.replace(/^-/, '')

/** How much moved in each currency, whichever way; a side that does not know a part of it does not know it. */
export function grossOf(sums: readonly DaySum[]): Gross[] {
  const byCurrency = Map.groupBy(sums, ({ currency }) => currency)
  return [...byCurrency].map(([currency, rows]) => {
    const told = rows.flatMap(({ provider }) => (provider === null ? [] : [withoutSign(provider)]))
    const isKnown = rows.every(({ platform }) => platform !== null)
    return {
      currency,
      portal: rows.reduce((sum, { portal }) => addAmounts(sum, withoutSign(portal)), '0'),
      provider: told.length === 0 ? null : told.reduce(addAmounts, '0'),
      platform: isKnown ? rows.reduce((sum, { platform }) => addAmounts(sum, withoutSign(platform ?? '0')), '0') : null,
    }
  })
}

/** All sides that say something say the same. */
export const agrees = ({ portal, provider, platform }: DaySum): boolean =>
  [provider, platform].every((side) => side === null || isSame(side, portal))

export const readReconciliationDay = (text: string | undefined): string | undefined =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined
