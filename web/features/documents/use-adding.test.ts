import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { texts } from '@atrium/contract/texts.ts'
import { flushSync } from 'react-dom'
import { hookUnderTest } from '../../hook-under-test.ts'
import { openPage } from '../../page-under-test.ts'
import { nextToast } from '../../toast-under-test.ts'
import { queryClient } from '../../ui/lists/query-client.ts'
import '../../ui/text/i18n.ts'
import { useAdding } from './use-adding.ts'

const idOf = (number: number) => `0199a1b2-0000-7000-8000-00000000000${number}`
const categoryOf = (number: number) => ({
  ...{ _id: idOf(number), name: `${number}`, description: '', required: true },
  valid_documents: [],
})
const known = [categoryOf(1)]
const needOf = (category: number) => ({
  ...{ kind: 'request' as const, _id: idOf(9), category: idOf(category), name: 'Income', note: '' },
  ...{ valid_document: null, standing: 'missing' as const },
})

let asked: string[] = []
let answered = [categoryOf(2)]
let shown: ReturnType<typeof useAdding>
let closePage: () => void
const { show, until, close } = hookUnderTest(
  () => useAdding(known),
  (now) => (shown = now),
)

beforeEach(() => {
  ;[asked, answered] = [[], [categoryOf(2)]]
  closePage = openPage(async (address) => {
    asked.push(address)
    return Response.json({ status: 'ok', categories: answered })
  })
  show()
})
afterEach(() => {
  close()
  queryClient.clear()
  closePage()
})

it('opens for a request of a category that the page shows', () => {
  flushSync(() => shown.addFor(needOf(1)))
  assert.deepEqual([shown.adding?.category._id, shown.adding?.request, asked], [idOf(1), idOf(9), []])
})

it('opens for a request of a category that the member does not see', async () => {
  flushSync(() => shown.addFor(needOf(2)))
  await until(() => shown.adding !== null)
  assert.deepEqual([shown.adding?.category._id, shown.adding?.request], [idOf(2), idOf(9)])
  assert.deepEqual(asked, [`/file-categories/cp-search?request=${idOf(9)}`])
})

it('says when the category of a request is not found', async () => {
  answered = known
  const said = nextToast()
  flushSync(() => shown.addFor(needOf(2)))
  assert.equal(await said, texts.requestFailed)
  assert.equal(shown.adding, null)
})
