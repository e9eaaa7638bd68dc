// spec: MP 8, AO 7
import assert from 'node:assert/strict'
import { randomUUID as newId } from 'node:crypto'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { defineCall } from '@atrium/contract/call.ts'
import { limits } from '@atrium/contract/limits.ts'
import { signOut } from '@atrium/contract/sessions/calls.ts'
import { texts } from '@atrium/contract/texts.ts'
import { respondToTicket } from '@atrium/contract/tickets/calls.ts'
import { z } from 'zod'
import { openPage, sessionOf } from '../page-under-test.ts'
import { ApiError } from './api-error.ts'
import { call, fetchAnswer, graph, prefetchCall, startTransport } from './transport.ts'

/** The parts of the browser that a call needs: the page URL and fetch. */
const sent: { address: string; init: RequestInit }[] = []
let answer: () => Response = () => Response.json({})
let closePage: () => void

beforeEach(() => {
  sent.length = 0
  const serve = async (address: string, init: RequestInit) => {
    sent.push({ address, init })
    return answer()
  }
  closePage = openPage(serve, { session: sessionOf('secret') })
})
afterEach(() => {
  closePage()
  mock.timers.reset()
})

const reportsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  const events: string[] = []
  const listen = (event: Event) => events.push((event as CustomEvent<{ event: string }>).detail.event)
  // Node has no window, so this dispatches the events directly.
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
  it('sends the bearer token, and credentials across origins', async () => {
    answer = () => Response.json({ status: 'ok' })
    await call(signOut, {})
    const [{ address, init } = { address: '', init: {} }] = sent
    assert.deepEqual([address, init.method, init.credentials], ['/users/logout', 'POST', 'include'])
    assert.equal((init.headers as Record<string, string>).authorization, 'Bearer secret')
  })
})

describe('an answer of the next version', () => {
  const asked = defineCall({
    method: 'GET',
    path: '/desk/api/asked',
    access: 'member',
    input: z.object({}),
    answer: z.object({ status: z.literal('ok'), states: z.array(z.enum(['open', 'closed'])) }),
  })

  it('is read with the values that this version does not know, which are reported', async () => {
    answer = () => Response.json({ status: 'ok', states: ['open', 'refused'] })
    const reports = await reportsOf(async () => {
      assert.deepEqual((await call(asked, {})).states, ['open', 'refused'])
    })
    assert.deepEqual(reports, ['answer.unknown-value'])
  })

  it('is refused if its shape differs', async () => {
    answer = () => Response.json({ status: 'ok', states: [1] })
    await assert.rejects(call(asked, {}), { code: 'fault' })
  })
})

describe('a request sent early', () => {
  const path = '/user/permissions'
  const ask = () => fetchAnswer({ method: 'GET', path })

  it('answers one caller, and the next caller sends a new request', async () => {
    prefetchCall(path)
    await ask()
    assert.equal(sent.length, 1)
    await ask()
    assert.equal(sent.length, 2)
  })

  it('reports a failure to the caller that takes it', async () => {
    answer = () => Response.json({ code: 'forbidden', message: 'No.' }, { status: 403 })
    prefetchCall(path)
    await assert.rejects(ask, ApiError)
    assert.equal(sent.length, 1)
    answer = () => Response.json({})
  })

  it('is discarded when another user has signed in', async () => {
    prefetchCall(path)
    startTransport({
      session: sessionOf('of another'),
      onSignedOut: () => undefined,
      onMustEnrol: () => undefined,
    })
    await ask()
    assert.equal(sent.length, 2)
  })
})

describe('a call whose answer is lost', () => {
  const unreachable = () => {
    throw new TypeError('Failed to fetch')
  }
  const ofBalancer = () => new Response('<h1>502</h1>', { status: 502 })
  const said = { _id: 'one', response: { type: 'message' as const, content: 'Hello' } }
  const created = { status: 'ok', msg: [], ticket: { _id: newId(), ticket: '1', status: 'open', priority: 'low' } }
  const inTurn =
    (...answers: (() => Response)[]) =>
    (): Response =>
      (answers.shift() ?? (() => assert.fail('it was sent too often')))()

  for (const [what, lose] of [
    ['a call lost with the connection', unreachable],
    ['a call lost with the process behind the balancer', ofBalancer],
  ] as const) {
    it(`${what} is retried once when the call is idempotent`, async () => {
      answer = inTurn(lose, () => Response.json({ ...created, message: { uid: newId() } }))
      await call(respondToTicket, said)
      assert.deepEqual(
        sent.map(({ init }) => init.body),
        [JSON.stringify(said), JSON.stringify(said)],
      )
      answer = inTurn(lose, lose)
      await assert.rejects(call(respondToTicket, said), (error) => error instanceof ApiError && error.isLost)
    })

    it(`${what} is not retried when the call is not idempotent`, async () => {
      answer = inTurn(lose)
      await assert.rejects(call(signOut, {}), (error) => error instanceof ApiError && error.isLost)
      assert.equal(sent.length, 1)
    })
  }

  for (const [what, status] of [
    ['refused', 422],
    ['answered with 503 by a running process', 503],
    ['answered with 504 by a balancer', 504],
  ] as const)
    it(`is not retried when it is ${what}`, async () => {
      answer = inTurn(() => Response.json({}, { status }))
      await assert.rejects(call(respondToTicket, said), ApiError)
      assert.equal(sent.length, 1)
    })
})

describe('a change without a network', () => {
  const said = { _id: 'one', response: { type: 'message' as const, content: 'Hello' } }
  const refusedAs = (code: string, message: string) => (error: unknown) =>
    error instanceof ApiError && error.code === code && error.message === message
  const setOnline = (isOnline: boolean) =>
    Object.defineProperty(navigator, 'onLine', { configurable: true, value: isOnline })
  afterEach(() => Reflect.deleteProperty(navigator, 'onLine'))

  it('is refused immediately as not sent', async () => {
    Object.assign(globalThis, { location: new URL('https://harbour.example/') })
    setOnline(false)
    await assert.rejects(call(respondToTicket, said), refusedAs('not_sent', texts.offline))
    assert.deepEqual(sent, [])
  })

  it('is sent to a local server, which answers without a network', async () => {
    setOnline(false)
    answer = () => Response.json({ status: 'ok' })
    await call(signOut, {})
    assert.deepEqual(
      sent.map(({ address }) => new URL(address, 'http://harbour.localhost/').pathname),
      ['/healthz', '/users/logout'],
    )
  })

  it('is refused when the local server does not answer', async () => {
    setOnline(false)
    answer = () => {
      throw new TypeError('Failed to fetch')
    }
    await assert.rejects(call(respondToTicket, said), refusedAs('not_sent', texts.offline))
    assert.equal(sent.length, 1)
  })

  it('is not retried and has an unknown outcome when it is lost in transit', async () => {
    Object.assign(globalThis, { location: new URL('https://harbour.example/') })
    answer = () => {
      setOnline(false)
      throw new TypeError('Failed to fetch')
    }
    await assert.rejects(call(respondToTicket, said), (error) => error instanceof ApiError && error.isOutcomeUnknown)
    assert.equal(sent.length, 1)
  })

  it('asks the user to check before retrying a call that is not idempotent', async () => {
    answer = () => {
      throw new TypeError('Failed to fetch')
    }
    await assert.rejects(call(signOut, {}), refusedAs('unreachable', texts.outcomeUnknown))
    await assert.rejects(call(respondToTicket, said), refusedAs('unreachable', texts.requestFailed))
  })

  it('is aborted with its page and not retried', async () => {
    const life = new AbortController()
    answer = () => {
      life.abort()
      throw new DOMException('Gone', 'AbortError')
    }
    await assert.rejects(call(respondToTicket, said, { signal: life.signal }), ApiError)
    assert.equal(sent.length, 1)
    assert.equal(sent[0]?.init.signal?.aborted, true)
  })

  it('times out after the limit for requests', async () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    answer = () => {
      mock.timers.tick(limits.requestAbortMs)
      throw sent[0]?.init.signal?.reason
    }
    await assert.rejects(call(signOut, {}), refusedAs('aborted', texts.outcomeUnknown))
  })
})

describe('a query', () => {
  const document = { toString: () => 'query { current_member { _id } }' }

  it('returns data and reports the errors that accompany it', async () => {
    answer = () => Response.json({ data: { current_member: null }, errors: [{ message: 'No.' }] })
    let data: unknown
    const reports = await reportsOf(async () => {
      data = (await graph(document, {})).data
    })
    assert.deepEqual([data, reports], [{ current_member: null }, ['graph.errors']])
  })

  it('throws a fault for an answer without data', async () => {
    answer = () => Response.json({ errors: [{ message: 'No.' }] })
    await reportsOf(() =>
      assert.rejects(graph(document, {}), (error) => error instanceof ApiError && error.code === 'fault'),
    )
  })
})
