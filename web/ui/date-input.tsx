import { validatorTexts } from '@atrium/contract/validators/messages.ts'
import { TextInput, type TextInputProps } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dayPattern, readDay, writeDay } from './day-text.ts'

type DateInputProps = Omit<TextInputProps, 'value' | 'onChange' | 'onBlur' | 'type' | 'placeholder'> & {
  /** `yyyy-mm-dd`, or nothing; of a form that keeps what was typed also that. */
  value: string
  onChange: (day: string) => void
  /** What is no day is passed on as it was typed: a form keeps it and refuses it, while a filter stays as it was. */
  keepsText?: boolean
  /** What is written before the pattern where no label stands above. */
  placeholder?: string
}

/** A day typed in the order of the member's language; what is no day is said when the field is left. */
export function DateInput({ value, onChange, error, placeholder, keepsText = false, ...rest }: DateInputProps) {
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
      onBlur={({ relatedTarget }) => {
        // The button of a form says it itself, and a line that came between would move it away from under the click.
        setLeft(!(keepsText && relatedTarget instanceof HTMLButtonElement))
        const day = readDay(text)
        // Kept while the dates of its member were written in another order: it is a day by now, and looks like one.
        if (keepsText && day !== null && day !== value) onChange(day)
        else if (!isWrong) setText(writeDay(value))
      }}
      onChange={(event) => {
        const typed = event.currentTarget.value
        setText(typed)
        const day = typed.trim() === '' ? '' : (readDay(typed) ?? (keepsText ? typed : null))
        if (day !== null) onChange(day)
      }}
    />
  )
}
