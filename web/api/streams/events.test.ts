import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { openPage, sessionOf } from '../../page-under-test.ts'
import { followEvents, readBlock, type StreamEvent } from './events.ts'

const sent: RequestInit[] = []
let answer: () => Response = () => new Response()
let signedOut = 0
let closePage: () => void

beforeEach(() => {
  sent.length = 0
  signedOut = 0
  const serve = async (_address: string, init: RequestInit) => {
    sent.push(init)
    return answer()
  }
  closePage = openPage(serve, { session: sessionOf('secret'), onSignedOut: () => (signedOut += 1) })
})
afterEach(() => closePage())

function streamOf(...pieces: string[]): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
      controller.close()
    },
  })
  return new Response(body)
}

async function follow(signal = new AbortController().signal): Promise<StreamEvent[]> {
  const events: StreamEvent[] = []
  await followEvents('/members/trading/live', { signal, onEvent: (event) => events.push(event) })
  return events
}

it('parses events split across chunks and ignores keep-alive comments', async () => {
  answer = () =>
    streamOf('retry: 3000\n\nevent: fig', 'ures\ndata: {"a":"\u00e9"}\n', '\n: still here\n\nevent: end\ndata: {}\n\n')
  assert.deepEqual(await follow(), [
    { name: 'figures', data: { a: '\u00e9' } },
    { name: 'end', data: {} },
  ])
  assert.deepEqual(sent[0]?.headers, { accept: 'text/event-stream', authorization: 'Bearer secret' })
})

it('throws the same errors as a call and reports an expired session', async () => {
  answer = () => Response.json({ status: 'error', code: 'unauthenticated', error: 'Please sign in.' }, { status: 401 })
  await assert.rejects(follow(), { code: 'unauthenticated' })
  assert.equal(signedOut, 1)
  answer = () => Response.json({ code: 'too_many_requests' }, { status: 429, headers: { 'retry-after': '30' } })
  await assert.rejects(follow(), { code: 'too_many_requests', retryAfterSeconds: 30 })
})

it('resolves without an error when the caller aborts', async () => {
  const leaving = new AbortController()
  answer = () => {
    leaving.abort()
    throw new DOMException('Left', 'AbortError')
  }
  assert.deepEqual(await follow(leaving.signal), [])
})

it('returns null for a block without an event', () => {
  for (const block of ['', ': still here', 'retry: 3000', 'event: figures', 'data: 1', 'event: figures\ndata: {'])
    assert.equal(readBlock(block), null)
})
