import { countryCodes } from '../members/countries.ts'
import { fiatCodes } from '../money/currencies.ts'
import { isMore } from '../money/money.ts'
import { numberSentence, shownNumber } from '../money/number-texts.ts'
import { decimalsMax, type NumberShape, readTypedNumber } from '../money/typed-number.ts'
import { texts } from '../texts.ts'
import { normalizeBic, normalizeIban, validateBic, validateIban } from '../validators/bank.ts'
import { isDay, validateDate } from '../validators/dates.ts'
import { isBlank, validatorTexts } from '../validators/messages.ts'
import { validateDecimal } from '../validators/numbers.ts'
import { readPhone } from '../validators/phone.ts'
import { validateCount } from '../validators/presence.ts'
import { normalizeEmail, validateEmail, validateLink } from '../validators/reach.ts'
import type { FieldOption, FormField } from './definition.ts'
import { answerKindOf } from './field-settings.ts'
import { dayFrom } from './form-days.ts'
import { formLimits } from './form-limits.ts'
import { fillIn, formTexts } from './form-texts.ts'
import { isStorable } from './storable.ts'

export type DaySpan = { from: string; to: string }
export type AnswerValue = string | boolean | string[] | DaySpan

/** The entered value in its stored form, blank, or the reason for its rejection. */
export type ReadAnswer = { value: AnswerValue } | { isBlank: true } | { wrong: string }

const blank: ReadAnswer = { isBlank: true }
const wrong = (text: string): ReadAnswer => ({ wrong: text })

/**
 * Parses an answer by its field's type, numbers in the given language. `validateAnswer` then checks the field's limits.
 */
export function readAnswer(field: FormField, raw: unknown, language?: string): ReadAnswer {
  const kind = answerKindOf(field.type)
  if (kind === 'flag') return readFlag(raw)
  if (isBlank(raw)) return blank
  if (kind === 'choices' || kind === 'ids') return readList(field, raw)
  if (kind === 'span') return readSpan(raw)
  if (typeof raw !== 'string' || kind === 'none' || kind === 'computed') return wrong(texts.valueRefused)
  if (raw.length > formLimits.textareaCharsMax) return wrong(tooLong(charsMaxOf(field)))
  if (!isStorable(raw)) return wrong(texts.textUnreadable)
  return kind === 'number' ? readNumber(raw.trim(), language) : readText(field, kind, raw)
}

function readText(field: FormField, kind: string, raw: string): ReadAnswer {
  const text = raw.trim()
  if (kind === 'choice') return allowedValues(field).has(text) ? { value: text } : wrong(formTexts.choice)
  if (kind === 'day') return validateDate(text) ? wrong(validatorTexts.date) : { value: text }
  if (kind === 'clock') return isSlot(text) ? { value: text } : wrong(formTexts.timeSlot)
  if (kind === 'id') return isId(text) ? { value: text.toLowerCase() } : wrong(texts.valueRefused)
  if (field.type === 'email') return { value: normalizeEmail(raw) }
  if (field.type === 'phone') return readPhoneAnswer(raw)
  if (field.type === 'iban') return { value: normalizeIban(raw) }
  if (field.type === 'bic') return { value: normalizeBic(raw) }
  const isPlain = field.type === 'text' || field.type === 'textarea' || field.type === 'hidden'
  // Free text is preserved verbatim.
  return { value: isPlain ? raw : text }
}

/** Decimal text is taken as it is; anything else is parsed as typed, where a comma may be a decimal or grouping mark. */
function readNumber(text: string, language: string | undefined): ReadAnswer {
  if (validateDecimal(text) === null) return { value: text }
  const shapeIn = (known: string): NumberShape => ({ language: known, decimals: decimalsMax })
  // Without a language, a text that English and German parse differently is ambiguous.
  const [read, other] = [language ?? 'en', language ?? 'de'].map((known) => readTypedNumber(text, shapeIn(known)))
  if (read && other && 'value' in read && 'value' in other)
    return read.value === other.value ? { value: read.value } : wrong(validatorTexts.decimal)
  if (!read || !('problem' in read) || read.problem.kind !== 'ambiguous') return wrong(validatorTexts.decimal)
  const said = numberSentence(read.problem, text, shapeIn(language ?? 'en'))
  return wrong(said ? fillIn(said.text, said.values) : validatorTexts.decimal)
}

function readPhoneAnswer(raw: string): ReadAnswer {
  const read = readPhone(raw)
  return 'number' in read ? { value: read.number } : wrong(read.problem)
}

/** Checkbox encodings of HTML forms and PHP. */
const ticks: Readonly<Record<string, boolean>> = { true: true, on: true, 1: true, false: false, off: false, 0: false }

/** An unticked box counts as the answer no. */
function readFlag(raw: unknown): ReadAnswer {
  if (raw === undefined || raw === null || raw === '') return { value: false }
  const ticked = typeof raw === 'string' && Object.hasOwn(ticks, raw) ? ticks[raw] : raw
  return typeof ticked === 'boolean' ? { value: ticked } : wrong(texts.valueRefused)
}

/** HTML forms send a list of one as a single value. */
function readList(field: FormField, entered: unknown): ReadAnswer {
  const raw = typeof entered === 'string' ? [entered] : entered
  if (!Array.isArray(raw) || !raw.every((entry) => typeof entry === 'string')) return wrong(texts.valueRefused)
  if (raw.length > formLimits.optionsMax)
    return wrong(texts.entriesTooMany.replace('{{count}}', `${formLimits.optionsMax}`))
  const chosen = new Set<string>(raw)
  if (chosen.size < raw.length) return wrong(validatorTexts.duplicate)
  if (answerKindOf(field.type) === 'ids')
    return raw.every(isId) ? { value: raw.map((id) => id.toLowerCase()) } : wrong(texts.valueRefused)
  const inOrder = [...allowedValues(field)].filter((value) => chosen.has(value))
  return inOrder.length === chosen.size ? { value: inOrder } : wrong(formTexts.choice)
}

function readSpan(raw: unknown): ReadAnswer {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return wrong(texts.valueRefused)
  if (!Object.keys(raw).every((name) => name === 'from' || name === 'to')) return wrong(texts.valueRefused)
  const dayOf = (name: string): unknown => (Object.hasOwn(raw, name) ? (raw as Record<string, unknown>)[name] : '')
  const [from, to] = [dayOf('from'), dayOf('to')]
  if (isBlank(from) && isBlank(to)) return blank
  if (typeof from !== 'string' || typeof to !== 'string' || !isDay(from) || !isDay(to))
    return wrong(validatorTexts.date)
  return from > to ? wrong(formTexts.rangeBackwards) : { value: { from, to } }
}

const isId = (text: string): boolean => /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/.test(text)

/** A slot of the day: 00:00, 00:30 and so on to 23:30. */
function isSlot(text: string): boolean {
  if (!/^[0-9]{2}:[0-9]{2}$/.test(text)) return false
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return hours < 24 && minutes < 60 && minutes % formLimits.timeSlotMinutes === 0
}

const known: Readonly<Record<string, ReadonlySet<string>>> = {
  country: new Set(countryCodes),
  currency: new Set(fiatCodes),
  yes_no: new Set(['yes', 'no']),
}

/** The possible choices, in display order. */
export function allowedValues({ type, options }: FormField): ReadonlySet<string> {
  const ofType = Object.hasOwn(known, type) ? known[type] : undefined
  if (ofType && options.length === 0) return ofType
  const values = valuesOfOptions.get(options) ?? new Set(options.map(({ value }) => value))
  valuesOfOptions.set(options, values)
  return values
}

/** Cached, since definitions are immutable and each key press asks again. */
const valuesOfOptions = new WeakMap<readonly FieldOption[], ReadonlySet<string>>()

/** The errors of a parsed answer, as shown to the member. */
export function validateAnswer(field: FormField, value: AnswerValue, today: string, language?: string): string[] {
  const said = Array.isArray(value) ? validateList(field, value) : validateOne(field, value, today, language)
  return said.filter((text) => text !== null)
}

type Problems = (string | null)[]

function validateOne(field: FormField, value: string | boolean | DaySpan, today: string, language?: string): Problems {
  if (typeof value === 'boolean') return []
  if (typeof value === 'object')
    return [...validateDay(field, value.from, today), ...validateDay(field, value.to, today)]
  const kind = answerKindOf(field.type)
  if (kind === 'number') return validateNumber(field, value, language)
  if (kind === 'day') return validateDay(field, value, today)
  return kind === 'text' ? validateText(field, value) : []
}

function validateText(field: FormField, value: string): Problems {
  const { type } = field
  if (type === 'email') return [validateEmail(value)]
  if (type === 'iban') return [validateIban(value)]
  if (type === 'bic') return [validateBic(value)]
  if (type === 'link') return [validateLink(value)]
  const most = charsMaxOf(field)
  return value.length > most ? [tooLong(most)] : []
}

const charsMaxOf = ({ type, config }: FormField): number =>
  config.chars_max ?? (type === 'textarea' ? formLimits.textareaCharsMax : formLimits.textCharsMax)

function validateNumber({ type, config }: FormField, value: string, language?: string): Problems {
  const { min, max, decimals = type === 'number' ? 0 : formLimits.decimalsMax } = config
  const limit = (text: string) => (language === undefined ? text : shownNumber(text, language))
  const places = value.split('.')[1]?.length ?? 0
  return [
    places <= decimals
      ? null
      : type === 'number'
        ? validatorTexts.decimal
        : withCount(formTexts.decimalsTooMany, decimals),
    min !== undefined && isMore(min, value) ? fillIn(formTexts.numberSmallest, { min: limit(min) }) : null,
    max !== undefined && isMore(value, max) ? fillIn(formTexts.numberLargest, { max: limit(max) }) : null,
  ]
}

function validateDay({ config }: FormField, day: string, today: string): Problems {
  const first = dayFrom(config.min_date, today)
  const last = dayFrom(config.max_date, today)
  return [
    first !== null && day < first ? fillIn(formTexts.dateEarliest, { date: first }) : null,
    last !== null && day > last ? fillIn(formTexts.dateLatest, { date: last }) : null,
  ]
}

function validateList(field: FormField, value: readonly string[]): Problems {
  const { count_min: min = 0, count_max: max = field.type === 'files' ? formLimits.filesMax : undefined } = field.config
  const error = validateCount(value.length, { min, ...(max !== undefined && { max }) })
  return error ? [fillIn(error.text, error.values)] : []
}

const tooLong = (count: number): string => withCount(texts.textTooLong, count)
const withCount = (text: string, count: number): string => fillIn(text, { count })
