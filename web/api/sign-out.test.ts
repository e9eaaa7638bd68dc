// spec: MP 8, DK session
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SessionStore } from './session-store.ts'
import { type SignOutTransport, signOutOnServer, untilSignedOut } from './sign-out.ts'

const session = { read: () => ({ token: 'secret', userId: 'amelia' }) } as SessionStore

/** Returns the given statuses in turn and repeats the last one; null is a failed connection. */
function transportOf(answers: (number | null)[]) {
  const sent: Parameters<SignOutTransport['send']>[0][] = []
  const pauses: number[] = []
  const transport: SignOutTransport = {
    async send(order) {
      const answer = answers[Math.min(sent.length, answers.length - 1)]
      sent.push(order)
      return answer ?? Promise.reject(new TypeError('Failed to fetch'))
    },
    pause: async (ms) => {
      pauses.push(ms)
    },
  }
  return { transport, sent, pauses }
}

describe('signing out on the server', () => {
  for (const status of [200, 401, 403])
    it(`stops after the answer ${status}`, async () => {
      const { transport, sent, pauses } = transportOf([status])
      await signOutOnServer(session, '/users/logout', transport)
      assert.deepEqual(sent, [{ path: '/users/logout', token: 'secret', isFirst: true }])
      assert.deepEqual(pauses, [])
    })

  it('retries without cookies once the network is back', async () => {
    const { transport, sent, pauses } = transportOf([null, null, 503, 429, 200])
    await signOutOnServer(session, '/users/logout', transport)
    assert.deepEqual(
      sent.map(({ isFirst }) => isFirst),
      [true, false, false, false, false],
    )
    assert.deepEqual(pauses, [2_000, 4_000, 8_000, 16_000])
    assert.equal(await untilSignedOut(), false)
  })

  it('stops retrying after a limit', async () => {
    const { transport, sent, pauses } = transportOf([null])
    await signOutOnServer(session, '/users/logout', transport)
    assert.equal(sent.length, 34)
    const minutes = pauses.reduce((sum, ms) => sum + ms, 0) / 60_000
    assert.ok(minutes > 28 && minutes < 31, `${minutes}`)
    assert.equal(Math.max(...pauses), 60_000)
  })

  it('does nothing without a session', async () => {
    const { transport, sent } = transportOf([200])
    await signOutOnServer({ ...session, read: () => null }, '/users/logout', transport)
    assert.deepEqual(sent, [])
  })
})
