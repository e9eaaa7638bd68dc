import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import type { FromWorker, Result } from './test-pool.ts'

const empty = (): Result => ({ passed: 0, failed: 0, skipped: 0, reds: [] })

/** Prints each failure in full, and sends a result per file (a top-level suite) to the pool of this worker. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let result = empty()
  let [file, started] = ['', '']
  // A test waits for what nothing will do: neither it nor another test of this process can go on.
  process.once('beforeExit', () => {
    const red = `${file}  ${started}: waits for something that nothing in its process will do`
    console.error(`  ✖ ${red}`)
    result.failed += 1
    result.reds.push(red)
    process.send?.({ kind: 'ended', file, result } satisfies FromWorker, () => process.exit(1))
  })
  for await (const event of events) {
    if (event.type === 'test:dequeue') {
      started = event.data.name
      if (event.data.nesting === 0) file = started
    }
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const { data } = event
    const isFile = data.nesting === 0
    if (event.type === 'test:fail' && isOwnFailure(event.data)) {
      result.failed += 1
      result.reds.push(`${placeOf(event.data)}  ${data.name}: ${reasonOf(event.data)}`)
      yield describeFailure(event.data)
    } else if (data.skip !== undefined || data.todo !== undefined) result.skipped += 1
    else if (event.type === 'test:pass' && data.details.type !== 'suite') result.passed += 1
    if (!isFile) continue
    process.send?.({ kind: 'ended', file: data.name, result } satisfies FromWorker)
    result = empty()
  }
}

type Failure = Extract<TestEvent, { type: 'test:fail' }>['data']

/** A suite or file that fails because of a test inside, which is reported already. */
function isOwnFailure({ details }: Failure) {
  return !('failureType' in details.error && details.error.failureType === 'subtestsFailed')
}

function describeFailure(failure: Failure) {
  const { error } = failure.details
  return `  ✖ ${failure.name}  (${placeOf(failure)})\n${inspect(error.cause ?? error, { depth: 6 }).replace(/^/gm, '      ')}\n`
}

/** Adds the reason, since names alone are not enough when only the end of a long log is stored. */
function reasonOf({ details: { error } }: Failure) {
  const cause = error.cause instanceof Error ? error.cause : error
  const [firstLine = ''] = cause.message.split('\n')
  return firstLine.slice(0, 200)
}

/** A file that failed to load has no line number. */
function placeOf({ nesting, name, file, line }: Failure) {
  if (nesting === 0) return name
  return file ? `${relative(process.cwd(), file)}${line ? `:${line}` : ''}` : ''
}
