import assert from 'node:assert/strict'
import type { Browser, BrowserContext, ConsoleMessage, Locator, Page } from 'playwright'
import { expect as playwrightExpect } from 'playwright/test'
import { watchPrompts } from './prompts.ts'
import { isUnrestful, wordsOfUnrest } from './unrest.ts'

/** Beyond whatever a page takes that asks every ten seconds, on a machine three times as slow as ours. */
const patienceMs = 30_000

/** Assertions that wait for the page, patient enough for a busy machine. */
export const expect = playwrightExpect.configure({ timeout: patienceMs })

export type VisitOptions = {
  width?: number
  height?: number
  scheme?: 'light' | 'dark'
  /** Of the browser, as it writes numbers. */
  locale?: string
  /** By a finger, as on a phone. */
  isTouched?: boolean
  /** Of another server than the stage's own. */
  url?: string
  /** Whose time `standStill` stops. */
  hasOwnClock?: boolean
  /** Origins of pages that are not ours and may complain as they like. */
  strangers?: string[]
}

export type Visit = {
  page: Page
  context: BrowserContext
  /** The browser reports each refused request as an error; those of these statuses are what the journey is about. */
  expectStatus(...statuses: number[]): void
  /** The same for requests without any answer, by the browser's own word for it. */
  expectFailure(word: string): void
  /** Further tabs are watched like the first. */
  newTab(): Promise<Page>
  problems(): string[]
}

/** One person's browser. Whatever it complains of, or asks of anybody but us, is kept and fails the journey. */
export async function openVisit(browser: Browser, testAppUrl: string, options: VisitOptions = {}): Promise<Visit> {
  const { url = testAppUrl, hasOwnClock = false } = options
  const { width = 1280, height = 900, scheme = 'light', locale = 'en-GB', isTouched = false, strangers = [] } = options
  const isStrange = (page: Page | null) => strangers.some((origin) => page?.url().startsWith(`${origin}/`))
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
  const expected: string[] = isUnrestful ? [...wordsOfUnrest] : []
  await context.addInitScript({ content: reportPolicyViolations })
  context.on('console', (message) => {
    const problem = isStrange(message.page()) ? null : problemOf(message, expected)
    if (problem) problems.push(problem)
  })
  context.on(
    'weberror',
    (error) => isStrange(error.page()) || problems.push(`uncaught: ${error.error().stack ?? error.error().message}`),
  )
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    const isOurs = ['blob:', 'data:'].includes(protocol) || /^(127\.0\.0\.1|(.*\.)?localhost)$/.test(hostname)
    if (!isOurs) problems.push(`left this machine: ${request.url()}`)
  })
  // Chromium hands a file chooser over only while somebody listens, and playwright does not wait until the browser knows
  // of a listener: one that comes with the key press misses the chooser now and then on a busy machine.
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
 * From here on time passes only as the journey says. The clock has to be there before the page is: one that is put under a
 * running page does not know the timers that were set before it, and whatever the page stops of them goes off nevertheless.
 */
export async function standStill(page: Page): Promise<void> {
  assert.ok(ownClocks.has(page.context()), 'a visit whose time is stopped has its own clock from the beginning')
  await page.clock.pauseAt(Date.now() + 60_000)
}

/**
 * Waits for what is there once an answer has come, letting as little of a stopped time pass as the page needs to draw it: some
 * hundred milliseconds where a part is loaded first, which React draws no sooner.
 */
export async function untilThere(page: Page, shown: Locator): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(50)
    await expect(shown).toBeVisible({ timeout: 100 })
  }).toPass({ timeout: patienceMs, intervals: [50] })
}

/** By hand, to find what only holds as long as the page is quicker than whoever uses it: `ATRIUM_TEST_SLOWNESS=4` times slower. */
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

/** The lines that bring figures and notices stay open, and a page with them is never idle: here they end as soon as they began. */
export async function withoutLiveFigures(where: Page | BrowserContext): Promise<void> {
  for (const line of ['**/members/trading/live', '**/members/notices/live'])
    await where.route(line, (route) => route.fulfill({ contentType: 'text/event-stream', body: '' }))
}
