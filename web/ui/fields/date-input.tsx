import { validatorTexts } from '@atrium/contract/validators/messages.ts'
import { ActionIcon, Loader, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Boundary } from '../feedback/boundary.tsx'
import { LazyPopover } from '../lazy/lazy-popover.tsx'
import { dayPattern, readDay, writeDay } from '../text/day-text.ts'
import { useTranslation } from '../text/use-translation.ts'
import type { PickedSpan } from './day-presets.ts'

const DayCalendar = lazy(async () => ({ default: (await import('./day-calendar.tsx')).DayCalendar }))

/** The span that this day begins or ends: the calendar can set both days in one step. */
export type WholeSpan = PickedSpan & { onSpan: (span: { from: string; to: string }) => void }

type DateInputProps = Omit<TextInputProps, 'value' | 'onChange' | 'onBlur' | 'type' | 'placeholder'> & {
  /** `yyyy-mm-dd` or empty; with `keepsText`, also invalid text. */
  value: string
  onChange: (day: string) => void
  /** Passes invalid text on, so that a form can refuse it; otherwise the value is unchanged, as a filter needs. */
  keepsText?: boolean
  /** Shown before the date pattern, if the field has no label. */
  placeholder?: string
  span?: WholeSpan | undefined
}

/** A day typed in the order of the member's language; an invalid one is reported when the field loses focus. */
export function DateInput({ value, onChange, error, placeholder, keepsText = false, span, ...rest }: DateInputProps) {
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
      rightSection={
        !rest.disabled &&
        !rest.readOnly && (
          <CalendarButton
            value={readDay(text) ?? ''}
            span={span}
            onPick={(day) => {
              setText(writeDay(day))
              onChange(day)
            }}
          />
        )
      }
      error={error ?? (isLeft && isWrong && t(validatorTexts.date))}
      onFocus={() => setLeft(false)}
      onBlur={({ currentTarget, relatedTarget }) => {
        // A button of the form reports it itself, and a new error line would move the button away during the click.
        const isCalendar = currentTarget.parentElement?.contains(relatedTarget)
        setLeft(!(keepsText && relatedTarget instanceof HTMLButtonElement && !isCalendar))
        const day = readDay(text)
        // The text was typed under another date format; it is a valid day now.
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

type CalendarButtonProps = { value: string; span: WholeSpan | undefined; onPick: (day: string) => void }

function CalendarButton({ value, span, onPick }: CalendarButtonProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <LazyPopover
      isOpen={isOpen}
      setOpen={setOpen}
      trigger={
        <ActionIcon size={28} aria-label={t('Open calendar')} onClick={() => setOpen(!isOpen)}>
          <IconCalendar size={16} stroke={1.5} />
        </ActionIcon>
      }
      p="sm"
      aria-label={t('Calendar')}
    >
      <Boundary fallback={t('The calendar could not be loaded. Please type the date.')}>
        <Suspense fallback={<Loader size="sm" aria-label={t('Loading')} />}>
          <DayCalendar
            value={value}
            span={span}
            onPick={(day) => {
              onPick(day)
              setOpen(false)
            }}
            onPreset={(preset) => {
              if (span) span.onSpan({ from: preset.from, to: preset.to })
              else onPick(preset.from)
              setOpen(false)
            }}
          />
        </Suspense>
      </Boundary>
    </LazyPopover>
  )
}
