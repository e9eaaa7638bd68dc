import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { signOut } from '@atrium/contract/sessions.ts'
import { ApiError } from './api-error.ts'
import { call, graph, startTransport } from './transport.ts'

/** The browser, as far as a call needs one: the page's address and fetch itself. */
const sent: { address: string; init: RequestInit }[] = []
let answer: () => Response = () => Response.json({})

beforeEach(() => {
  sent.length = 0
  Object.assign(globalThis, { document: { querySelector: () => null }, location: new URL('http://harbour.localhost/') })
  mock.method(globalThis, 'fetch', async (address: string, init: RequestInit) => {
    sent.push({ address, init })
    return answer()
  })
  const session = { token: 'secret', userId: 'somebody' }
  startTransport({
    session: { read: () => session, clear: () => undefined } as never,
    onSignedOut: () => undefined,
    onMustEnrol: () => undefined,
  })
})
afterEach(() => {
  mock.restoreAll()
  for (const name of ['document', 'location']) Reflect.deleteProperty(globalThis, name)
})

const reportsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  const events: string[] = []
  const listen = (event: Event) => events.push((event as CustomEvent<{ event: string }>).detail.event)
  // Node has no window to listen at; what would be told there is told here.
  Object.assign(globalThis, {
    dispatchEvent: (event: Event) => {
      listen(event)
      return true
    },
  })
  await work()
  Reflect.deleteProperty(globalThis, 'dispatchEvent')
  return events
}

describe('a call', () => {
  it('carries the bearer token, and credentials across sites', async () => {
    answer = () => Response.json({ status: 'ok' })
    await call(signOut, {})
    const [{ address, init } = { address: '', init: {} }] = sent
    assert.deepEqual([address, init.method, init.credentials], ['/users/logout', 'POST', 'include'])
    assert.equal((init.headers as Record<string, string>).authorization, 'Bearer secret')
  })
})

describe('a query', () => {
  const document = { toString: () => 'query { current_member { _id } }' }

  it('that answers data with errors beside it gives the data, and only reports the errors', async () => {
    answer = () => Response.json({ data: { current_member: null }, errors: [{ message: 'No.' }] })
    let data: unknown
    const reports = await reportsOf(async () => {
      data = (await graph(document, {})).data
    })
    assert.deepEqual([data, reports], [{ current_member: null }, ['graph.errors']])
  })

  it('that answers nothing to show is a fault', async () => {
    answer = () => Response.json({ errors: [{ message: 'No.' }] })
    await reportsOf(() =>
      assert.rejects(graph(document, {}), (error) => error instanceof ApiError && error.code === 'fault'),
    )
  })
})
