import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { texts } from '@atrium/contract/texts.ts'
import { focusManager } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { hookUnderTest } from '../../hook-under-test.ts'
import { queryClient } from '../../ui/lists/query-client.ts'
import { useEdited } from './use-edited.ts'

type Row = { _id: string; revision: string }

let shown: ReturnType<typeof useEdited<Row>>
let asked: number
/** Null: the server answers with the rows. */
let failure: ApiError | null

async function read(): Promise<Row[]> {
  asked += 1
  if (failure) throw failure
  return [{ _id: 'a', revision: '1' }]
}
const { show, until, close } = hookUnderTest(
  (id: string | null) => useEdited('edited', id, read),
  (result) => (shown = result),
)

beforeEach(() => {
  asked = 0
  failure = null
})
afterEach(() => {
  close()
  queryClient.clear()
})

it('an account that could not be read is read before its form, which would otherwise overwrite newer values', async () => {
  failure = new ApiError({ code: 'unreachable', message: texts.requestFailed })
  show('a')
  assert.equal(shown.isLoading, true)
  await until(() => !shown.isLoading)
  assert.equal(shown.error, failure)
  failure = null
  void shown.refetch()
  await until(() => shown.edited !== null)
  assert.deepEqual([shown.error, shown.edited?.revision], [null, '1'])
})

it('the form stays when the newer values cannot be read', async () => {
  show('a')
  await until(() => shown.edited !== null)
  failure = new ApiError({ code: 'unreachable', message: texts.requestFailed })
  assert.equal(await shown.readAgain(), null)
  assert.deepEqual([shown.isLoading, shown.error, shown.edited?.revision], [false, null, '1'])
})

it('the form stays when the member comes back to the page, also beside a server of the previous version', async () => {
  failure = new ApiError({ code: 'fault', message: texts.requestFailed })
  show('a')
  await until(() => !shown.isLoading)
  assert.deepEqual([shown.edited, shown.error], [null, null])
  focusManager.setFocused(false)
  focusManager.setFocused(true)
  focusManager.setFocused(undefined)
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual([shown.isLoading, asked], [false, 1])
})

it('a new account is not read', () => {
  show(null)
  assert.deepEqual([shown.isLoading, shown.error, asked], [false, null, 0])
})
