import { addAmounts, isSame } from '@atrium/contract/money/money.ts'
import type { DaySum } from '@atrium/contract/reconciliation/desk-calls.ts'

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

/** True when every known side equals the portal's. */
export const agrees = ({ portal, provider, platform }: DaySum): boolean =>
  [provider, platform].every((side) => side === null || isSame(side, portal))

export const readReconciliationDay = (text: string | undefined): string | undefined =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined
