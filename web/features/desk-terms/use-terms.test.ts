// spec: DK terms
import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { DeskTerms } from '@atrium/contract/terms/desk-calls.ts'
import { QueryObserver } from '@tanstack/react-query'
import { hookUnderTest } from '../../hook-under-test.ts'
import { openPage } from '../../page-under-test.ts'
import { queryClient } from '../../ui/lists/query-client.ts'
import { termsOneQuery, usePublishTerms } from './use-terms.ts'

const _id = '0199a1b2-0000-7000-8000-000000000001'
let stored = 1
let publish: ReturnType<typeof usePublishTerms>
let closePage: () => void
let closeTerms: () => void
const page = hookUnderTest(
  () => usePublishTerms(_id),
  (now) => {
    publish = now
  },
)

beforeEach(() => {
  stored = 1
  closePage = openPage(async () =>
    Response.json({ code: 'conflict', error: deskTexts.termsChangedElsewhere }, { status: 409 }),
  )
  const { queryKey } = termsOneQuery(_id)
  queryClient.setQueryData(queryKey, { _id, revision: stored } as DeskTerms)
  const terms = new QueryObserver(queryClient, {
    queryKey,
    queryFn: async () => ({ _id, revision: stored }) as DeskTerms,
    staleTime: Number.POSITIVE_INFINITY,
  })
  closeTerms = terms.subscribe(() => undefined)
  page.show()
})
afterEach(() => {
  page.close()
  closeTerms()
  queryClient.clear()
  closePage()
})

it('terms that a colleague has changed are read again, so that the next attempt publishes what the page shows', async () => {
  stored = 2
  await assert.rejects(publish.mutateAsync({ revision: 1, asks_again: true }), {
    message: deskTexts.termsChangedElsewhere,
  })
  assert.equal(queryClient.getQueryData(termsOneQuery(_id).queryKey)?.revision, 2)
})
