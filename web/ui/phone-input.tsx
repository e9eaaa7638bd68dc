import { complainOfPhone } from '@atrium/contract/validators/reach.ts'
import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

type PhoneInputProps = Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'onBlur' | 'onFocus'> & {
  value: string
  onChange: (value: string) => void
}

/** A phone number as it is written; what is none is said when the field is left, and not while somebody types. */
export function PhoneInput({ value, onChange, error, ...rest }: PhoneInputProps) {
  const { t } = useTranslation()
  const [isLeft, setLeft] = useState(false)
  const complaint = isLeft ? complainOfPhone(value) : null
  return (
    <TextInput
      {...rest}
      type="tel"
      inputMode="tel"
      autoComplete="tel"
      placeholder="+356 2122 4455"
      value={value}
      error={error || (complaint && t(complaint))}
      onFocus={() => setLeft(false)}
      onBlur={() => setLeft(true)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
