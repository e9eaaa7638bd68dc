import { languageFor } from '@atrium/contract/text-languages.ts'
import { translations } from '@atrium/contract/translations.generated.ts'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'

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

/**
 * The English text is the key, so a sentence can be read where it is used and needs no file of its own. A language is
 * added as one resource whose keys are these sentences.
 */
i18next.use(initReactI18next).init({
  lng: 'en',
  fallbackLng: 'en',
  resources: { en: { translation: {} } },
  keySeparator: false,
  nsSeparator: false,
  initAsync: false,
  interpolation: { escapeValue: true, escape: keptApart },
})

/** Programs that read a page aloud, and browsers that offer to translate it, go by what the page says of itself. */
i18next.on('languageChanged', (language) => {
  if (typeof document === 'undefined') return
  document.documentElement.lang = language
  document.documentElement.dir = i18next.dir(language)
})

/** Has the texts in the language that somebody chose, or in the first of their browser's, as far as there are such texts. */
export async function speak(chosen: string | null): Promise<void> {
  const language = languageFor(chosen ? [chosen] : (globalThis.navigator?.languages ?? []))
  if (language === i18next.language) return
  const { translation } = await translations[language]()
  i18next.addResourceBundle(language, 'translation', translation)
  await i18next.changeLanguage(language)
}

export { i18next }
