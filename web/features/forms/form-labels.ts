import type { FieldOption, FormField } from '@atrium/contract/forms/definition.ts'
import { formLimits } from '@atrium/contract/forms/form-limits.ts'
import { countryCodes } from '@atrium/contract/members/countries.ts'
import { fiatCodes } from '@atrium/contract/money/currencies.ts'
import { shownPhone } from '@atrium/contract/validators/phone.ts'
import { serverNow } from '../../api/transport.ts'
import { calendarDay, dayIn, listInWords, numberText, readerLanguage, readerTimeZone } from '../../ui/text/format.ts'

/** The time zone that defines "today"; sent with the answers, so that the server validates by the same day. */
export const formZone = (): string => readerTimeZone() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone

export const formDay = (now = serverNow(), zone = formZone()): string => dayIn(now, zone)

/** `14:30` in 12-hour or 24-hour format. */
export function clockText(time: string, format: '12' | '24' = '24', language = readerLanguage()): string {
  const at = new Date(`2000-01-01T${time}:00Z`)
  if (Number.isNaN(at.getTime())) return time
  const hourCycle = format === '12' ? ('h12' as const) : ('h23' as const)
  const hour = format === '12' ? ('numeric' as const) : ('2-digit' as const)
  return new Intl.DateTimeFormat(language, { hour, minute: '2-digit', hourCycle, timeZone: 'UTC' }).format(at)
}

export function timeSlots(format: '12' | '24' = '24'): FieldOption[] {
  const count = (24 * 60) / formLimits.timeSlotMinutes
  return Array.from({ length: count }, (_, index) => {
    const minutes = index * formLimits.timeSlotMinutes
    const value = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
    return { value, label: clockText(value, format) }
  })
}

/** Countries or currencies: those of the form, or all, named in the reader's language. */
export function choicesOf({ type, options }: FormField, language = readerLanguage()): FieldOption[] {
  if (type === 'country') return named(options, countryCodes, (code) => nameOf('region', code, language))
  if (type === 'currency')
    return named(options, fiatCodes, (code) => {
      const name = nameOf('currency', code, language)
      return name === code ? code : `${code} \u00b7 ${name}`
    })
  return options
}

function named(options: readonly FieldOption[], codes: readonly string[], nameFor: (code: string) => string) {
  if (options.length > 0) return [...options]
  const all = codes.map((value) => ({ value, label: nameFor(value) }))
  return all.sort((left, right) => left.label.localeCompare(right.label))
}

const nameOf = (type: 'region' | 'currency', code: string, language: string): string =>
  new Intl.DisplayNames([language], { type, fallback: 'code' }).of(code) ?? code

/** Names for ids in answers: file names, account numbers. */
export type Named = { files: readonly { _id: string; name: string }[]; labels: Readonly<Record<string, string>> }

/** An answer as readable text; null if it is empty or not displayed. */
export function answerText(
  field: FormField,
  value: unknown,
  { labels, files }: Named,
  t: (text: string) => string,
): string | null {
  if (typeof value === 'boolean') return t(value ? 'Yes' : 'No')
  if (Array.isArray(value)) return value.length === 0 ? null : listInWords(value.map((one) => labelOf(field, `${one}`)))
  if (isSpan(value)) return `${calendarDay(value.from)} \u2013 ${calendarDay(value.to)}`
  if (typeof value !== 'string' || value === '') return null
  if (field.type === 'date') return calendarDay(value)
  if (field.type === 'time') return clockText(value, field.config.format)
  if (field.type === 'decimal' || field.type === 'formula') return numberText(value)
  if (field.type === 'phone') return shownPhone(value)
  if (field.type === 'yes_no') return t(value === 'yes' ? 'Yes' : 'No')
  if (field.type === 'trading_account' || field.type === 'bank_account') return labels[value] ?? value
  if (field.type === 'file' || field.type === 'signature')
    return files.find(({ _id }) => _id === value)?.name ?? t('This file no longer exists.')
  return labelOf(field, value)
}

const isSpan = (value: unknown): value is { from: string; to: string } =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value

const labelOf = (field: FormField, value: string): string =>
  choicesOf(field).find((choice) => choice.value === value)?.label ?? value
