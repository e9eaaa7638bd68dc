import { isDecimal } from '@atrium/contract/money/money.ts'
import { useState } from 'react'
import { DecimalField } from './decimal-field.tsx'

type NumberFieldProps = {
  label?: string
  'aria-label'?: string
  placeholder?: string
  description?: string
  /** Null where the field is left empty. */
  value: number | null
  error?: string | undefined
  /** In a narrow panel it is as wide as there is room. */
  isDense?: boolean
  onChange: (value: number | null) => void
}

/** Below everything that a count may be, so that the server refuses it: no number would be sent as an empty field. */
const notUnderstood = Number.MIN_SAFE_INTEGER

const textOf = (value: number | null) => (value === null || Number.isNaN(value) ? '' : String(value))
const numberOf = (kept: string) => (kept === '' ? null : isDecimal(kept) ? Number(kept) : notUnderstood)

/** A whole number, typed: counts and minutes, never money. */
export function NumberField({ value, isDense = false, onChange, ...field }: NumberFieldProps) {
  const [kept, setKept] = useState(textOf(value))
  const isKept = numberOf(kept) === value || (kept === '' && textOf(value) === '')
  return (
    <DecimalField
      {...field}
      decimals={0}
      line={isDense ? 'between' : 'beside'}
      {...(isDense ? { size: 'xs' } : { styles: { input: { width: 160 } } })}
      value={isKept ? kept : textOf(value)}
      onChange={(next) => {
        setKept(next)
        onChange(numberOf(next))
      }}
    />
  )
}
