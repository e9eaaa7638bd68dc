/**
 * Kills the server process at each failpoint of an approval, with a healthy platform and with one that executes and
 * then fails to answer, and restarts it. `ATRIUM_TEST_KILL_ROUNDS` repeats the whole.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type ChildServer, eventually } from '../../../tests/doubles/child-server.ts'
import { killTiming, postTo, signInTo, startServerOn } from '../../../tests/doubles/killed-server.ts'
import {
  makePendingDeposit,
  openTradingFixture,
  platformCredits,
  readIntents,
  readTransaction,
  type TradingFixture,
} from '../../../tests/fixtures/trading/trading-fixture.ts'
import { failpoints } from '../../foundation/failpoint.ts'

const rounds = Number(process.env.ATRIUM_TEST_KILL_ROUNDS ?? 1)

let setup: TradingFixture
before(async () => {
  setup = await openTradingFixture({ timing: killTiming })
})
after(() => setup.close())

/** Retries the approval after each error until the desk answers that it is decided. */
async function approve(server: ChildServer, token: string, depositId: string): Promise<void> {
  const answer = await postTo(server, `/desk/api/deposits/${depositId}/approve`, {}, token)
  if (answer) assert.ok([200, 409].includes(answer.status), `approve answered ${answer.status}`)
}

async function assertExactlyOnce(depositId: string): Promise<void> {
  const intents = await readIntents(setup, depositId)
  assert.equal(intents.length, 1)
  const deals = platformCredits(setup, intents[0]?.tag ?? 'none')
  assert.equal(deals.length, 1, 'credits on the platform')
  assert.equal(deals[0]?.amount, '250.00')
  const row = await readTransaction(setup, depositId)
  assert.deepEqual([row.state, row.platform_ticket], ['approved', deals[0]?.deal])
}

for (let round = 1; round <= rounds; round++) {
  describe(`killed at each step, round ${round}`, () => {
    for (const failpoint of failpoints) {
      for (const misbehaves of [false, true]) {
        test(`credits a deposit once when a process is killed at ${failpoint}${misbehaves ? ', the platform failing after it acted' : ''}`, async () => {
          const depositId = await makePendingDeposit(setup)
          setup.simulator.control.clearFaults()
          if (misbehaves) {
            setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'execute-then-drop' })
          }
          const doomed = await startServerOn(setup, { failpoint })
          const token = await signInTo(doomed, setup.staffSignIn, 'desk')
          await approve(doomed, token, depositId)
          // With no answer from the platform the process may miss `intent.called`; the test then stops it.
          await Promise.race([doomed.exited, settled(depositId)])
          await doomed.stop()

          const second = await startServerOn(setup)
          try {
            await approve(second, token, depositId)
            await settled(depositId)
            await assertExactlyOnce(depositId)
          } finally {
            await second.stop()
          }
        })
      }
    }
  })
}

function settled(depositId: string): Promise<void> {
  return eventually(
    'the deposit is approved',
    async () => (await readTransaction(setup, depositId)).state === 'approved',
  )
}

test('survives repeated kills at random times during twelve approvals', async () => {
  const deposits = await Promise.all(Array.from({ length: 12 }, () => makePendingDeposit(setup)))
  let server = await startServerOn(setup)
  const token = await signInTo(server, setup.staffSignIn, 'desk')
  for (const [index, depositId] of deposits.entries()) {
    const kinds = ['execute-then-drop', 'drop-before', 'execute-then-500'] as const
    const kind = kinds[index % kinds.length]
    if (kind && index % 2 === 0) setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind })
    await approve(server, token, depositId)
    if (index % 4 === 3) {
      await server.stop()
      server = await startServerOn(setup)
    }
  }
  for (const depositId of deposits) await approve(server, token, depositId)
  for (const depositId of deposits) await settled(depositId)
  for (const depositId of deposits) await assertExactlyOnce(depositId)
  await server.stop()
})
