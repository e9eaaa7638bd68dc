import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Call } from '@atrium/contract/call.ts'
import { moneyDecisions } from '@atrium/contract/money/decisions.ts'
import {
  makePendingDeposit,
  openTradingFixture,
  type TradingFixture,
} from '../../tests/fixtures/trading/trading-fixture.ts'
import { addMember } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { writeIntent } from '../funding/crediting/intent.ts'
import { lockTransaction, moveTransaction } from '../funding/transaction.ts'
import { moneyPolicies } from '../money-policies.ts'
import { refuseUndecided } from './at-start.ts'
import { type Decider, decide, definePolicy } from './policy.ts'

let setup: TradingFixture
before(async () => {
  setup = await openTradingFixture()
})
after(() => setup.close())

const approve = 'POST /desk/api/deposits/:id/approve'

/** Builds the whole server with one call changed before its route is registered. */
async function startWith(name: string, change: Partial<Call>): Promise<void> {
  const app = await buildApp(setup.context, {
    onRoute: ({ config, method, url }) => {
      if (config?.call && `${method} ${url}` === name) config.call = { ...config.call, ...change }
    },
  })
  await app.close()
}

describe('the start of the server', () => {
  it('refuses a call that may decide about money and declares no decision', async () => {
    await startWith(approve, {})
    await assert.rejects(startWith(approve, { decides: [] }), /deposits\/:id\/approve declares no decision/)
  })

  it('refuses a call whose right differs from its policy', async () => {
    await assert.rejects(startWith(approve, { right: 'desk.use' }), /ask for different rights/)
  })

  it('refuses a decision that has no policy, or another decision’s policy', () => {
    const calls = moneyDecisions.map((name): Call => ({ ...aCall, decides: [name] }))
    refuseUndecided(calls, moneyPolicies)
    const { 'deposit.approve': approving, ...others } = moneyPolicies
    assert.throws(() => refuseUndecided(calls, others), /deposit.approve has no policy/)
    const swapped = { ...others, 'deposit.approve': moneyPolicies['deposit.reject'] }
    assert.throws(() => refuseUndecided(calls, swapped), /deposit.approve has no policy/)
    assert.throws(() => refuseUndecided(calls.slice(1), moneyPolicies), /no call takes the decision deposit.approve/)
    assert.equal(approving.approvals, 'by-amount')
  })

  it('refuses two policies for one decision', () => {
    const second = { name: 'deposit.approve', right: 'money.decide', selfApproval: 'refused' } as const
    assert.throws(() => definePolicy({ ...second, approvals: 'one', why: 'A way around.' }), /two policies/)
  })
})

const aCall = {
  method: 'POST',
  path: '/desk/api/somewhere',
  access: 'staff',
  right: 'money.decide',
} as unknown as Call

describe('staff without a checked decision', () => {
  const reject = { to: 'rejected', event: 'deposit.rejected', set: { rejection_reason: 'other' } } as const

  it('cannot move money when the code casts the type away', async () => {
    const id = await makePendingDeposit(setup)
    for (const permit of [undefined, {}, { isFor: () => true }]) {
      const forged = { ...setup.staff, permit } as unknown as Decider
      const attempt = inTransaction(setup.staff, async (tx) =>
        moveTransaction(tx, forged, await lockTransaction(tx, setup.staff, id), reject),
      )
      await assert.rejects(attempt, /checked decision/)
    }
  })

  it('cannot move money with a permit for another member’s money', async () => {
    const id = await makePendingDeposit(setup)
    const { memberId } = await addMember(setup.system)
    const attempt = inTransaction(setup.staff, async (tx) => {
      const decider = await decide(tx, setup.staff, rejecting(), { memberId })
      await moveTransaction(tx, decider, await lockTransaction(tx, setup.staff, id), reject)
    })
    await assert.rejects(attempt, /another member's money/)
  })
})

describe('a credit by staff', () => {
  it('requires a decision that counts approvals, whatever type the code claims', async () => {
    const id = await makePendingDeposit(setup)
    const attempt = inTransaction(setup.staff, async (tx) => {
      const row = await lockTransaction(tx, setup.staff, id)
      const decider = await decide(tx, setup.staff, rejecting(), { memberId: row.member_id })
      await writeIntent(tx, decider as unknown as Decider<'by-amount'>, row)
    })
    await assert.rejects(attempt, /counted approvals/)
  })
})

function rejecting() {
  const policy = moneyPolicies['deposit.reject']
  return { ...policy, approvals: 'one', why: '' } as const
}
