// spec: MP 2.2, MP 8, MP 9, AO 9
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { Locator, Page, Request } from 'playwright'
import { firstLoads, readManifest } from '../../scripts/checks/first-load.ts'
import { chooseOption, depositForm } from '../kit/depositing.ts'
import { menuOf, signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect, stopClock, withoutLiveMetrics } from '../kit/visit.ts'

/** The page's pending requests, counted from now on. */
function followRequests(page: Page): Set<Request> {
  const underWay = new Set<Request>()
  page.on('request', (request) => underWay.add(request))
  page.on('requestfinished', (request) => underWay.delete(request))
  page.on('requestfailed', (request) => underWay.delete(request))
  return underWay
}

/** Holds these files back until the returned function is called. */
async function holdFiles(page: Page, files: string): Promise<() => void> {
  const held = Promise.withResolvers<void>()
  await page.route(files, async (route) => {
    await held.promise
    await route.continue()
  })
  return held.resolve
}

/** Null while the page replaces the element. */
async function placeOf(element: Locator): Promise<{ x: number; y: number } | null> {
  const box = await element.boundingBox()
  return box && { x: box.x, y: box.y }
}

describe('loading a page', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  it('loads the sign-in page with a small script bundle', async () => {
    const { page } = await testApp.visit()
    const scripts = new Set<string>()
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (pathname.endsWith('.js')) scripts.add(pathname)
    })
    await page.goto('/login', { waitUntil: 'networkidle' })
    await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
    // The demo's sign-ins are not part of a brokerage's page.
    scripts.delete(`/${readManifest()['portal/demo-sign-ins.tsx']?.file}`)
    const sizes = [...scripts].map((path) => gzipSync(readFileSync(join('web', 'dist', path)), { level: 9 }).length)
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    assert.ok(bytes > 100_000 && bytes <= firstLoads.login.bytesMax, `${bytes} bytes in ${scripts.size} files`)
  })

  it('shows the loader after its delay, and reports a call that times out', async () => {
    const { page } = await testApp.visit({ hasOwnClock: true })
    const underWay = followRequests(page)
    await withoutLiveMetrics(page)
    await signInAsMember(page)
    const loader = page.getByRole('progressbar', { name: 'Loading' })
    await stopClock(page)
    // Requests sent before the clock stopped are older than it shows; none of them may hit the timeout below.
    await expect.poll(() => underWay.size).toBe(0)
    await expect(loader).toHaveCount(0)
    await page.route(
      (url) => url.pathname === '/graph',
      () => undefined,
    )
    await menuOf(page).getByRole('link', { name: 'Profile' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
    await page.clock.runFor(limits.loaderDelayMs - 100)
    await expect(loader).toHaveCount(0)
    await page.clock.runFor(200)
    await expect(loader).toBeVisible()
    // Retried automatically, since the server refused nothing.
    await page.clock.runFor(limits.requestAbortMs)
    await expect(page.getByText(texts.requestFailed)).toHaveCount(0)
    await page.clock.runFor(limits.requestAbortMs + 5_000)
    await expect(page.getByText(texts.requestFailed).first()).toBeVisible()
  })

  it('reports a chunk that fails to load and retries', async () => {
    const visit = await testApp.visit()
    const { page } = visit
    visit.expectFailure('net::ERR_FAILED')
    await signInAsMember(page)
    await page.route('**/assets/accounts-page-*.js', (route) => route.abort())
    await menuOf(page).getByRole('link', { name: 'Accounts' }).click()
    await expect(page.getByText(texts.sectionMissing)).toBeVisible()
    await expect(menuOf(page).getByRole('link', { name: 'Home' })).toBeVisible()
    await page.unroute('**/assets/accounts-page-*.js')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('table', { name: 'Trading accounts' })).toContainText('700123')
  })

  it('sends no payment whose fields failed to load, and says so', async () => {
    const visit = await testApp.visit()
    const { page } = visit
    visit.expectFailure('net::ERR_FAILED')
    await signInAsMember(page)
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname))
    await page.route('**/assets/payment-part-*.js', (route) => route.abort())
    await page.goto('/funds/deposit')
    const payBy = async (provider: string) => {
      await chooseOption(page, depositForm(page).account, /#700123/)
      await page.getByRole('radio', { name: provider }).check()
      await depositForm(page).amount.fill('150')
      await page.getByRole('button', { name: `Pay with ${provider}` }).click()
    }
    await payBy('Zota')
    await expect(page.getByText(texts.sectionMissing)).toBeVisible()
    // Chromium keeps a failed import for the life of the page, and an edited form asks before it is left.
    await page.unroute('**/assets/payment-part-*.js')
    await depositForm(page).amount.fill('')
    await page.reload()
    assert.deepEqual(
      sent.filter((path) => /deposit|token/.test(path)),
      [],
    )
    await payBy('Zota')
    await expect(page).toHaveURL(/\/deposit-processing|\/pay/)
  })

  it('gives up on a chunk that never arrives after two minutes, and not earlier', async () => {
    const { page } = await testApp.visit({ hasOwnClock: true })
    await signInAsMember(page)
    await page.route('**/assets/accounts-page-*.js', () => undefined)
    await stopClock(page)
    await menuOf(page).getByRole('link', { name: 'Accounts' }).click()
    await page.clock.runFor(limits.loaderDelayMs + 50)
    await expect(page.getByRole('progressbar', { name: 'Loading' })).toBeVisible()
    await page.clock.runFor(limits.sectionLoadTimeoutMs - limits.loaderDelayMs - 1_000)
    await expect(page.getByText(texts.sectionLate)).toHaveCount(0)
    await page.clock.runFor(2_000)
    await expect(page.getByText(texts.sectionLate)).toBeVisible()
  })

  it('shows a skeleton before the scripts run until the page is ready, and is never blank between', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    const release = await holdFiles(page, '**/assets/*.js')
    await page.addInitScript({
      content: `globalThis.blanks = 0
        new MutationObserver(() => {
          const isEmpty = document.querySelector('#root') && !document.querySelector('.first-paint, #root > :not(style)')
          if (isEmpty) globalThis.blanks += 1
        }).observe(document, { childList: true, subtree: true })`,
    })
    const outline = page.locator('.first-paint')
    await page.goto('/accounts', { waitUntil: 'commit' })
    await expect(outline).toContainText('Harbour Markets')
    await expect(outline).toHaveClass(/in-frame/)
    const title = page.getByRole('heading', { level: 1 })
    await expect(title).toHaveText(texts.accountsTitle)
    const early = await placeOf(title)
    release()
    await expect(outline).toHaveCount(0)
    await expect(title).toHaveText(texts.accountsTitle)
    await expect.poll(() => placeOf(title)).toEqual(early)
    assert.equal(await page.evaluate('blanks'), 0)
  })

  const titles = {
    '/funds/transactions': /^All Transactions$/,
    '/transactions': /^All Transactions$/,
    '/home/': /^Hello/,
  }
  for (const [path, name] of Object.entries(titles))
    it(`shows the heading of ${path} at its place before the scripts run`, async () => {
      const { page } = await testApp.visit()
      await signInAsMember(page)
      const release = await holdFiles(page, '**/assets/*.js')
      await page.goto(path, { waitUntil: 'commit' })
      const title = page.getByRole('heading', { level: 1, name })
      const early = await placeOf(title)
      release()
      await expect(page.locator('.first-paint')).toHaveCount(0)
      await expect.poll(() => placeOf(title)).toEqual(early)
    })

  it('shows the search field of the desk at its place before the scripts run', async () => {
    const { page } = await testApp.visit()
    await signInAsStaff(page)
    const release = await holdFiles(page, '**/assets/*.js')
    await page.goto('/desk', { waitUntil: 'commit' })
    const outline = page.locator('.first-paint')
    await expect(outline.getByRole('heading', { level: 1, name: 'Deposits' })).toBeVisible()
    const early = await placeOf(outline.getByText('Name, number, amount or reference'))
    assert.ok(early)
    release()
    await expect(outline).toHaveCount(0)
    await expect.poll(() => placeOf(page.getByRole('searchbox', { name: 'Search deposits' }))).toEqual(early)
  })

  it('returns to where the member left a list on a phone', async () => {
    const { page } = await testApp.visit({ width: 360, height: 500, isTouched: true })
    await signInAsMember(page)
    await page.goto('/funds/transactions')
    const last = page.getByRole('list', { name: 'Transactions' }).getByRole('listitem').last()
    await last.scrollIntoViewIfNeeded()
    const left = await page.evaluate('scrollY')
    assert.ok(Number(left) > 200, `${left}`)
    await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click()
    await expect(page.getByRole('heading', { name: 'Last transactions' })).toBeVisible()
    await page.goBack()
    await expect(last).toBeInViewport()
    // The frame that brings the chosen tab into view comes after the one that shows the page.
    await page.evaluate('new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))')
    assert.equal(await page.evaluate('scrollY'), left)
  })

  it('shows the heading of a page while its code loads', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    const release = await holdFiles(page, '**/assets/deposit-page-*.js')
    await page.goto('/funds/deposit')
    await expect(page.getByRole('heading', { level: 1, name: 'Deposit' })).toBeVisible()
    await expect(page.getByText('Choose an account, an amount')).toBeVisible()
    await expect(page.getByRole('form', { name: 'Deposit' })).toHaveCount(0)
    release()
    await expect(page.getByRole('form', { name: 'Deposit' })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: 'Deposit' })).toHaveCount(1)
  })

  it('requests each answer of home once', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await expect(page.getByRole('heading', { name: 'Last transactions' })).toBeVisible()
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      const isAnswered = /^\/(graph|members|user)\b/.test(pathname) && !pathname.endsWith('/live')
      if (isAnswered && request.method() === 'GET') asked.push(pathname + search)
    })
    await page.goto('/home/')
    await expect(page.getByRole('heading', { name: 'Last transactions' })).toBeVisible()
    assert.deepEqual(asked, [...new Set(asked)])
    assert.ok(asked.some((path) => path.startsWith('/members/crm-settings')))
    assert.ok(asked.filter((path) => path.startsWith('/graph')).length >= 5, asked.join('\n'))
  })
})
