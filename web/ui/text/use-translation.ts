import { useSyncExternalStore } from 'react'
import { i18next } from './i18n.ts'

/** A hook of the name and types of `react-i18next`, in whose place the build puts it (vite.config.ts): one language at a time, loaded before it is spoken. */
export function useTranslation() {
  return { t: useSyncExternalStore(subscribe, i18next.getFixedT), i18n: i18next }
}

function subscribe(heard: () => void): () => void {
  i18next.on('languageChanged', heard)
  return () => i18next.off('languageChanged', heard)
}
