// spec: DK requests
import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { requestStates } from '@atrium/contract/requests/states.ts'
import { QueryClient } from '@tanstack/react-query'
import { openPage } from '../../page-under-test.ts'
import { requests, waitingRequestsQuery } from './use-desk-requests.ts'

let unassigned = 0
let closePage: () => void

beforeEach(() => {
  const counts = () =>
    Object.fromEntries(requestStates.map((state) => [state, state === 'not-assigned' ? unassigned : 0]))
  closePage = openPage(async () =>
    Response.json({ status: 'ok', requests: [], next: null, previous: null, total: 0, counts: counts() }),
  )
})
afterEach(() => closePage())

it('the count in the menu is that of the whole board, not of a filtered one', async () => {
  const client = new QueryClient()
  const shown = () => client.getQueryData(waitingRequestsQuery.queryKey)
  unassigned = 7
  await requests.ask({ status: 'open' }, client)
  assert.equal(shown(), 7)
  unassigned = 0
  const id = '0199a1b2-0000-7000-8000-000000000001'
  for (const filter of [{ mine: 'yes' as const }, { q: 'address' }, { type: id }, { member: id }])
    await requests.ask({ status: 'not-assigned', ...filter }, client)
  assert.equal(shown(), 7)
})
