import { TextInput } from '@mantine/core'
import { useState } from 'react'

type NumberFieldProps = {
  label: string
  description?: string
  /** Null where the field is left empty. */
  value: number | null
  error?: string | undefined
  /** In a narrow panel it is as wide as there is room. */
  isDense?: boolean
  onChange: (value: number | null) => void
}

const textOf = (value: number | null) => (value === null || Number.isNaN(value) ? '' : String(value))

/** A whole number, typed: counts and minutes, never money. What is no number at all is the server's to refuse. */
export function NumberField({ value, isDense = false, onChange, ...field }: NumberFieldProps) {
  const [text, setText] = useState(textOf(value))
  const shown = Number(text) === value || (text === '' && value === null) || Number.isNaN(value) ? text : textOf(value)
  return (
    <TextInput
      {...field}
      inputMode="numeric"
      maxLength={6}
      {...(isDense ? { size: 'xs' } : { styles: { input: { width: 160 } } })}
      value={shown}
      onChange={(event) => {
        const typed = event.currentTarget.value.trim()
        setText(typed)
        onChange(typed === '' ? null : Number(typed))
      }}
    />
  )
}
