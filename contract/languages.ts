/**
 * Locales for numbers and dates, which need no translation. BCP 47 tags, with a region where it changes the format of a date or an
 * amount.
 */
export const formatLocales = [
  'en-GB',
  'en-US',
  'en-AU',
  'ar',
  'bg',
  'cs',
  'da',
  'de',
  'de-CH',
  'el',
  'es',
  'es-MX',
  'et',
  'fi',
  'fr',
  'fr-CA',
  'he',
  'hi',
  'hr',
  'hu',
  'id',
  'it',
  'ja',
  'ko',
  'lt',
  'lv',
  'ms',
  'mt',
  'nb',
  'nl',
  'pl',
  'pt',
  'pt-BR',
  'ro',
  'ru',
  'sk',
  'sl',
  'sr',
  'sv',
  'th',
  'tr',
  'uk',
  'vi',
  'zh-Hans',
  'zh-Hant',
] as const

/** The language's name in that language. */
export function languageName(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}

/** IANA time zone names only; a bare offset is refused, since it has no daylight saving time. */
export function isTimeZone(name: string): boolean {
  if (name.length > 64 || !/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
