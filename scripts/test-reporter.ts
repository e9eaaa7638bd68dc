import { writeFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

export type Counts = { passed: number; failed: number; skipped: number }
/** The counts of a run, and the tests that failed by file, place, name and reason. */
export type Result = Counts & { reds: string[] }

/**
 * One line per file, each failure in full, and the result for the closing lines into the file that ATRIUM_TEST_COUNTS
 * names: the text on the screen is for people and would be a poor thing to parse.
 */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let empty = 0
  const reds: string[] = []
  for await (const event of events) {
    if (event.type === 'test:pass' && isFile(event.data)) {
      empty += 1
      reds.push(`${relative(process.cwd(), event.data.name)} has no test in it`)
      yield `  ✖ ${reds.at(-1)}\n`
    }
    if (event.type === 'test:stdout' || event.type === 'test:stderr') yield event.data.message
    if (event.type === 'test:fail' && isOwnFailure(event.data)) {
      reds.push(`${placeOf(event.data)}  ${event.data.name}: ${reasonOf(event.data)}`)
      yield describeFailure(event.data)
    }
    if (event.type === 'test:summary' && event.data.file) yield describeFile(event.data)
    if (event.type === 'test:summary' && !event.data.file) keep(toCounts(event.data.counts), empty, reds)
  }
}

/** node counts a file without tests as one test that passed. */
function isFile({ name, file, nesting }: Extract<TestEvent, { type: 'test:pass' }>['data']) {
  return nesting === 0 && resolve(name) === file
}

type Failure = Extract<TestEvent, { type: 'test:fail' }>['data']
type Summary = Extract<TestEvent, { type: 'test:summary' }>['data']

/** A suite or file fails because something in it did, which was shown already. */
function isOwnFailure({ details }: Failure) {
  return !('failureType' in details.error && details.error.failureType === 'subtestsFailed')
}

function describeFailure(failure: Failure) {
  const { error } = failure.details
  return `  ✖ ${failure.name}  (${placeOf(failure)})\n${inspect(error.cause ?? error, { depth: 6 }).replace(/^/gm, '      ')}\n`
}

/** Where only the end of a long run is kept, the names alone would not say what happened. */
function reasonOf({ details: { error } }: Failure) {
  const cause = error.cause instanceof Error ? error.cause : error
  const [firstLine = ''] = cause.message.split('\n')
  return firstLine.slice(0, 200)
}

function placeOf({ file, line }: Failure) {
  return file ? `${relative(process.cwd(), file)}${line ? `:${line}` : ''}` : ''
}

function describeFile({ file = '', counts, duration_ms }: Summary) {
  const { failed, skipped } = toCounts(counts)
  const trouble = [failed && `${failed} failed`, skipped && `${skipped} skipped`].filter(Boolean).join(', ')
  const seconds = (duration_ms / 1000).toFixed(1)
  return `  ${trouble ? '✖' : '✔'} ${relative(process.cwd(), file)}  ${counts.tests} in ${seconds} s${trouble && `: ${trouble}`}\n`
}

function toCounts({ tests, passed, skipped, todo }: Summary['counts']): Counts {
  return { passed, failed: tests - passed - skipped - todo, skipped: skipped + todo }
}

function keep({ passed, failed, skipped }: Counts, empty: number, reds: string[]) {
  const file = process.env.ATRIUM_TEST_COUNTS
  const result: Result = { passed: passed - empty, failed: failed + empty, skipped, reds }
  if (file) writeFileSync(file, JSON.stringify(result))
}
