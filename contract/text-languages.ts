import { translations } from './translations.generated.ts'

/** Languages that texts exist in: one for each file of `contract/translations`. */
export type Language = keyof typeof translations
export const languages = Object.keys(translations) as [Language, ...Language[]]

/** The first of the wanted languages that texts exist in, whatever its region; English otherwise. */
export function languageFor(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const [base] = tag.split('-')
    const found = languages.find((each) => each === tag) ?? languages.find((each) => each === base)
    if (found) return found
  }
  return 'en'
}
