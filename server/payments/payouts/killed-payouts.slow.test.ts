// spec: OP factors

/**
 * Kills the server process at each failpoint of a payout and restarts it: nothing is sent a second time, and every
 * outcome is found. `ATRIUM_TEST_KILL_ROUNDS` repeats the whole.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type pg from 'pg'
import { type ChildServer, eventually } from '../../../tests/doubles/child-server.ts'
import { killTiming, startServerOn } from '../../../tests/doubles/killed-server.ts'
import { openPaymentFixture, type PaymentFixture } from '../../../tests/fixtures/payments/payment-fixture.ts'
import { debitPayout, openPayee, openTo, type Payee, readPayouts } from '../../../tests/fixtures/payments/payouts.ts'
import { readIntents, readTransaction } from '../../../tests/fixtures/trading/trading-fixture.ts'
import { chooseSettings } from '../../../tests/fixtures/workspaces.ts'
import { type Failpoint, payoutFailpoints } from '../../foundation/failpoint.ts'
import { findViolations } from '../../funding/ledger.ts'
import { payByProvider } from './payout-decision.ts'

const rounds = Number(process.env.ATRIUM_TEST_KILL_ROUNDS ?? 1)

let setup: PaymentFixture
let payee: Payee
let owner: pg.Client
before(async () => {
  setup = await openPaymentFixture({ timing: killTiming, startAt: new Date() }) // The child processes use real time.
  owner = await setup.openOwner()
  await chooseSettings(setup, { withdrawal_rules: [openTo('zotapay')], withdrawal_four_eyes: false })
  payee = await openPayee(setup, 'zotapay', { balance: '100000.00' })
})
after(() => setup.close())

const payoutOf = async (id: string) => (await readPayouts(setup, id)).at(-1)
const stands = (id: string, state: string) =>
  eventually(`the payout is ${state}`, async () => (await payoutOf(id))?.state === state)

/** Expires its lease and the half hour in which the provider does not know it. */
async function letTimePass(id: string): Promise<void> {
  await owner.query(
    `update payout_orders set next_look_at = now(), absent_since = absent_since - interval '31 minutes'
      where transaction_id = $1 and state in ('sending', 'checking', 'accepted')`,
    [id],
  )
}

/** The amounts that reached the provider under any attempt of this withdrawal. */
async function arrived(id: string): Promise<string[]> {
  const attempts = (await readPayouts(setup, id)).map(({ attempt }) => attempt)
  return attempts.flatMap((attempt) => setup.zota.orders.get(attempt)?.amount ?? [])
}

async function assertPaidOnce(id: string): Promise<void> {
  assert.deepEqual(await arrived(id), ['250.00'])
  assert.equal((await readTransaction(setup, id)).state, 'approved')
  const deals = (await readIntents(setup, id)).flatMap(({ tag }) =>
    setup.simulator.control.dealsWithComment(tag).map(({ amount }) => amount),
  )
  assert.deepEqual(deals, ['-250.00'])
  assert.deepEqual(await findViolations(setup.system), [])
}

/** The provider pays now and sends its webhook event, which a running server receives. */
async function payAndNotify(server: ChildServer, id: string): Promise<void> {
  const attempt = (await payoutOf(id))?.attempt ?? ''
  setup.zota.set(attempt, 'APPROVED')
  const body = setup.zota.webhookEventOf(attempt, { status: 'APPROVED' })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${server.url}/callbacks/payments/zotapay`, { method: 'POST', headers, body })
  assert.equal(answer.status, 200)
}

const sentBefore: readonly Failpoint[] = ['payout-order.called', 'payout-order.before-commit', 'payout-order.asked']

for (let round = 1; round <= rounds; round++)
  describe(`a payout, round ${round}`, () => {
    for (const failpoint of payoutFailpoints)
      test(`is made once when a process is killed at ${failpoint}`, async () => {
        const id = await debitPayout(setup, 'zotapay', payee)
        const doomed = await startServerOn(setup, { failpoint, isDoomed: true })
        // The last failpoint is in a query, which runs after the call.
        if (failpoint === 'payout-order.asked') {
          await stands(id, 'accepted')
          await letTimePass(id)
        }
        await doomed.exited
        await letTimePass(id)
        let second = await startServerOn(setup)
        try {
          if (sentBefore.includes(failpoint)) await stands(id, 'accepted')
          else {
            await stands(id, 'checking')
            await eventually('the provider does not know it', async () => (await payoutOf(id))?.absent_since != null)
            await second.stop()
            await letTimePass(id)
            second = await startServerOn(setup)
            await stands(id, 'for_staff')
            assert.equal((await payoutOf(id))?.staff_reason, 'not_known')
            assert.deepEqual(await arrived(id), [])
            await payByProvider(setup.staff, id)
            await stands(id, 'accepted')
          }
          await payAndNotify(second, id)
          await stands(id, 'paid')
          await assertPaidOnce(id)
        } finally {
          await second.stop()
        }
      })
  })
