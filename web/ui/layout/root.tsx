import './base-styles.ts'
import { DirectionContext, localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { type ReactNode, StrictMode, startTransition, useMemo } from 'react'
import { createRoot } from 'react-dom/client'
import { defaultAccent, themeOf, themeVariables } from '../brand/theme.ts'
import { replaceChunkErrors } from '../feedback/missing-code.ts'
import { keepSchemasInterpreted, pageNonce, passNonceToMantine } from '../forms/nonce.ts'
import { isRightToLeft, setLanguage } from '../text/i18n.ts'
import { useTranslation } from '../text/use-translation.ts'

const schemeManager = localStorageColorSchemeManager({ key: 'atrium.colour-scheme' })

export function Root({ accent, children }: { accent: string | undefined; children: ReactNode }) {
  const theme = useMemo(() => themeOf(accent ?? defaultAccent), [accent])
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={themeVariables}
      colorSchemeManager={schemeManager}
      defaultColorScheme="auto"
      getStyleNonce={pageNonce}
    >
      <DirectionContext value={useDirection()}>{children}</DirectionContext>
    </MantineProvider>
  )
}

const fixed = { setDirection: () => undefined, toggleDirection: () => undefined }
const leftToRight = { dir: 'ltr', ...fixed } as const
const rightToLeft = { dir: 'rtl', ...fixed } as const

/** For Mantine's arrow keys and menus; i18n.ts sets the direction of the page. */
function useDirection() {
  const { i18n } = useTranslation()
  return isRightToLeft(i18n.language) ? rightToLeft : leftToRight
}

export function mount(app: ReactNode, onCaughtError: (error: unknown) => void): void {
  passNonceToMantine()
  keepSchemasInterpreted()
  replaceChunkErrors()
  setLanguage(null)
  const place = document.getElementById('root')
  if (!place) throw new Error('The page has no #root')
  takeOver(place)
  // In slices, and not in the task that runs the scripts: together they would hold up a slow phone.
  setTimeout(() =>
    startTransition(() =>
      // A screen's error boundary shows the error to the user; `onCaughtError` replaces React's logging to the console.
      createRoot(place, { onCaughtError }).render(<StrictMode>{app}</StrictMode>),
    ),
  )
}

/** Keeps the initial outline until the app has rendered content, not only styles. */
function takeOver(place: HTMLElement): void {
  new MutationObserver((_, observer) => {
    if (!place.querySelector(':scope > :not(style)')) return
    observer.disconnect()
    document.querySelector('.first-paint')?.remove()
  }).observe(place, { childList: true })
}
