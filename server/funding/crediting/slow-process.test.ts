/** Two processes on one intent, one of which is slow: a paused machine, or a history that takes minutes to read. */

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { askWithdrawal, openWithdrawer } from '../../../tests/fixtures/payments/withdrawals.ts'
import {
  makePendingDeposit,
  openTradingFixture,
  platformCredits,
  readIntents,
  readTransaction,
  type TradingFixture,
  usualTiming,
} from '../../../tests/fixtures/trading/trading-fixture.ts'
import { addStaff, staffActor } from '../../../tests/fixtures/workspaces.ts'
import { approveDeposit } from '../../deposits/decision.ts'
import type { System } from '../../foundation/actor.ts'
import { GatewayError, type TradingGateway } from '../../trading-platforms/contract.ts'
import { approveWithdrawal } from '../../withdrawals/withdrawal-decision.ts'
import { settleIntent } from './crediting.ts'
import { settleStuck } from './stuck-outcome.ts'

let setup: TradingFixture

before(async () => {
  setup = await openTradingFixture()
})
after(() => setup.close())
beforeEach(() => setup.simulator.control.clearFaults())

type Approved = { depositId: string; intentId: string; tag: string }

async function approveOne(): Promise<Approved> {
  const depositId = await makePendingDeposit(setup)
  await approveDeposit(setup.staff, depositId)
  const intent = (await readIntents(setup, depositId)).at(-1)
  assert.ok(intent)
  return { depositId, intentId: intent.intent_id, tag: intent.tag }
}

/** The same server with some calls to the platform replaced. */
function processWith(changed: (gateway: TradingGateway) => Partial<TradingGateway>): System {
  const { context } = setup
  const platforms: typeof context.platforms = {
    ...context.platforms,
    async link(actor, platformId) {
      const link = await context.platforms.link(actor, platformId)
      return link && { ...link, gateway: { ...link.gateway, ...changed(link.gateway) } }
    },
  }
  return { ...setup.system, context: { ...context, platforms } }
}

async function processUntil(approved: Approved, reached: (state: string) => boolean): Promise<void> {
  for (let round = 0; round < 40; round++) {
    const [intent] = await readIntents(setup, approved.depositId)
    if (intent && reached(intent.state)) return
    await settleIntent(setup.system, approved.intentId)
    setup.context.clock.advance(40_000)
  }
  assert.fail('not reached')
}

async function assertCreditedOnce(approved: Approved): Promise<void> {
  const deals = platformCredits(setup, approved.tag)
  assert.equal(deals.length, 1, 'deals with the tag')
  const deposit = await readTransaction(setup, approved.depositId)
  assert.deepEqual([deposit.state, deposit.platform_ticket], ['approved', deals[0]?.deal])
}

/** The first try is refused before it runs, so that the next send starts with a look-up. */
async function approveAndThrottle(): Promise<Approved> {
  setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'answer-code', code: 12 })
  const approved = await approveOne()
  await settleIntent(setup.system, approved.intentId)
  setup.context.clock.advance(60_000)
  return approved
}

describe('a look-up before a resend', () => {
  test('leaves the send to the process that took over when it outlasts the lease', async () => {
    const approved = await approveAndThrottle()
    const slow = processWith(({ findBalanceByTag }) => ({
      async findBalanceByTag(login, tag, since) {
        const seen = await findBalanceByTag(login, tag, since)
        setup.context.clock.advance(usualTiming.leaseMs + 1)
        await processUntil(approved, (state) => state === 'done')
        return seen
      },
    }))
    await settleIntent(slow, approved.intentId)
    await assertCreditedOnce(approved)
  })

  test('renews the lease and sends when it outlasts the lease without a takeover', async () => {
    const approved = await approveAndThrottle()
    let atSend: Date | null | undefined
    const slow = processWith(({ findBalanceByTag, changeBalance }) => ({
      async findBalanceByTag(login, tag, since) {
        setup.context.clock.advance(usualTiming.leaseMs + 1)
        return findBalanceByTag(login, tag, since)
      },
      async changeBalance(command) {
        atSend = (await readIntents(setup, approved.depositId))[0]?.lease_until
        return changeBalance(command)
      },
    }))
    await settleIntent(slow, approved.intentId)
    assert.equal(atSend?.getTime(), setup.context.clock.now().getTime() + usualTiming.leaseMs)
    await assertCreditedOnce(approved)
  })

  test('does not refuse the credit when it is refused itself', async () => {
    const approved = await approveAndThrottle()
    setup.simulator.control.addFault({ path: '/api/deal/get_page', times: 1, kind: 'answer-code', code: 8 })
    await settleIntent(setup.system, approved.intentId)
    assert.equal((await readTransaction(setup, approved.depositId)).state, 'crediting')
    await processUntil(approved, (state) => state === 'done')
    await assertCreditedOnce(approved)
  })
})

describe('a process that outlived its lease', () => {
  const outcomes = [
    { outcome: 'not_executed', reason: 'timeout', sent: false },
    { outcome: 'rejected', reason: 'account_disabled', sent: true },
  ] as const
  for (const failure of outcomes) {
    test(`does not change the send in progress when it receives "${failure.outcome}"`, async () => {
      const approved = await approveOne()
      const sleeper = processWith(() => ({
        async changeBalance() {
          setup.context.clock.advance(usualTiming.leaseMs + 1)
          await processUntil(approved, (state) => state === 'ready')
          const { takeStep } = await import('./intent.ts')
          assert.equal((await takeStep(setup.system, approved.intentId, usualTiming)).do, 'send')
          throw new GatewayError(failure)
        },
      }))
      await settleIntent(sleeper, approved.intentId)
      const [intent] = await readIntents(setup, approved.depositId)
      assert.deepEqual([intent?.state, intent?.attempt], ['sending', 2])
      await processUntil(approved, (state) => state === 'done')
      await assertCreditedOnce(approved)
    })
  }
})

test('a look-up that began before the settling time ended does not count, however late it ends', async () => {
  setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'drop-before' })
  const approved = await approveOne()
  await settleIntent(setup.system, approved.intentId)
  const slow = processWith(() => ({
    async findBalanceByTag() {
      setup.context.clock.advance(usualTiming.leaseMs + 1)
      await settleIntent(setup.system, approved.intentId)
      setup.context.clock.advance(usualTiming.settleMs)
      return []
    },
  }))
  await settleIntent(slow, approved.intentId)
  const [intent] = await readIntents(setup, approved.depositId)
  assert.deepEqual([intent?.state, intent?.resends], ['unknown', 0])
  await processUntil(approved, (state) => state === 'done')
  await assertCreditedOnce(approved)
})

test('an answer that arrives late ends the intent, whatever two people recorded after the account was deleted', async () => {
  const withdrawer = await openWithdrawer(setup)
  const id = await askWithdrawal(withdrawer)
  await approveWithdrawal(setup.staff, id)
  const intentId = (await readIntents(setup, id)).at(-1)?.intent_id ?? ''
  const colleague = staffActor(setup.system, await addStaff(setup.system))
  const slow = processWith(({ changeBalance }) => ({
    async changeBalance(command) {
      const receipt = await changeBalance(command)
      setup.simulator.control.removeAccount(withdrawer.login)
      setup.context.clock.advance(usualTiming.leaseMs + 1)
      await settleIntent(setup.system, intentId)
      const word = { outcome: 'not_executed', reason: 'Not in the report of the dealer' } as const
      for (const staff of [setup.staff, colleague]) await settleStuck(staff, id, 'withdrawal', word)
      return receipt
    },
  }))
  await settleIntent(slow, intentId)
  for (let round = 0; round < 3; round += 1) {
    setup.context.clock.advance(60_000)
    await settleIntent(setup.system, intentId)
  }
  const [intent] = await readIntents(setup, id)
  const { state, platform_ticket } = await readTransaction(setup, id)
  assert.deepEqual([intent?.state, state, platform_ticket], ['done', 'paying', intent?.ticket])
})
