import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, it } from 'node:test'
import { hookUnderTest } from '../../../hook-under-test.ts'
import { useShownRow } from './use-shown-row.ts'

type Row = { _id: string; state: string }
type Answer = { data: Row | null | undefined; error: Error | null }

let found: ReturnType<typeof useShownRow<Row>>
/** The answer about the one row, and for which ids it was asked. */
let answer: Answer
let asked: (string | undefined)[]

const { show, close } = hookUnderTest(
  ({ id, rows }: { id: string | undefined; rows: Row[] | undefined }) =>
    useShownRow({
      id,
      rows,
      useOne: (one) => {
        asked.push(one)
        return { ...(one === undefined ? { data: undefined, error: null } : answer), refetch: () => undefined }
      },
    }),
  (shown) => (found = shown),
)

beforeEach(() => {
  answer = { data: undefined, error: null }
  asked = []
})
afterEach(close)

const waiting = { _id: 'a', state: 'waiting' }
const other = { _id: 'b', state: 'waiting' }

it('a row that leaves the page while it is shown stays until the answer about it', () => {
  show({ id: 'a', rows: [waiting] })
  show({ id: 'a', rows: [other] })
  assert.deepEqual([found.shown, asked.at(-1)], [waiting, 'a'])
  answer = { data: { ...waiting, state: 'seen' }, error: null }
  show({ id: 'a', rows: [other] })
  assert.equal(found.shown?.state, 'seen')
})

it('a row stays while the list is loading, and while the one row cannot be read', () => {
  show({ id: 'a', rows: [waiting] })
  show({ id: 'a', rows: undefined })
  assert.deepEqual([found.shown, asked.at(-1)], [waiting, undefined])
  answer = { data: undefined, error: new Error('No answer') }
  show({ id: 'a', rows: [other] })
  assert.deepEqual([found.shown, found.isUnread], [waiting, true])
})

it('a row that is gone is not shown any more, and neither is another than the one of the address', () => {
  show({ id: 'a', rows: [waiting] })
  answer = { data: null, error: null }
  show({ id: 'a', rows: [other] })
  assert.deepEqual([found.shown, found.isMissing], [undefined, true])
  show({ id: 'b', rows: [other] })
  assert.deepEqual([found.shown, found.isMissing], [other, false])
  answer = { data: undefined, error: null }
  show({ id: 'c', rows: [other] })
  assert.equal(found.shown, undefined)
  show({ id: undefined, rows: [other] })
  assert.equal(found.shown, undefined)
})

it('every part of the portal that shows the row of the address keeps it', () => {
  const web = join(import.meta.dirname, '../../..')
  const files = globSync('{features,portal,viewer}/**/*.{ts,tsx}', { cwd: web }).filter(
    (file) => !file.includes('.test.') && !file.includes('features/desk-'),
  )
  const finding = files.filter((file) => /\brows\??\.find\(/.test(readFileSync(join(web, file), 'utf8')))
  assert.deepEqual(finding, [])
})
