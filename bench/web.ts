/**
 * `npm run bench -- web`: Lighthouse results of the most visited pages, or of those named as arguments, each loaded for
 * the first time on a phone with a slow connection. The result is the median of several loads; a page that misses a
 * threshold fails.
 */

import lighthouse, { type Result } from 'lighthouse'
import type { Page } from 'playwright'
import puppeteer from 'puppeteer-core'
import { launchBrowser } from '../journeys/kit/browser.ts'
import { signInAsMember, signInAsStaff } from '../journeys/kit/people.ts'
import { openTestApp } from '../journeys/kit/test-app.ts'
import { freePort } from '../tests/doubles/child-server.ts'

const rounds = Number(process.env.ATRIUM_BENCH_ROUNDS ?? 5)

type Reader = 'nobody' | 'member' | 'staff'
const pages: { path: string; reader: Reader; performance: number; seo?: number }[] = [
  { path: '/login', reader: 'nobody', performance: 0.95, seo: 1 },
  { path: '/home/', reader: 'member', performance: 0.9 },
  { path: '/accounts', reader: 'member', performance: 0.9 },
  { path: '/funds/deposit', reader: 'member', performance: 0.9 },
  { path: '/funds/transactions', reader: 'member', performance: 0.9 },
  { path: '/desk', reader: 'staff', performance: 0.9 },
]
const bars = { lcpMs: 2_500, tbtMs: 150, cls: 0.02 }

type Load = Record<'performance' | 'seo' | 'lcpMs' | 'fcpMs' | 'tbtMs' | 'cls' | 'requests' | 'scriptKb', number>

function readLoad({ categories, audits, runtimeError }: Result): Load {
  if (runtimeError) throw new Error(runtimeError.message)
  const measured = (name: string): number => audits[name]?.numericValue ?? Number.NaN
  const { items = [] } = (audits['network-requests']?.details ?? {}) as {
    items?: { resourceType?: string; transferSize?: number }[]
  }
  const scripts = items.filter(({ resourceType }) => resourceType === 'Script')
  return {
    performance: categories.performance?.score ?? Number.NaN,
    seo: categories.seo?.score ?? Number.NaN,
    lcpMs: measured('largest-contentful-paint'),
    fcpMs: measured('first-contentful-paint'),
    tbtMs: measured('total-blocking-time'),
    cls: measured('cumulative-layout-shift'),
    requests: items.length,
    scriptKb: scripts.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0) / 1_000,
  }
}

function medianOf(loads: readonly Load[]): Load {
  const middle = (name: keyof Load): number =>
    loads.map((load) => load[name]).sort((left, right) => left - right)[Math.floor(loads.length / 2)] ?? Number.NaN
  const names = Object.keys(loads[0] ?? {}) as (keyof Load)[]
  return Object.fromEntries(names.map((name) => [name, middle(name)])) as Load
}

function missedBy(load: Load, { performance, seo = 0 }: (typeof pages)[number]): string[] {
  return [
    ...(load.performance < performance ? [`performance ${load.performance} < ${performance}`] : []),
    ...(load.seo < seo ? [`SEO ${load.seo} < ${seo}`] : []),
    ...(Object.keys(bars) as (keyof typeof bars)[])
      .filter((name) => load[name] > bars[name])
      .map((name) => `${name} ${load[name].toFixed(2)} > ${bars[name]}`),
  ]
}

/** A page with a stream never becomes idle, but has loaded long before this limit. */
const settings = { onlyCategories: ['performance', 'seo'], maxWaitForLoad: 15_000 }

/** A session belongs to its tab, so it is set before the page's scripts run. */
async function loadOnce(url: string, port: number, storage: Record<string, string>): Promise<Load> {
  const browser = await puppeteer.connect({ browserURL: `http://127.0.0.1:${port}` })
  const tab = await browser.newPage()
  try {
    await tab.evaluateOnNewDocument(
      `if (location.protocol === 'http:') Object.assign(sessionStorage, ${JSON.stringify(storage)})`,
    )
    const answer = await lighthouse(url, settings, undefined, tab)
    if (!answer) throw new Error('Lighthouse answered nothing.')
    return readLoad(answer.lhr)
  } finally {
    await tab.close()
    await browser.disconnect()
  }
}

const keptIn = (page: Page): Promise<Record<string, string>> => page.evaluate('({ ...sessionStorage })')

async function run(names: readonly string[]): Promise<void> {
  const testApp = await openTestApp({ environment: {} })
  const port = await freePort()
  const browser = await launchBrowser('chromium', [`--remote-debugging-port=${port}`])
  try {
    const member = await testApp.visit()
    await signInAsMember(member.page)
    const staff = await testApp.visit()
    await signInAsStaff(staff.page)
    const storage = { nobody: {}, member: await keptIn(member.page), staff: await keptIn(staff.page) }
    await testApp.endVisits()
    const chosen = pages.filter(({ path }) => names.length === 0 || names.includes(path))
    console.log('  page                  perf   SEO     FCP     LCP    TBT    CLS  requests  script kB')
    for (const page of chosen) {
      const loads: Load[] = []
      for (let round = 0; round < rounds; round += 1)
        loads.push(await loadOnce(`${testApp.url}${page.path}`, port, storage[page.reader]))
      const median = medianOf(loads)
      const { performance, seo, fcpMs, lcpMs, tbtMs, cls, requests, scriptKb } = median
      console.log(
        `  ${page.path.padEnd(20)} ${performance.toFixed(2).padStart(5)} ${seo.toFixed(2).padStart(5)} ${fcpMs.toFixed(0).padStart(7)} ${lcpMs.toFixed(0).padStart(7)} ${tbtMs.toFixed(0).padStart(6)} ${cls.toFixed(3).padStart(6)} ${String(requests).padStart(9)} ${scriptKb.toFixed(0).padStart(10)}`,
      )
      for (const missed of missedBy(median, page)) {
        console.log(`    misses its bar: ${missed}`)
        process.exitCode = 1
      }
    }
  } finally {
    await browser.close()
    await testApp.close()
  }
}

await run(process.argv.slice(2))
