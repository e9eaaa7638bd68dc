// spec: MP 7
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { outcomeTexts } from '@atrium/contract/funding/outcome-texts.ts'
import { ApiError } from './api-error.ts'
import { createIdempotencyKeyKeeper } from './idempotency-key-keeper.ts'

const failure = (code: ApiError['code'], message = 'no') => new ApiError({ code, message, isAnswered: true })

/** A server that takes each token once, as ours does, and whose answers can be lost. */
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

describe('what a form creates', () => {
  it('may be there from the first attempt until one was refused, and for good once it is', async () => {
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

  it('is one thing however often it is sent as it was', async () => {
    const { send, created } = aForm()
    await assert.rejects(send('34', 'lost'))
    await send('34')
    await Promise.all([send('34'), send('34')])
    assert.deepEqual(created(), ['34'])
  })

  it('is one thing when it was changed after an attempt that came and was not answered', async () => {
    const { keeper, send, created } = aForm()
    await assert.rejects(send('34', 'lost'))
    assert.ok(keeper.isInDoubt())
    await assert.rejects(send('35'), refusedAs('nonce_reused', outcomeTexts.earlierAttemptDone))
    assert.deepEqual(created(), ['34'])
    // Told of the first, whoever sends once more wants another one.
    assert.ok(!keeper.isInDoubt())
    await send('35')
    assert.deepEqual(created(), ['34', '35'])
  })

  it('is the changed one when the attempt before never came', async () => {
    const { keeper, send, created } = aForm()
    await assert.rejects(send('34', 'never-came'))
    await send('35')
    assert.deepEqual(created(), ['35'])
    assert.ok(!keeper.isInDoubt())
  })

  it('stays in doubt while what is tried after a lost answer is refused or does not leave the page', async () => {
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

  it('is nothing when no token came: nothing was sent, and the next try asks for one anew', async () => {
    const { keeper, send, created } = aForm({ tokenFailures: 1 })
    await assert.rejects(send('34'), refusedAs('not_sent', outcomeTexts.notReached))
    assert.ok(!keeper.isInDoubt())
    assert.deepEqual(created(), [])
    await send('34')
    assert.deepEqual(created(), ['34'])
  })

  it('is nothing once its person has left, whatever step it had come to', async () => {
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

  it('ends with its person while it is being sent', async () => {
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

  it('has a token of its own after a no that ended it', async () => {
    const { keeper, send, created } = aForm()
    await send('34')
    keeper.forget()
    await send('34')
    assert.deepEqual(created(), ['34', '34'])
  })
})
