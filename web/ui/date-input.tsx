import { validatorTexts } from '@atrium/contract/validators/messages.ts'
import { TextInput, type TextInputProps } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dayPattern, readDay, writeDay } from './day-text.ts'

type DateInputProps = Omit<TextInputProps, 'value' | 'onChange' | 'onBlur' | 'type' | 'placeholder'> & {
  /** `yyyy-mm-dd`, or nothing. */
  value: string
  onChange: (day: string) => void
  /** What is written before the pattern where no label stands above. */
  placeholder?: string
}

/** A day typed in the order of the member's language; what is no day is said when the field is left. */
export function DateInput({ value, onChange, error, placeholder, ...rest }: DateInputProps) {
  const { t } = useTranslation()
  const [text, setText] = useState(() => writeDay(value))
  const [isLeft, setLeft] = useState(false)
  useEffect(() => setText((before) => (readDay(before) === (value || null) ? before : writeDay(value))), [value])
  const isWrong = text.trim() !== '' && readDay(text) === null
  return (
    <TextInput
      {...rest}
      value={text}
      inputMode="numeric"
      autoComplete="off"
      placeholder={[placeholder, dayPattern()].filter(Boolean).join(' ')}
      error={error ?? (isLeft && isWrong && t(validatorTexts.date))}
      onFocus={() => setLeft(false)}
      onBlur={() => {
        setLeft(true)
        if (!isWrong) setText(writeDay(value))
      }}
      onChange={(event) => {
        const typed = event.currentTarget.value
        setText(typed)
        const day = typed.trim() === '' ? '' : readDay(typed)
        if (day !== null) onChange(day)
      }}
    />
  )
}
