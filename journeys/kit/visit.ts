import assert from 'node:assert/strict'
import type { Browser, BrowserContext, ConsoleMessage, Locator, Page } from 'playwright'
import { expect as playwrightExpect } from 'playwright/test'
import { chaosErrors, isChaotic } from './chaos.ts'
import { watchPrompts } from './prompts.ts'

/** Above the load of a page that polls every ten seconds, on a machine three times as slow as ours. */
const patienceMs = 30_000

/** Assertions that wait for the page, with a timeout that suits a busy machine. */
export const expect = playwrightExpect.configure({ timeout: patienceMs })

export type VisitOptions = {
  width?: number
  height?: number
  scheme?: 'light' | 'dark'
  /** The browser's locale, which decides the number format. */
  locale?: string
  /** Touch input, as on a phone. */
  isTouched?: boolean
  /** Address of a server other than the test app's own. */
  url?: string
  /** Installs the clock that `stopClock` stops. */
  hasOwnClock?: boolean
  /** Origins of foreign pages, whose console errors are ignored. */
  foreignOrigins?: string[]
}

export type Visit = {
  page: Page
  context: BrowserContext
  /** The browser reports each refused request as an error; ignores those with these statuses, which the journey expects. */
  expectStatus(...statuses: number[]): void
  /** The same for requests without a response, by the browser's error name. */
  expectFailure(word: string): void
  /** Further tabs are monitored like the first. */
  newTab(): Promise<Page>
  problems(): string[]
}

/** One browser context. Records every console error and every request to another host; each fails the journey. */
export async function openVisit(browser: Browser, testAppUrl: string, options: VisitOptions = {}): Promise<Visit> {
  const { url = testAppUrl, hasOwnClock = false } = options
  const {
    width = 1280,
    height = 900,
    scheme = 'light',
    locale = 'en-GB',
    isTouched = false,
    foreignOrigins = [],
  } = options
  const isForeign = (page: Page | null) => foreignOrigins.some((origin) => page?.url().startsWith(`${origin}/`))
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme: scheme,
    hasTouch: isTouched,
    isMobile: isTouched,
    locale,
    timezoneId: 'Europe/Malta',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(patienceMs)
  if (hasOwnClock) {
    await context.clock.install()
    ownClocks.add(context)
  }
  const problems: string[] = []
  const missingPrompts = watchPrompts(context, problems)
  const expected: string[] = isChaotic ? [...chaosErrors] : []
  await context.addInitScript({ content: reportPolicyViolations })
  context.on('console', (message) => {
    const problem = isForeign(message.page()) ? null : problemOf(message, expected)
    if (problem) problems.push(problem)
  })
  context.on(
    'weberror',
    (error) => isForeign(error.page()) || problems.push(`uncaught: ${error.error().stack ?? error.error().message}`),
  )
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    const isOurs = ['blob:', 'data:'].includes(protocol) || /^(127\.0\.0\.1|(.*\.)?localhost)$/.test(hostname)
    if (!isOurs) problems.push(`left this machine: ${request.url()}`)
  })
  // Chromium reports a file chooser only while a listener exists, and Playwright does not wait until the browser knows of it:
  // a listener added with the key press sometimes misses the chooser on a busy machine.
  context.on('page', (page) => page.on('filechooser', () => undefined))
  const newTab = async () => {
    const page = await context.newPage()
    await slowDown(page)
    return page
  }
  return {
    page: await newTab(),
    context,
    expectStatus: (...statuses) => {
      expected.push(...statuses.map((status) => `with a status of ${status} `))
    },
    expectFailure: (word) => {
      expected.push(word)
    },
    newTab,
    problems: () => [...problems, ...missingPrompts()],
  }
}

const ownClocks = new WeakSet<BrowserContext>()

/**
 * Stops the clock; from here on only the journey advances it. The clock must be installed before the page loads: one
 * installed later does not know earlier timers, and those that the page clears fire nevertheless.
 */
export async function stopClock(page: Page): Promise<void> {
  assert.ok(ownClocks.has(page.context()), 'a visit that stops the clock must install it when it begins')
  await page.clock.pauseAt(Date.now() + 60_000)
}

/** Skips a pause of the page, or the time in which a toast covers what is below it, instead of waiting for its end. */
export async function skipTime(page: Page, ms: number): Promise<void> {
  assert.ok(ownClocks.has(page.context()), 'a visit that skips time must install the clock when it begins')
  await page.clock.fastForward(ms)
}

/**
 * Waits for content that a response brings, advancing the stopped clock only as far as rendering needs: some hundred
 * milliseconds where a chunk loads first, because React delays that render.
 */
export async function untilThere(page: Page, shown: Locator): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(50)
    await expect(shown).toBeVisible({ timeout: 100 })
  }).toPass({ timeout: patienceMs, intervals: [50] })
}

/** `ATRIUM_TEST_SLOWNESS=4` slows the page four times, to find tests that only pass while the page is faster than its user. */
async function slowDown(page: Page): Promise<void> {
  const rate = Number(process.env.ATRIUM_TEST_SLOWNESS ?? 1)
  if (rate === 1) return
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}

/** As text, because it runs in the page, before the page's own scripts. */
const reportPolicyViolations = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('Content policy: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile))`

function problemOf(message: ConsoleMessage, expected: string[]): string | null {
  const text = message.text()
  const isPolicy = /content security policy|content policy:/i.test(text)
  if (message.type() !== 'error' && !isPolicy) return null
  if (text.startsWith('Failed to load resource') && expected.some((part) => text.includes(part))) return null
  return `console: ${text} (${message.location().url.split('?')[0]})`
}

/** Event streams stay open, so a page with them is never idle: ends each one as soon as it begins. */
export async function withoutLiveMetrics(where: Page | BrowserContext): Promise<void> {
  for (const line of ['**/members/trading/live', '**/members/notices/live'])
    await where.route(line, (route) => route.fulfill({ contentType: 'text/event-stream', body: '' }))
}
