import { useTranslation } from '../text/use-translation.ts'
import { DateInput } from './date-input.tsx'
import type { DaySpan } from './day-span.ts'
import parts from './day-span-fields.module.css'

/** The first and last day of a list. */
export function DaySpanFields({ span: { from, to }, onChange }: { span: DaySpan; onChange: (span: DaySpan) => void }) {
  const { t } = useTranslation()
  const pick = (name: 'from' | 'to') => (day: string) => {
    const { [name]: _, ...other } = { ...(from && { from }), ...(to && { to }) }
    onChange({ ...other, ...(day && { [name]: day }) })
  }
  const whole = { from, to, onSpan: onChange }
  return (
    <div className={parts.span}>
      <DateInput
        size="xs"
        className={parts.day ?? ''}
        aria-label={t('From')}
        placeholder={t('From')}
        value={from ?? ''}
        span={whole}
        onChange={pick('from')}
      />
      <DateInput
        size="xs"
        className={parts.day ?? ''}
        aria-label={t('Until')}
        placeholder={t('Until')}
        value={to ?? ''}
        span={whole}
        onChange={pick('to')}
      />
    </div>
  )
}
