import { serverNow } from '../../api/transport.ts'
import '@mantine/dates/styles.layer.css'
import { isDay } from '@atrium/contract/validators/dates.ts'
import { UnstyledButton } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { dayIn, readerLanguage } from '../text/format.ts'
import { useTranslation } from '../text/use-translation.ts'
import parts from './day-calendar.module.css'
import { type DayPreset, dayPresets, type PickedSpan, placeInSpan, spanPresets } from './day-presets.ts'

type DayCalendarProps = {
  value: string
  onPick: (day: string) => void
  span: PickedSpan | undefined
  onPreset: (preset: DayPreset) => void
}

/** The first day of the week by locale; browsers without the data use Monday, as ISO does. */
function firstDayOfWeek(language: string) {
  const locale = new Intl.Locale(language) as Intl.Locale & { getWeekInfo?: () => { firstDay: number } }
  return ((locale.getWeekInfo?.().firstDay ?? 1) % 7) as 0 | 1 | 2 | 3 | 4 | 5 | 6
}

/** The browser's own date names, since the library would load a file per language. */
function formats(language: string) {
  const inWords = (shape: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(language, { ...shape, calendar: 'gregory', timeZone: 'UTC' })
    return (day: string) => format.format(new Date(`${day.slice(0, 10)}T00:00:00Z`))
  }
  return {
    monthLabelFormat: inWords({ month: 'long', year: 'numeric' }),
    monthsListFormat: inWords({ month: 'short' }),
    weekdayFormat: inWords({ weekday: 'short' }),
    getDayAriaLabel: inWords({ dateStyle: 'full' }),
  }
}

/** A month to pick a day from, with frequent choices beside it. */
export function DayCalendar({ value, onPick, span, onPreset }: DayCalendarProps) {
  const { t } = useTranslation()
  const language = readerLanguage()
  const today = dayIn(serverNow())
  const chosen = isDay(value) ? value : null
  return (
    <div className={parts.calendar} data-group="md" data-nowrap>
      <div className={parts.presets}>
        {(span ? spanPresets : dayPresets)(today).map((preset) => (
          <UnstyledButton
            key={preset.label}
            className={parts.preset ?? ''}
            // Escape closes the calendar, not the dialog around it.
            data-mantine-stop-propagation
            onClick={() => onPreset(preset)}
          >
            {t(preset.label)}
          </UnstyledButton>
        ))}
      </div>
      <DatePicker
        value={chosen}
        defaultDate={chosen ?? today}
        onChange={(day) => day !== null && onPick(day)}
        getDayProps={(day) => ({
          ...(day === today && { 'aria-current': 'date' as const }),
          ...(span && placeInSpan(span, day)),
        })}
        // Days of other months would be too faint to read.
        hideOutsideDates
        highlightToday
        // Red weekend days would be illegible on a selected span.
        weekendDays={[]}
        firstDayOfWeek={firstDayOfWeek(language)}
        {...formats(language)}
        ariaLabels={{
          previousMonth: t('Previous month'),
          nextMonth: t('Next month'),
          previousYear: t('Previous year'),
          nextYear: t('Next year'),
          previousDecade: t('Previous decade'),
          nextDecade: t('Next decade'),
        }}
        __stopPropagation
      />
    </div>
  )
}
