// spec: OP factors
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { withdrawalDeskTexts } from '@atrium/contract/withdrawals/desk-calls.ts'
import { addTransaction } from '../../tests/fixtures/payments/money.ts'
import { askWithdrawal, openWithdrawer, settleLatest } from '../../tests/fixtures/payments/withdrawals.ts'
import { codeOf } from '../../tests/fixtures/refusal-code.ts'
import {
  openTradingFixture,
  readIntents,
  readTransaction,
  type TradingFixture,
} from '../../tests/fixtures/trading/trading-fixture.ts'
import { addStaff, staffActor } from '../../tests/fixtures/workspaces.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { readDeskWithdrawal } from './desk-withdrawals.ts'
import { approveWithdrawal, rejectWithdrawal } from './withdrawal-decision.ts'

let setup: TradingFixture
before(async () => {
  setup = await openTradingFixture()
})
after(() => setup.close())

const balanceOf = (login: string) => setup.simulator.control.account(login)?.balance
describe('the second approval', () => {
  const open = async (amount: string) => {
    const withdrawer = await openWithdrawer(setup, { balance: '50000.00' })
    return { withdrawer, id: await askWithdrawal(withdrawer, amount) }
  }
  const colleague = async () => staffActor(setup.system, await addStaff(setup.system, { role: 'finance' }))

  test('above the limit two different people are needed, at the limit one', async () => {
    const { id } = await open('10000.01')
    await approveWithdrawal(setup.staff, id)
    assert.equal((await readTransaction(setup, id)).state, 'pending')
    assert.equal(await codeOf(approveWithdrawal(setup.staff, id)), 'illegal_move')
    const read = await readDeskWithdrawal(setup.staff, id)
    assert.deepEqual([read.approvals, read.approvals_needed, read.approved_by[0]?.is_you], [1, 2, true])
    // A page that showed no approval asked for a first one: this would be the last.
    await assert.rejects(approveWithdrawal(await colleague(), id, 0), { code: 'conflict' })
    assert.equal((await readTransaction(setup, id)).state, 'pending')
    await approveWithdrawal(await colleague(), id, read.approvals)
    assert.equal(await settleLatest(setup, id), 'paying')
    const small = await open('10000.00')
    // A staff member with no other approval for this member today.
    await approveWithdrawal(await colleague(), small.id)
    assert.equal((await readTransaction(setup, small.id)).state, 'debiting')
  })

  test('counts two simultaneous approvals as two, and twenty by one person as one', async () => {
    const { id } = await open('20000.00')
    const tried = await Promise.all(Array.from({ length: 20 }, () => codeOf(approveWithdrawal(setup.staff, id))))
    assert.equal(tried.filter((code) => code === 'done').length, 1)
    assert.equal((await readTransaction(setup, id)).state, 'pending')
    const [second, third] = [await colleague(), await colleague()]
    const both = await Promise.all([codeOf(approveWithdrawal(second, id)), codeOf(approveWithdrawal(third, id))])
    assert.deepEqual(both.sort(), ['done', 'illegal_move'])
    assert.equal((await readIntents(setup, id)).length, 1)
    await assert.rejects(approveWithdrawal(third, id), { message: withdrawalDeskTexts.decidedAlready })
  })

  test('refuses approval of an own request and of own money', async () => {
    const { withdrawer, id } = await open('1.00')
    const asked = await addTransaction(setup.system, {
      memberId: withdrawer.member.memberId,
      accountId: withdrawer.accountId,
      type: 'withdrawal',
      amount: '1.00',
      asked_by: setup.staff.staffId,
    })
    assert.equal(await codeOf(approveWithdrawal(setup.staff, asked)), 'not_permitted')
    const client = staffActor(setup.system, await addStaff(setup.system, { email: setup.signIn.email.toUpperCase() }))
    assert.equal(await codeOf(approveWithdrawal(client, id)), 'not_permitted')
    await rejectWithdrawal(setup.staff, asked, { reason: 'withdrawal_other' })
  })

  test('is enforced by the database too', async () => {
    const { id } = await open('30000.00')
    const alone = inTransaction(setup.staff, (tx) =>
      tx
        .updateTable('balance_transactions')
        .set({ state: 'debiting' })
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('transaction_id', '=', id)
        .execute(),
    )
    await assert.rejects(alone, /enough people/)
  })

  test('a refusal by the platform returns it to the desk, and both approvals are needed again', async () => {
    const { withdrawer, id } = await open('40000.00')
    const second = await colleague()
    await approveWithdrawal(setup.staff, id)
    await approveWithdrawal(second, id)
    setup.simulator.control.addLedger(withdrawer.login, { amount: '-20000.00', atMs: Date.now(), comment: 'A loss' })
    assert.equal(await settleLatest(setup, id), 'pending')
    assert.equal(balanceOf(withdrawer.login), '30000.00')
    const read = await readDeskWithdrawal(setup.staff, id)
    assert.deepEqual([read.approvals, read.platform?.state], [0, 'rejected'])
    assert.equal(read.timeline.at(-1)?.event, 'withdrawal.refused-by-platform')
    assert.equal(await codeOf(approveWithdrawal(setup.staff, id)), 'conflict')
    await rejectWithdrawal(setup.staff, id, { reason: 'open_positions' })
  })
})
