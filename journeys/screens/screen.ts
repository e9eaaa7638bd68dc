import { texts } from '@atrium/contract/texts.ts'
import type { Locator, Page, Route } from 'playwright'
import { expect } from '../kit/visit.ts'
import { deskLists } from './declared-lists.ts'

/** The person viewing the screen; each has their own browser context. */
export type Viewer = 'nobody' | 'member' | 'new' | 'sales' | 'staff'

export type Screen = {
  name: string
  /** `full`, `empty`, `loading`, `not loaded`, or a named state. */
  state: string
  viewer: Viewer
  /** Opens the screen and waits until it is stable. */
  open(page: Page): Promise<void>
}

export const heading = (page: Page, name?: string): Locator =>
  page.getByRole('heading', name === undefined ? { level: 1 } : { level: 1, name })

const listCalls = [
  ...deskLists.map(({ name }) => `/desk/api/${name}`),
  '/desk/api/terms',
  '/desk/api/platforms',
  '/desk/api/providers',
  '/desk/api/payment-cases',
  '/desk/api/request-types',
  '/desk/api/file-categories',
  '/desk/api/identity-vendors',
  '/members/sales/clients',
  '/file-categories/cp-search',
  '/clients/identity-check',
  '/forms/draft',
  ...['/members/dashboard', '/members/notices', '/members/notices/mail-wishes'],
  ...['/members/trading/configuration', '/members/trading/openings'],
]

/** Matches every data call of a screen after sign-in. */
function asksForData(url: string): boolean {
  const { pathname, searchParams } = new URL(url)
  if (listCalls.includes(pathname)) return true
  if (pathname !== '/graph') return false
  return !Buffer.from(searchParams.get('q') ?? '', 'base64url')
    .toString()
    .includes('CurrentMember')
}

async function whileAnswering(page: Page, answer: (route: Route) => unknown, path: string): Promise<void> {
  await page.route(
    (url) => asksForData(url.href),
    (route) => answer(route),
  )
  await page.goto(path)
}

export async function openLoading(page: Page, path: string): Promise<void> {
  await whileAnswering(page, () => undefined, path) // The responses never arrive.
  await expect(page.locator('main [aria-busy="true"], main [role="status"]').first()).toBeVisible()
}

const fault = { status: 'error', code: 'fault', error: texts.requestFailed, request_id: 'none' }

export async function openFailed(page: Page, path: string): Promise<void> {
  await whileAnswering(page, (route) => route.fulfill({ status: 500, json: fault }), path)
  await expect(page.getByRole('button', { name: 'Try again' }).first()).toBeVisible()
}

/** The app whose document such a page has loaded; null while it is another document. */
const loadedApps = new WeakMap<Page, 'desk' | 'portal' | null>()

/** From here on `openSettled` follows addresses as a link does, without loading the document again, which takes half a second. */
export function followAsLinks(page: Page): void {
  loadedApps.set(page, null)
  page.on('domcontentloaded', () => loadedApps.set(page, null))
}

const follow = (path: string) => `history.pushState(null, '', ${JSON.stringify(path)})
  dispatchEvent(new PopStateEvent('popstate', { state: null }))`

async function goTo(page: Page, path: string): Promise<void> {
  const app = path.startsWith('/desk') ? 'desk' : 'portal'
  if (loadedApps.get(page) === app) return page.evaluate<void>(follow(path))
  await page.goto(path)
  if (loadedApps.has(page)) loadedApps.set(page, app)
}

export async function openSettled(page: Page, path: string, ready: (page: Page) => Locator): Promise<void> {
  await goTo(page, path)
  await expect(ready(page)).toBeVisible()
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
}
