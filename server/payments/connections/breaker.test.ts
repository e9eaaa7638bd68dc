// spec: OP faults
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeTime, recordedLog, until } from '../../../tests/fixtures/trading/trading-platforms.ts'
import { type Http, type HttpAnswer, PaymentProblem, type PaymentProvider } from '../../payment-providers/contract.ts'
import { openBreaker } from './breaker.ts'

type Ends = HttpAnswer | 'no answer' | 'not reachable' | 'refused by us'

/** A provider with a two-step call over HTTP with scripted results. */
function bench() {
  const time = fakeTime(Date.UTC(2026, 10, 22))
  const log = recordedLog()
  let ends: Ends = { status: 200, text: 'ok' }
  const sent: string[] = []
  const http: Http = async ({ url }) => {
    if (ends === 'refused by us') throw new PaymentProblem('misconfigured', 'in a private network')
    sent.push(url)
    if (ends === 'no answer') throw new PaymentProblem('unknown', ends)
    if (ends === 'not reachable') throw new PaymentProblem('unavailable', ends)
    return ends
  }
  const connect = (wire: Http): PaymentProvider => {
    const call = async (url: string): Promise<void> => {
      const { status } = await wire({ method: 'POST', url })
      if (status !== 200) throw new PaymentProblem('declined', String(status))
    }
    return {
      pageOrigins: [],
      start: () => assert.fail('is not asked here'),
      proves: {},
      readWebhookEvent: () => assert.fail('is not asked here'),
      async readStatus() {
        await call('status')
        return null
      },
      async complete() {
        await call('complete')
        return null
      },
      async readCoins() {
        await call('coins')
        return []
      },
      async payOut() {
        await call('prepare')
        // The circuit may open between the steps; a call in progress continues.
        await steps.between()
        await call('transfer')
        return { state: 'paid', reference: null }
      },
      test: () => call('test'),
    }
  }
  const steps = { between: async (): Promise<void> => undefined }
  const breaker = openBreaker({ pauses: { firstMs: 1_000, maxMs: 30_000 }, time, log: log as never, connect, http })
  const provider = breaker.guarding(connect(breaker.listening(http)))
  const answerWith = (next: Ends): void => {
    ends = next
  }
  return { time, log, sent, steps, breaker, provider, answerWith }
}

const question = { attempt: 'dep-1', reference: null, at: new Date() }
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    (problem) => (problem as PaymentProblem).failure,
  )

async function askInVain({ provider }: ReturnType<typeof bench>, times: number): Promise<void> {
  for (let time = 0; time < times; time++)
    await failureOf(provider.readStatus?.(question) ?? assert.fail('cannot be asked'))
}

test('sends nothing more after at most five unanswered calls, whatever the call', async () => {
  for (const silence of ['no answer', 'not reachable', { status: 503, text: '' }] as const) {
    const all = bench()
    all.answerWith(silence)
    await askInVain(all, 12)
    assert.ok(all.sent.length <= 5, `${all.sent.length} were sent`)
    const { provider, sent } = all
    const before = sent.length
    const { complete, readCoins, payOut } = provider
    assert.ok(complete && readCoins && payOut)
    const calls = [
      provider.readStatus?.(question) ?? assert.fail('cannot be asked'),
      provider.start({} as never),
      complete({ ...question, amount: '1.00', currency: 'USD' }),
      readCoins(),
      payOut({} as never),
    ]
    for (const call of calls) assert.equal(await failureOf(call), 'unavailable')
    assert.equal(sent.length, before)
    assert.ok(all.log.lines.some((line) => line.includes('provider.circuit-opened') && line.includes('"alert":true')))
  }
})

test('counts a refusal as an answer, and ignores calls that we refuse to send', async () => {
  for (const ends of [{ status: 401, text: '' }, { status: 404, text: '' }, 'refused by us'] as const) {
    const all = bench()
    all.answerWith(ends)
    await askInVain(all, 12)
    assert.equal(all.breaker.isOpen(), false)
  }
})

test('an answer resets the failure count', async () => {
  const all = bench()
  for (let round = 0; round < 4; round++) {
    all.answerWith('no answer')
    await askInVain(all, 2)
    all.answerWith({ status: 200, text: 'ok' })
    await askInVain(all, 1)
  }
  assert.equal(all.breaker.isOpen(), false)
})

test('a payout in progress keeps its own outcome when the circuit opens meanwhile', async () => {
  const all = bench()
  all.steps.between = async () => {
    all.answerWith('no answer')
    await askInVain(all, 5)
    assert.equal(all.breaker.isOpen(), true)
  }
  assert.equal(await failureOf(all.provider.payOut?.({} as never) ?? Promise.resolve()), 'unknown')
  assert.equal(all.sent.at(-1), 'transfer')
})

test('closes when its own probe is answered, even by a refusal, and never through a call', async () => {
  for (const answer of [
    { status: 200, text: 'ok' },
    { status: 403, text: '' },
  ]) {
    const all = bench()
    all.answerWith('no answer')
    await askInVain(all, 5)
    const before = all.sent.length
    all.time.advance(1_000)
    await until(() => all.sent.length > before)
    assert.equal(all.sent.at(-1), 'test')
    assert.equal(all.breaker.isOpen(), true)
    all.answerWith(answer)
    await until(() => {
      all.time.advance(1_000)
      return !all.breaker.isOpen()
    })
    assert.deepEqual(all.sent.slice(before), ['test', 'test'])
    assert.equal(
      await failureOf(all.provider.readStatus?.(question) ?? assert.fail('cannot be asked')),
      answer.status === 200 ? 'none' : 'declined',
    )
  }
})
