import { useSyncExternalStore } from 'react'
import { i18n } from './i18n.ts'

/** `t` changes with the language, so that the component renders again. */
export function useTranslation() {
  return { t: useSyncExternalStore(subscribe, i18n.getFixedT, i18n.getFixedT), i18n }
}

function subscribe(listener: () => void): () => void {
  i18n.on('languageChanged', listener)
  return () => i18n.off('languageChanged', listener)
}
