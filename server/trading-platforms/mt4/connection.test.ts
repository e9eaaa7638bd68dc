import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { recordedLog } from '../../../tests/fixtures/trading/trading-platforms.ts'
import { realTime } from '../../foundation/timer.ts'
import { GatewayError } from '../contract.ts'
import { makeIntentTag } from '../intent-tag.ts'
import { connectPlatform } from '../registry.ts'

/** A bridge with faults in HTTP itself, below what the simulator can do. */
type Answer = (request: IncomingMessage, response: ServerResponse) => void
let answerMoney: Answer
let asked: string[] = []
let server: Server
let elsewhere: Server
let callsElsewhere = 0

const account = {
  login: '400101',
  group: 'real-usd',
  currency: 'USD',
  currency_digits: 2,
  leverage: 100,
  enable: true,
  enable_change_password: true,
  enable_read_only: false,
  name: 'Ada North',
  email: 'ada@example.test',
  comment: '',
  registered_at: '2026-01-05T08:00:00Z',
  balance: '10.00',
  credit: '0.00',
  equity: null,
  floating: null,
  margin: null,
  margin_free: null,
  margin_level: null,
}
const sendJson = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

before(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    request.resume().once('end', () => {
      if (request.method === 'POST') answerMoney(request, response)
      else sendJson(response, account)
    })
  })
  elsewhere = createServer((_request, response) => {
    callsElsewhere += 1
    sendJson(response, { order: '1' }, 201)
  })
  for (const one of [server, elsewhere]) await new Promise<void>((done) => one.listen(0, '127.0.0.1', done))
})
after(() => {
  for (const one of [server, elsewhere]) {
    one.closeAllConnections()
    one.close()
  }
})

const portOf = (one: Server) => (one.address() as AddressInfo).port

async function sendMoney(answer: Answer): Promise<string[]> {
  answerMoney = answer
  asked = []
  const log = recordedLog()
  const settings = {
    baseUrl: `http://127.0.0.1:${portOf(server)}`,
    token: 'a-token-of-some-length',
    allowPlainHttp: true,
    deadlines: { connectMs: 5_000, readMs: 5_000, writeMs: 5_000 },
  }
  const gateway = connectPlatform('mt4', settings, { time: realTime, log })
  const wanted = {
    tag: makeIntentTag(),
    login: '400101',
    kind: 'balance',
    amount: '1',
    currency: 'USD',
    note: 'Deposit',
    refuseIfMarginTooLow: false,
  } as const
  try {
    const receipt = await gateway.changeBalance(wanted)
    return ['done', receipt.ticket]
  } catch (error) {
    assert.ok(error instanceof GatewayError)
    return [error.outcome, error.reason]
  } finally {
    assert.equal(asked.filter((one) => one.startsWith('POST')).length, 1, 'sent more than once')
    await gateway.close()
  }
}

test('an answer of the agreed form is done', async () => {
  assert.deepEqual(await sendMoney((_request, response) => sendJson(response, { order: '41' }, 201)), ['done', '41'])
})

test('an answer behind a byte order mark, which Windows writes, is read', async () => {
  const marked = (status: number, body: object): Answer => {
    return (_request, response) => response.writeHead(status).end(`\uFEFF${JSON.stringify(body)}`)
  }
  assert.deepEqual(await sendMoney(marked(201, { order: '41' })), ['done', '41'])
  const error = { code: 'insufficient_funds', platform_code: 134, message: '', executed: 'no' }
  assert.deepEqual(await sendMoney(marked(422, { error })), ['rejected', 'insufficient_funds'])
})

test('a redirect is not followed: no other host gets the token, and nothing is booked twice', async () => {
  for (const status of [301, 302, 307, 308]) {
    const location = `http://127.0.0.1:${portOf(elsewhere)}/`
    const sent = sendMoney((_request, response) => response.writeHead(status, { location }).end())
    assert.deepEqual(await sent, ['unknown', 'protocol'])
  }
  assert.equal(callsElsewhere, 0)
})

test('an endless answer is cut off', async () => {
  const chunk = Buffer.alloc(1_000_000, ' ')
  const sent = sendMoney((_request, response) => {
    response.writeHead(201, { 'content-type': 'application/json' })
    const more = () => {
      while (!response.destroyed && response.write(chunk));
      response.once('drain', more)
    }
    more()
  })
  const [outcome, reason] = await sent
  assert.equal(outcome, 'unknown')
  assert.ok(reason === 'session_lost' || reason === 'timeout', reason)
})

test('a truncated, empty or malformed answer is unknown', async () => {
  const half: Answer = (_request, response) => {
    response.writeHead(201, { 'content-length': '100' })
    response.write('{"order":"4')
    setImmediate(() => response.destroy())
  }
  assert.deepEqual(await sendMoney(half), ['unknown', 'session_lost'])
  for (const body of [null, {}, { order: 41 }, { order: '' }, { order: '-1' }, [], 'done']) {
    const sent = sendMoney((_request, response) => sendJson(response, body, 201))
    assert.deepEqual(await sent, ['unknown', 'protocol'], JSON.stringify(body))
  }
  assert.deepEqual(await sendMoney((_request, response) => response.writeHead(204).end()), ['unknown', 'protocol'])
})

test('gives up a bridge that accepts the call and does not answer, at the deadline', async () => {
  assert.deepEqual(await sendMoney(() => undefined), ['unknown', 'timeout'])
})
