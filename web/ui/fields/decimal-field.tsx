import { shownNumber } from '@atrium/contract/money/number-texts.ts'
import { TextInput, type TextInputProps } from '@mantine/core'
import { type FocusEvent, useState } from 'react'
import { useTranslation } from '../text/use-translation.ts'
import parts from './decimal-field.module.css'
import { useTypedNumber } from './use-typed-number.ts'

export type DecimalFieldProps = Omit<
  TextInputProps,
  'value' | 'onChange' | 'type' | 'inputMode' | 'maxLength' | 'error'
> & {
  /** A canonical decimal, empty, or the invalid text. */
  value: string
  onChange: (value: string) => void
  decimals: number
  unit?: string | undefined
  error?: string | undefined
  /** The text beside the field for a valid number; defaults to the number itself. */
  describe?: ((value: string, language: string) => string) | undefined
  /** Position of that text: below with reserved space, beside a narrow field, or below in the gap between rows. */
  line?: 'below' | 'beside' | 'between'
}

/**
 * A number in the reader's own format, typed or pasted; the text stays as typed, beside the parsed number or the error.
 * No character limit: a truncated number is a different number.
 */
export function DecimalField({
  value,
  onChange,
  decimals,
  unit,
  error,
  describe,
  line = 'below',
  ...rest
}: DecimalFieldProps) {
  const { t } = useTranslation()
  const { text, type, understood, refusal, language } = useTypedNumber({ value, onChange, decimals, unit })
  const [isLeft, setLeft] = useState(false)
  const said =
    understood === null ? '' : describe ? describe(understood, language) : numberBeside(text, understood, language)
  const refused = refusal && t(refusal.text, refusal.values)
  // An unfinished number is no error while it is being typed.
  const wrong = refused === null ? error : isLeft || error !== undefined ? refused : undefined
  const spoken = wrong === undefined ? ((line === 'below' ? refused : null) ?? said) : ''
  return (
    <TextInput
      autoComplete="off"
      {...rest}
      inputMode="decimal"
      value={text}
      error={wrong}
      onChange={(event) => {
        setLeft(false)
        type(event.currentTarget.value)
      }}
      onBlur={(event: FocusEvent<HTMLInputElement>) => {
        setLeft(true)
        rest.onBlur?.(event)
      }}
      inputContainer={(input) => (
        <div className={`${parts.field} ${parts[line]}`}>
          {input}
          <span className={parts.line} aria-live="polite" hidden={wrong !== undefined}>
            {spoken}
          </span>
        </div>
      )}
    />
  )
}

/** Plain digits need no repetition. */
function numberBeside(text: string, understood: string, language: string): string {
  return /^-?[0-9]{1,3}$/.test(text) ? '' : shownNumber(understood, language)
}
