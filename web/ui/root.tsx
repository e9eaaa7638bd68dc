import './base-styles.ts'
import './i18n.ts'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode, useMemo } from 'react'
import { createRoot } from 'react-dom/client'
import { keepSchemasInterpreted, pageNonce, shareNonce } from './nonce.ts'
import { defaultAccent, themeOf, themeVariables } from './theme.ts'

/** Retries help only where nothing was refused, and never a change; a person may ask again with the button. */
const isPassing = (error: unknown) => error instanceof Error && 'isPassing' in error && error.isPassing === true

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < 1 && isPassing(error),
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
})

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
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </MantineProvider>
  )
}

export function mount(app: ReactNode, onCaughtError: (error: unknown) => void): void {
  shareNonce()
  keepSchemasInterpreted()
  const place = document.getElementById('root')
  if (!place) throw new Error('The page has no #root')
  // What a screen's own boundary caught is shown to the person; the console is not where they look.
  createRoot(place, { onCaughtError }).render(<StrictMode>{app}</StrictMode>)
}
