import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'

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
  // React escapes what it shows.
  interpolation: { escapeValue: false },
})

export { i18next }
