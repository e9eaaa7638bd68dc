import { isDecimal } from '@atrium/contract/money/money.ts'
import { useState } from 'react'
import { DecimalField } from './decimal-field.tsx'

type NumberFieldProps = {
  label?: string
  'aria-label'?: string
  placeholder?: string
  description?: string
  /** Null when the field is empty. */
  value: number | null
  error?: string | undefined
  /** Uses the full width of a narrow panel. */
  isDense?: boolean
  onChange: (value: number | null) => void
}

/** Outside every valid range, so that the server refuses it: without a number, the field would be sent as empty. */
const notUnderstood = Number.MIN_SAFE_INTEGER

const textOf = (value: number | null) => (value === null || Number.isNaN(value) ? '' : String(value))
const numberOf = (text: string) => (text === '' ? null : isDecimal(text) ? Number(text) : notUnderstood)

/** A whole number: for counts and minutes, never for money. */
export function NumberField({ value, isDense = false, onChange, ...field }: NumberFieldProps) {
  const [text, setText] = useState(textOf(value))
  const isCurrent = numberOf(text) === value || (text === '' && textOf(value) === '')
  return (
    <DecimalField
      {...field}
      decimals={0}
      line={isDense ? 'between' : 'beside'}
      {...(isDense ? { size: 'xs' } : { styles: { input: { width: 160 } } })}
      value={isCurrent ? text : textOf(value)}
      onChange={(next) => {
        setText(next)
        onChange(numberOf(next))
      }}
    />
  )
}
