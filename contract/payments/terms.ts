import { isMore, readAmount } from '../money/money.ts'
import { deskTexts } from '../staff/texts.ts'
import type { CurrencyTerms } from './providers.ts'

const percentMax = '50'
const nothing = /^0+(\.0{1,18})?$/
const percentShape = /^\d{1,2}(\.\d{1,4})?$/

/** Errors in the terms of one currency, by field; empty if valid. Used by the form and the server. */
export function wrongTerms(terms: CurrencyTerms): Partial<Record<keyof CurrencyTerms, string>> {
  const { currency, amount_min, amount_max, fee_percent, fee_fixed } = terms
  const isAmount = (text: string): boolean => 'amount' in readAmount(text.trim(), currency)
  const isFee = (text: string): boolean => nothing.test(text.trim()) || isAmount(text)
  const isPercent = percentShape.test(fee_percent.trim()) && !isMore(fee_percent.trim(), percentMax)
  const isReversed = isAmount(amount_min) && isAmount(amount_max) && isMore(amount_min.trim(), amount_max.trim())
  return {
    ...(!isAmount(amount_min) && { amount_min: deskTexts.termsAmount }),
    ...(!isAmount(amount_max) && { amount_max: deskTexts.termsAmount }),
    ...(isReversed && { amount_max: deskTexts.termsReversed }),
    ...(!isPercent && { fee_percent: deskTexts.termsPercent }),
    ...(!isFee(fee_fixed) && { fee_fixed: deskTexts.termsFee }),
  }
}

/** The name of a currency's field in the form and the server's errors. */
export const termsField = (currency: string, field: string): string => `currencies.${currency}.${field}`
