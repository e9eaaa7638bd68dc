import { translations } from './translations.generated.ts'

/** Languages with translations: one for each file of `contract/translations`. */
export type Language = keyof typeof translations
export const languages = Object.keys(translations) as [Language, ...Language[]]

/** The first wanted language with translations, ignoring its region; English otherwise. */
export function languageFor(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const [base] = tag.split('-')
    const found = languages.find((each) => each === tag) ?? languages.find((each) => each === base)
    if (found) return found
  }
  return 'en'
}
