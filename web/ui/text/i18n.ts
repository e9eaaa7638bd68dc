import { languageFor } from '@atrium/contract/text-languages.ts'
import { translations } from '@atrium/contract/translations.generated.ts'

/** Marks that turn the direction of what follows, and those that end it again. */
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const [apart, together] = ['\u2068', '\u2069']

/**
 * React escapes what it shows. But a name may hold marks that turn the rest of its line around, and the rest of the line
 * may be an amount that somebody is about to approve: such a value is shut off from the sentence that it stands in.
 */
function keptApart(value: string): string {
  return turning.test(value) ? `${apart}${balanced(value)}${together}` : value
}

/** A closing mark without its opening one would end our own. */
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

/** Of the languages that are written from right to left. */
const rightToLeft = /^(ar|fa|he|ur)\b/
const placeOfValue = /\{\{([^}]+)\}\}/g

type Values = Record<string, unknown>
type Heard = (language: string) => void

/** The word of a number comes first, where a language has one of its own for it. */
function textOf(texts: Record<string, string>, key: string, count: unknown, language: string): string {
  const ofNumber = typeof count === 'number' ? `${key}_${new Intl.PluralRules(language).select(count)}` : key
  return [ofNumber, key].map((name) => (Object.hasOwn(texts, name) ? texts[name] : undefined)).find(Boolean) ?? key
}

function speakerOf(language: string, texts: Record<string, string>) {
  return (key: string, values: Values = {}): string =>
    textOf(texts, key, values.count, language).replace(placeOfValue, (_, name: string) => {
      const value = Object.hasOwn(values, name.trim()) ? values[name.trim()] : undefined
      return keptApart(value === undefined || value === null ? '' : String(value))
    })
}

const heardBy = new Set<Heard>()
let speaker = speakerOf('en', {})

/**
 * The English text is the key, so a sentence can be read where it is used and needs no file of its own. A language is
 * added as one resource whose keys are these sentences. Of i18next and `react-i18next` only the types are here: the libraries are a
 * tenth of the script of the sign-in page, for backends, namespaces and formats that nothing here has.
 */
export const i18next = {
  language: 'en',
  t: (key: string, values?: Values): string => speaker(key, values),
  getFixedT: () => speaker,
  on(_what: string, heard: Heard): void {
    heardBy.add(heard)
  },
  off(_what: string, heard: Heard): void {
    heardBy.delete(heard)
  },
  changeLanguage(language: string, texts: Record<string, string> = {}): void {
    speaker = speakerOf(language, texts)
    i18next.language = language
    for (const heard of heardBy) heard(language)
  },
}

/** Programs that read a page aloud, and browsers that offer to translate it, go by what the page says of itself. */
i18next.on('languageChanged', (language) => {
  if (typeof document === 'undefined') return
  document.documentElement.lang = language
  document.documentElement.dir = rightToLeft.test(language) ? 'rtl' : 'ltr'
})

/** Has the texts in the language that somebody chose, or in the first of their browser's, as far as there are such texts. */
export async function speak(chosen: string | null): Promise<void> {
  const language = languageFor(chosen ? [chosen] : (globalThis.navigator?.languages ?? []))
  if (language === i18next.language) return
  const { translation } = await translations[language]()
  i18next.changeLanguage(language, translation)
}
