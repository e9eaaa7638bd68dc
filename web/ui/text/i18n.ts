import { languageFor } from '@atrium/contract/text-languages.ts'
import { translations } from '@atrium/contract/translations.generated.ts'

/** Bidirectional control characters: those that change the text direction, and those that end the change. */
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const [apart, together] = ['\u2068', '\u2069']
export const isRightToLeft = (language: string): boolean => /^(ar|fa|he|ur)\b/.test(language)

/**
 * Isolates each value from its sentence: React escapes it, but a name with bidirectional control characters could
 * reverse the rest of its line, such as an amount about to be approved, and a right-to-left sentence would reorder a
 * phone number or a signed amount.
 */
function isolated(value: string, language: string): string {
  const isApart = turning.test(value) || (value !== '' && isRightToLeft(language))
  return isApart ? `${apart}${balanced(value)}${together}` : value
}

/** An unmatched closing character would end our isolate. */
function balanced(value: string): string {
  let open = 0
  return [...value]
    .filter((char) => {
      if (/[\u2066-\u2068]/u.test(char)) open += 1
      if (char !== together) return true
      open -= 1
      if (open >= 0) return true
      open = 0
      return false
    })
    .join('')
    .concat(together.repeat(Math.max(open, 0)))
}

const placeOfValue = /\{\{([^}]+)\}\}/g

type Values = Record<string, unknown>
/** The text of an English sentence in the current language, with its gaps filled. */
export type TFunction = (key: string, values?: Values) => string
type Listener = (language: string) => void

/** Prefers the plural form for the number, if the language has one. */
function textOf(texts: Record<string, string>, key: string, count: unknown, language: string): string {
  const ofNumber = typeof count === 'number' ? `${key}_${new Intl.PluralRules(language).select(count)}` : key
  return [ofNumber, key].map((name) => (Object.hasOwn(texts, name) ? texts[name] : undefined)).find(Boolean) ?? key
}

function speakerOf(language: string, texts: Record<string, string>): TFunction {
  return (key, values = {}) =>
    textOf(texts, key, values.count, language).replace(placeOfValue, (_, name: string) => {
      const value = Object.hasOwn(values, name.trim()) ? values[name.trim()] : undefined
      return isolated(value === undefined || value === null ? '' : String(value), language)
    })
}

const listeners = new Set<Listener>()
let speaker = speakerOf('en', {})

/**
 * The English text is the key, so a sentence can be read where it is used and needs no file of its own. A language is
 * added as one resource whose keys are these sentences. i18next and its React binding would be a tenth of the script of the
 * sign-in page, for backends, namespaces and formats that are not used here.
 */
export const i18n = {
  language: 'en',
  t: ((key, values) => speaker(key, values)) as TFunction,
  getFixedT: () => speaker,
  on(_what: string, listener: Listener): void {
    listeners.add(listener)
  },
  off(_what: string, listener: Listener): void {
    listeners.delete(listener)
  },
  changeLanguage(language: string, texts: Record<string, string> = {}): void {
    speaker = speakerOf(language, texts)
    i18n.language = language
    for (const listener of listeners) listener(language)
  },
}

/** Screen readers and translation features of browsers rely on the declared language. */
i18n.on('languageChanged', (language) => {
  if (typeof document === 'undefined') return
  document.documentElement.lang = language
  document.documentElement.dir = isRightToLeft(language) ? 'rtl' : 'ltr'
})

/** Loads the texts in the chosen language, or in the browser's preferred one, if a translation exists. */
export async function setLanguage(chosen: string | null): Promise<void> {
  const language = languageFor(chosen ? [chosen] : (globalThis.navigator?.languages ?? []))
  if (language === i18n.language) return
  const { translation } = await translations[language]()
  i18n.changeLanguage(language, translation)
}
