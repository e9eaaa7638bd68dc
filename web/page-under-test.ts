import { mock } from 'node:test'
import { replaceGlobals } from '../tests/fixtures/page-element.ts'
import { startTransport } from './api/transport.ts'

type App = Parameters<typeof startTransport>[0]
type Page = Partial<App> & { globals?: Record<string, unknown> }

const ignore = () => undefined

/** A session that no answer ends. */
export const sessionOf = (token: string) =>
  ({ read: () => ({ token, userId: 'somebody' }), clear: ignore }) as unknown as App['session']

/** The parts of the browser that a call needs, with `serve` in place of the network. Returns what closes the page. */
export function openPage(
  serve: (address: string, sent: never) => unknown,
  { globals = {}, ...app }: Page = {},
): () => void {
  const location = new URL('http://harbour.localhost/')
  const restoreGlobals = replaceGlobals({ document: { querySelector: () => null }, location, ...globals })
  mock.method(globalThis, 'fetch', serve)
  startTransport({ session: { read: () => null } as never, onSignedOut: ignore, onMustEnrol: ignore, ...app })
  return () => {
    mock.restoreAll()
    restoreGlobals()
  }
}

export function memoryStorage(): Storage {
  const stored = new Map<string, string>()
  return {
    get length() {
      return stored.size
    },
    key: (index) => [...stored.keys()][index] ?? null,
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, text) => stored.set(key, text),
    removeItem: (key) => stored.delete(key),
    clear: () => stored.clear(),
  } satisfies Storage
}
