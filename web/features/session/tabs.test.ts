import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { createSessionStore, type SessionStore } from '../../api/session-store.ts'
import { memoryStorage } from '../../page-under-test.ts'
import { shareSession, takeSharedSession } from './tabs.ts'
import { announceLogout } from './tabs-channel.ts'

const amelia = { userId: 'amelia', token: 'secret-of-amelia' }
const tomas = { userId: 'tomas', token: 'secret-of-tomas' }
const channelName = 'atrium.portal.tabs'

const newTab = (): SessionStore => createSessionStore('portal', memoryStorage())

/** Locks are granted in a later task. */
const lockCount = async (): Promise<number> => ((await navigator.locks.query()).held ?? []).length
async function untilLocks(count: number): Promise<void> {
  while ((await lockCount()) !== count) await new Promise((resolve) => setImmediate(resolve))
}

const closers: (() => void)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) close()
  await untilLocks(0)
})

async function signedInTab(person: typeof amelia) {
  const session = newTab()
  session.write(person)
  const before = await lockCount()
  let left = 0
  closers.push(
    shareSession(session, () => {
      left += 1
      session.leave()
    }),
  )
  await untilLocks(before + 1)
  return { session, timesLeft: () => left }
}

/** Collects every message on the shared channel. */
function listen(): unknown[] {
  const received: unknown[] = []
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = ({ data }) => received.push(data)
  closers.push(() => channel.close())
  return received
}

function post(word: unknown, name = channelName): void {
  const channel = new BroadcastChannel(name)
  channel.postMessage(word)
  channel.close()
}

/** Waits until every earlier message has been received. */
async function untilHeard(): Promise<void> {
  const channel = new BroadcastChannel(channelName)
  const received = new Promise((resolve) => {
    channel.onmessage = ({ data }) => data === 'last' && resolve(data)
  })
  post('last')
  await received
  channel.close()
}

/** The answers to a request, after twice the time that a signed-in tab needs. */
async function answersTo(ask: Record<string, unknown>): Promise<unknown[]> {
  const answers: unknown[] = []
  const line = new BroadcastChannel(`${channelName}.${ask.nonce}`)
  line.onmessage = ({ data }) => answers.push(data)
  post(ask)
  await untilHeard()
  await untilHeard()
  line.close()
  return answers
}

const nonce = '0190a0b0-0000-4000-8000-000000000001'

describe('the tabs of one browser', () => {
  it('hand a session over to a new tab and broadcast the token to no other', async () => {
    await signedInTab(amelia)
    const received = listen()
    const tab = newTab()
    assert.equal(await takeSharedSession(tab), true)
    assert.deepEqual(tab.read(), amelia)
    await untilHeard()
    assert.equal(received.length, 2)
    assert.doesNotMatch(JSON.stringify(received), /secret/)
  })

  it('have nothing to hand over without a session, and the new tab does not wait', async () => {
    const received = listen()
    const tab = newTab()
    assert.equal(await takeSharedSession(tab), false)
    assert.equal(tab.read(), null)
    assert.deepEqual(received, [])
  })

  it('hand over nothing when two members are signed in', async () => {
    await signedInTab(amelia)
    await signedInTab(tomas)
    const tab = newTab()
    assert.equal(await takeSharedSession(tab), false)
    assert.equal(tab.read(), null)
  })

  it('answer only a request that names their member and a nonce', async () => {
    await signedInTab(amelia)
    const ask = { kind: 'ask', userId: 'amelia', nonce }
    assert.deepEqual(await answersTo(ask), [amelia])
    for (const wrong of [{ userId: 'tomas' }, { userId: '' }, { kind: 'give' }, { nonce: '' }, { nonce: '*' }])
      assert.deepEqual(await answersTo({ ...ask, ...wrong }), [], JSON.stringify(wrong))
  })

  it('stop answering once the session is over or belongs to another member', async () => {
    const { session } = await signedInTab(amelia)
    session.clear()
    assert.deepEqual(await answersTo({ kind: 'ask', userId: 'amelia', nonce }), [])
    session.write(tomas)
    for (const userId of ['amelia', 'tomas'])
      assert.deepEqual(await answersTo({ kind: 'ask', userId, nonce }), [], userId)
  })

  it('accept a session only as an answer to their request, and only of the same member', async () => {
    const { session } = await signedInTab(amelia)
    post({ userId: 'amelia', token: 'forged' })
    post({ kind: 'session', userId: 'amelia', token: 'forged' })
    await untilHeard()
    assert.deepEqual(session.read(), amelia)
    const strange = new BroadcastChannel(channelName)
    closers.push(() => strange.close())
    strange.onmessage = ({ data }) => {
      for (const forged of [tomas, { userId: 'amelia' }, { userId: 'amelia', token: 7 }, 'amelia', null])
        post(forged, `${channelName}.${data.nonce}`)
    }
    const tab = newTab()
    assert.equal(await takeSharedSession(tab), true)
    assert.deepEqual(tab.read(), amelia)
  })

  it('do not request a session after a sign-out or an expired session', async () => {
    await signedInTab(amelia)
    for (const end of ['leave', 'clear'] as const) {
      const tab = newTab()
      tab.write(tomas)
      tab[end]()
      tab.rememberTarget('/accounts')
      assert.equal(await takeSharedSession(tab), false, end)
    }
  })

  it('sign out together for the same member only', async () => {
    const [first, second, other] = [await signedInTab(amelia), await signedInTab(amelia), await signedInTab(tomas)]
    announceLogout(first.session)
    await untilHeard()
    assert.equal(second.timesLeft(), 1)
    assert.equal(second.session.read(), null)
    assert.deepEqual(other.session.read(), tomas)
    post({ kind: 'left' })
    post({ kind: 'left', userId: 'amelia' })
    await untilHeard()
    assert.equal(other.timesLeft(), 0)
    assert.equal(second.timesLeft(), 1)
  })
})
