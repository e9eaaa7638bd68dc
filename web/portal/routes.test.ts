// spec: MP 6, AO 2.1

/** Loads the browser's router without a browser; only session storage is stubbed. */

import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { scopes } from '@atrium/contract/access/scopes.ts'
import type { AnyRoute, AnyRouter } from '@tanstack/react-router'
import { createServer, type ViteDevServer } from 'vite'
import { places } from './menu.ts'

let vite: ViteDevServer
let router: AnyRouter
before(async () => {
  const nothingKept = () => null
  const sessionStorage = { getItem: nothingKept, setItem: nothingKept, removeItem: nothingKept }
  Object.assign(globalThis, { sessionStorage })
  vite = await createServer({
    configFile: false,
    root: fileURLToPath(new URL('..', import.meta.url)),
    appType: 'custom',
    logLevel: 'error',
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  })
  router = (await vite.ssrLoadModule('/portal/routes.tsx')).openRouter()
})
after(() => vite.close())

const behindSession = (route: AnyRoute): boolean =>
  route.parentRoute !== undefined && (route.parentRoute.id.startsWith('/signed-in') || behindSession(route.parentRoute))

const screens = (): string[] => {
  const found = Object.values<AnyRoute>(router.routesById).filter(behindSession)
  const paths = found.map(({ fullPath }) => fullPath.replace(/\{-\$(\w+)\}/g, ':$1?').replace(/\$(\w+)/g, ':$1'))
  return [...new Set(paths.map((path) => path.replace(/(.)\/$/, '$1')))].sort()
}
const named = Object.values(scopes).flatMap(({ routes }) => routes.map((route) => route.replace(/(.)\/$/, '$1')))

it('places every screen of the scope table behind the session, each once, and no other', () => {
  assert.deepEqual(screens(), [...named].sort())
})

it('links each menu entry only to screens of its scope', () => {
  for (const { scope, to } of places) {
    const routes: readonly string[] = scopes[scope].routes
    assert.ok(routes.includes(to) || routes.includes(`${to}/`), `${to} is no screen of ${scope}`)
  }
})
