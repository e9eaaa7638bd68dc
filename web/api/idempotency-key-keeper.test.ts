// spec: MP 7
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { outcomeTexts } from '@atrium/contract/funding/outcome-texts.ts'
import { ApiError } from './api-error.ts'
import { createIdempotencyKeyKeeper } from './idempotency-key-keeper.ts'

const failure = (code: ApiError['code'], message = 'no') => new ApiError({ code, message, isAnswered: true })

/** A server that accepts each idempotency key once and whose answers can be lost. */
function aForm({ tokenFailures = 0 } = {}) {
  let made = 0
  const keeper = createIdempotencyKeyKeeper(async () => {
    made += 1
    if (made <= tokenFailures) throw failure('unreachable')
    return `token-${made}`
  })
  const done = new Map<string, string>()
  const send = (amount: string, how: 'answered' | 'lost' | 'never-came' | 'refused' = 'answered') =>
    keeper.send(async (token) => {
      if (how === 'never-came') throw failure('unreachable')
      if (how === 'refused') throw failure('invalid_input')
      const earlier = done.get(token)
      if (earlier !== undefined && earlier !== amount) throw failure('nonce_reused')
      done.set(token, amount)
      if (how === 'lost') throw failure('aborted')
      return amount
    })
  return { keeper, send, created: () => [...done.values()] }
}

const refusedAs = (code: string, message?: string) => (thrown: unknown) =>
  thrown instanceof ApiError && thrown.code === code && (message === undefined || thrown.message === message)

describe('the idempotency key of a form', () => {
  it('reports that the submission may be done after an unknown outcome or a success', async () => {
    const { keeper, send } = aForm()
    assert.equal(keeper.mayBeDone(), false)
    const refused = send('34', 'refused')
    await assert.rejects(refused)
    assert.equal(keeper.mayBeDone(), false)
    await assert.rejects(send('34', 'lost'))
    assert.equal(keeper.mayBeDone(), true)
    await assert.rejects(send('34', 'refused'))
    assert.equal(keeper.mayBeDone(), true)
    await send('34')
    assert.equal(keeper.mayBeDone(), true)
  })

  it('creates one record when the same input is sent repeatedly', async () => {
    const { send, created } = aForm()
    await assert.rejects(send('34', 'lost'))
    await send('34')
    await Promise.all([send('34'), send('34')])
    assert.deepEqual(created(), ['34'])
  })

  it('creates one record when the input changes after a lost answer', async () => {
    const { keeper, send, created } = aForm()
    await assert.rejects(send('34', 'lost'))
    assert.ok(keeper.isInDoubt())
    await assert.rejects(send('35'), refusedAs('nonce_reused', outcomeTexts.earlierAttemptDone))
    assert.deepEqual(created(), ['34'])
    // After the conflict is reported, another submission creates a second record.
    assert.ok(!keeper.isInDoubt())
    await send('35')
    assert.deepEqual(created(), ['34', '35'])
  })

  it('creates the changed record when the first attempt never arrived', async () => {
    const { keeper, send, created } = aForm()
    await assert.rejects(send('34', 'never-came'))
    await send('35')
    assert.deepEqual(created(), ['35'])
    assert.ok(!keeper.isInDoubt())
  })

  it('stays in doubt after a lost answer while later attempts are refused or not sent', async () => {
    const { keeper, send, created } = aForm()
    await assert.rejects(send('34', 'lost'))
    await assert.rejects(send('', 'refused'), refusedAs('invalid_input'))
    await assert.rejects(
      keeper.send(() => Promise.reject(failure('not_sent'))),
      refusedAs('not_sent'),
    )
    assert.ok(keeper.isInDoubt())
    await assert.rejects(send('35'), refusedAs('nonce_reused', outcomeTexts.earlierAttemptDone))
    assert.deepEqual(created(), ['34'])
  })

  it('sends nothing without a key and fetches a new one on the next attempt', async () => {
    const { keeper, send, created } = aForm({ tokenFailures: 1 })
    await assert.rejects(send('34'), refusedAs('not_sent', outcomeTexts.notReached))
    assert.ok(!keeper.isInDoubt())
    assert.deepEqual(created(), [])
    await send('34')
    assert.deepEqual(created(), ['34'])
  })

  it('sends nothing when the page is left while the key is fetched', async () => {
    let arrive: (token: string) => void = () => undefined
    const keeper = createIdempotencyKeyKeeper(() => new Promise((resolve) => (arrive = resolve)))
    let sent = 0
    const sending = keeper.send(async () => {
      sent += 1
    })
    keeper.stop()
    arrive('token')
    await assert.rejects(sending, refusedAs('not_sent'))
    assert.equal(sent, 0)
    keeper.start()
    await keeper.send(async () => {
      sent += 1
    })
    assert.equal(sent, 1)
  })

  it('aborts the request when the page is left', async () => {
    const { keeper } = aForm()
    let reached: () => void = () => undefined
    const isSending = new Promise<void>((resolve) => (reached = resolve))
    const sending = keeper.send(
      (_, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(failure('aborted')))
          reached()
        }),
    )
    await isSending
    keeper.stop()
    await assert.rejects(sending, refusedAs('aborted'))
  })

  it('uses a new key after forget', async () => {
    const { keeper, send, created } = aForm()
    await send('34')
    keeper.forget()
    await send('34')
    assert.deepEqual(created(), ['34', '34'])
  })
})
