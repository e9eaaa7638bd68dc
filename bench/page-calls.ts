/**
 * `npm run bench -- page-calls`: the calls of a member's pages, recorded from a browser: on opening, with an idle user, and with a
 * moving mouse. Writes bench/load/page-calls.json, which `load` replays as today's pages; run `npm run format` afterwards.
 */

import { writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page, Request } from 'playwright'
import { signInAsMember } from '../journeys/kit/people.ts'
import { openTestApp } from '../journeys/kit/test-app.ts'
import type { PageCalls } from './load/page-calls-shape.ts'

const watchedMs = Number(process.env.ATRIUM_BENCH_SECONDS ?? 120) * 1_000
const settledMs = 10_000
const pages = ['/home/', '/accounts', '/funds/deposit', '/funds/transactions']

const testApp = await openTestApp()
try {
  const recorded: PageCalls[] = []
  await Promise.all(
    pages.map(async (path, place) => {
      const { page } = await testApp.visit()
      await signInAsMember(page)
      recorded[place] = await record(page, path)
    }),
  )
  for (const each of recorded) describe(each)
  writeFileSync(new URL('./load/page-calls.json', import.meta.url), `${JSON.stringify(recorded, null, 2)}\n`)
} finally {
  await testApp.close()
}

async function record(page: Page, path: string): Promise<PageCalls> {
  let requests: Request[] = []
  const isCall = (request: Request) => ['fetch', 'xhr', 'eventsource'].includes(request.resourceType())
  page.on('request', (request) => void (isCall(request) && requests.push(request)))
  const take = (): Request[] => requests.splice(0)
  await page.goto(path)
  await pause(settledMs)
  const opening = take()
  await pause(watchedMs)
  const untouched = take()
  for (let passed = 0; passed < watchedMs; passed += 1_000) {
    await page.mouse.move(200 + ((passed / 1_000) % 50), 200)
    await pause(1_000)
  }
  const touched = take()
  requests = []
  const streams = opening.filter(isStream).map(pathOf)
  return {
    page: path,
    opening: opening.length,
    streams: [...new Set(streams)],
    untouched: perMinute(untouched),
    touched: perMinute(touched),
  }
}

function isStream(request: Request): boolean {
  return request.headers().accept?.includes('text/event-stream') ?? false
}

function pathOf(request: Request): string {
  const { pathname, search } = new URL(request.url())
  return pathname + search
}

function perMinute(requests: readonly Request[]): PageCalls['untouched'] {
  const calls = requests.filter((request) => !isStream(request))
  const alike = Map.groupBy(calls, (request) => `${request.method()} ${pathOf(request)} ${request.postData() ?? ''}`)
  return [...alike.values()].flatMap((all) => {
    const [first] = all
    if (!first) return []
    const body = first.postData()
    const times = (all.length * 60_000) / watchedMs
    return [{ method: first.method(), path: pathOf(first), ...(body && { body }), perMinute: times }]
  })
}

function describe({ page, opening, streams, untouched, touched }: PageCalls): void {
  const perSecond = (calls: PageCalls['untouched']) =>
    (calls.reduce((sum, call) => sum + call.perMinute, 0) / 60).toFixed(2)
  console.log(
    `  ${page.padEnd(20)} ${opening} calls when it opens, ${streams.length} streams, then ${perSecond(untouched)}/s untouched, ${perSecond(touched)}/s in use`,
  )
  for (const { method, path, perMinute: times } of touched)
    console.log(`      ${times.toFixed(1).padStart(5)} a minute  ${method} ${path.slice(0, 90)}`)
}
