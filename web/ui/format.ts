import { formatAmount } from '@atrium/contract/money.ts'

/** A language that Intl takes: some systems name theirs "en-US@posix", which is no language tag. */
export function usableLanguage(named: string | undefined): string {
  try {
    return Intl.getCanonicalLocales(named?.replace(/[@.].*$/, ''))[0] ?? 'en'
  } catch {
    return 'en'
  }
}

let known: string | undefined

/** How this person writes numbers and dates; the texts may be in another language. */
export function readerLanguage(): string {
  known ??= usableLanguage(globalThis.navigator?.language)
  return known
}

export const day = (at: number, language = readerLanguage()) =>
  new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric' }).format(at)

export const time = (at: number, language = readerLanguage()) =>
  new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' }).format(at)

export const exactTime = (at: number, language = readerLanguage()) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long' }).format(at)

const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000

/** "5 minutes ago" for what is younger than a day; null for what is older, where the date says more. */
export function relativeTime(at: number, now: number, language = readerLanguage()): string | null {
  const age = now - at
  if (age >= dayMs || age < -minuteMs) return null
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  if (age < minuteMs) return relative.format(0, 'second')
  if (age < hourMs) return relative.format(-Math.floor(age / minuteMs), 'minute')
  return relative.format(-Math.floor(age / hourMs), 'hour')
}

export type Sign = 'always' | 'negative'

/** "+1,250.00" or "−12.50": a real minus sign, and a plus where a gain is meant. */
export function signedAmount(amount: string, currency: string, sign: Sign, language = readerLanguage()): string {
  const isNegative = amount.startsWith('-')
  const figure = formatAmount(isNegative ? amount.slice(1) : amount, currency, language)
  if (isNegative) return /[1-9]/.test(figure) ? `\u2212${figure}` : figure
  return sign === 'always' && /[1-9]/.test(figure) ? `+${figure}` : figure
}

/** A file's size as people read it: 1 KB is 1000 bytes, as everywhere here. */
export function fileSize(bytes: number, language = readerLanguage()): string {
  const number = (value: number, digits: number) =>
    new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value)
  if (bytes < 1_000_000) return `${number(Math.max(1, Math.round(bytes / 1000)), 0)} KB`
  return `${number(bytes / 1_000_000, 1)} MB`
}
