import { shownNumber } from '@atrium/contract/money/number-texts.ts'
import { TextInput, type TextInputProps } from '@mantine/core'
import { type FocusEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import parts from './decimal-field.module.css'
import { useTypedNumber } from './use-typed-number.ts'

export type DecimalFieldProps = Omit<
  TextInputProps,
  'value' | 'onChange' | 'type' | 'inputMode' | 'maxLength' | 'error'
> & {
  /** A canonical decimal, nothing, or what was not understood. */
  value: string
  onChange: (value: string) => void
  decimals: number
  unit?: string | undefined
  error?: string | undefined
  /** What is said beside the field of the number that was understood; as the number itself without it. */
  says?: ((value: string, language: string) => string) | undefined
  /** Where it is said: below, where room is kept for it; beside a narrow field; or below in the space between rows. */
  line?: 'below' | 'beside' | 'between'
}

/**
 * A number, typed or pasted as its reader writes numbers. The text stays as it was typed; what was understood by it stands
 * beside it, and so does why it was not. Without a limit of characters: a number that is cut is another number.
 */
export function DecimalField({
  value,
  onChange,
  decimals,
  unit,
  error,
  says,
  line = 'below',
  ...rest
}: DecimalFieldProps) {
  const { t } = useTranslation()
  const { text, type, understood, refusal, language } = useTypedNumber({ value, onChange, decimals, unit })
  const [isLeft, setLeft] = useState(false)
  const said = understood === null ? '' : says ? says(understood, language) : numberBeside(text, understood, language)
  const refused = refusal && t(refusal.text, refusal.values)
  // While somebody types, a number that is not finished is no mistake.
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

/** Plain digits mean what they are. */
function numberBeside(text: string, understood: string, language: string): string {
  return /^-?[0-9]{1,3}$/.test(text) ? '' : shownNumber(understood, language)
}
