import { type Sign, signedAmount } from '../text/format.ts'
import parts from './amount.module.css'

type AmountProps = {
  amount: string | null | undefined
  currency: string
  size?: 'normal' | 'large' | 'huge'
  sign?: Sign
  /** Omits the currency, which is shown beside it already. */
  isBare?: boolean
  /** Green for a gain, red for a loss, besides the sign. */
  isResult?: boolean
  /** An amount that did not move. */
  isVoid?: boolean
}

function resultClass(amount: string): string {
  if (!/[1-9]/.test(amount)) return ''
  return (amount.startsWith('-') ? parts.loss : parts.gain) ?? ''
}

/** An amount followed by its currency in grey. An unknown amount is a dash, never a zero. */
export function Amount({
  amount,
  currency,
  size = 'normal',
  sign = 'negative',
  isBare = false,
  isResult = false,
  isVoid = false,
}: AmountProps) {
  const sizeClass = size === 'normal' ? '' : parts[size]
  if (amount === null || amount === undefined) return <span className={`${parts.amount} ${sizeClass}`}>{'\u2013'}</span>
  const result = isVoid ? parts.void : isResult ? resultClass(amount) : ''
  return (
    <span className={`${parts.amount} ${sizeClass}`}>
      <span className={result}>{signedAmount(amount, currency, isResult ? 'always' : sign)}</span>
      {!isBare && <span className={parts.currency}>{currency}</span>}
    </span>
  )
}
