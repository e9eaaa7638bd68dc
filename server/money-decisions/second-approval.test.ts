import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { moneyDecisionTexts } from '@atrium/contract/money/decisions.ts'
import { addTransaction } from '../../tests/fixtures/payments/money.ts'
import { askWithdrawal, openWithdrawer, settleLatest } from '../../tests/fixtures/payments/withdrawals.ts'
import { codeOf } from '../../tests/fixtures/refusal-code.ts'
import { addAccount } from '../../tests/fixtures/trading/platforms.ts'
import {
  makePendingDeposit,
  openTradingFixture,
  readIntents,
  readTransaction,
  type TradingFixture,
} from '../../tests/fixtures/trading/trading-fixture.ts'
import {
  addMember,
  addStaff,
  addWorkspace,
  chooseSettings,
  openTestSession,
  staffActor,
} from '../../tests/fixtures/workspaces.ts'
import { approveDeposit, rejectDeposit } from '../deposits/decision.ts'
import { readDeskDeposit } from '../deposits/desk-queries.ts'
import type { Staff, System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { deskDeposits } from '../funding/desk-transactions.ts'
import { markPayoutFailed } from '../payments/payouts/payout.ts'
import { changeStaffRole, endSessionsOfStaff, lockStaff } from '../staff/staff.ts'
import { approveWithdrawal, rejectWithdrawal } from '../withdrawals/withdrawal-decision.ts'
import { changeWorkspace, readDeskWorkspace } from '../workspace-settings/change.ts'

let setup: TradingFixture
before(async () => {
  setup = await openTradingFixture()
})
after(() => setup.close())

const settings = { deposit_second_approval: 'as-withdrawals', deposit_second_approval_above: [] }
beforeEach(() => set(settings))

const set = (values: Record<string, unknown>) => chooseSettings(setup, values)

const colleague = async (values: Parameters<typeof addStaff>[1] = {}): Promise<Staff> => {
  const { staffId, ...made } = await addStaff(setup.system, { role: 'finance', ...values })
  const { sessionId } = await openTestSession(setup.system, { kind: 'staff', id: staffId })
  return { ...staffActor(setup.system, { staffId, ...made }), sessionId }
}

const stateOf = async (id: string) => (await readTransaction(setup, id)).state
const refusedFor = (message: string) => ({ message })

describe('attack: a staff member approves their own deposit of 90,000 USD alone', () => {
  it('is refused below and above the threshold, and so is rejecting it', async () => {
    const client = await colleague({ email: setup.signIn.email.toUpperCase(), role: 'administrator' })
    for (const amount of ['90000.00', '1.00']) {
      const id = await makePendingDeposit(setup, amount)
      assert.equal((await readDeskDeposit(client, id)).is_own, true)
      await assert.rejects(approveDeposit(client, id), refusedFor(moneyDecisionTexts.selfApproval))
      await assert.rejects(rejectDeposit(client, id, { reason: 'other' }), refusedFor(moneyDecisionTexts.selfApproval))
      assert.deepEqual([await stateOf(id), await readIntents(setup, id)], ['pending', []])
    }
  })

  it('no other staff member can approve it alone', async () => {
    const id = await makePendingDeposit(setup, '90000.00')
    await approveDeposit(setup.staff, id)
    assert.deepEqual([await stateOf(id), await readIntents(setup, id)], ['pending', []])
  })
})

describe('a deposit', () => {
  it('needs one approval up to the threshold and two above it', async () => {
    const at = await makePendingDeposit(setup, '10000.00')
    await approveDeposit(await colleague(), at)
    assert.equal(await stateOf(at), 'crediting')

    const [first, second] = [await colleague({ name: 'Fay First' }), await colleague()]
    const above = await makePendingDeposit(setup, '10000.01')
    await approveDeposit(first, above)
    assert.equal(await stateOf(above), 'pending')
    const seen = await readDeskDeposit(first, above)
    assert.deepEqual([seen.approvals, seen.approvals_needed], [1, 2])
    assert.deepEqual(
      seen.approved_by.map(({ name, is_you }) => [name, is_you]),
      [['Fay First', true]],
    )
    assert.equal(seen.timeline.at(-1)?.event, 'deposit.approved-once')
    const { deposits } = await deskDeposits.read(second, { state: 'pending', order: 'newest', page: 1, limit: 5 })
    const row = deposits.find(({ _id }) => _id === above)
    assert.deepEqual([row?.approvals, row?.approvals_needed], [1, 2])

    await assert.rejects(approveDeposit(first, above), refusedFor(moneyDecisionTexts.approvedByYou))
    assert.equal(await stateOf(above), 'pending')
    await approveDeposit(second, above)
    assert.deepEqual([await stateOf(above), (await readIntents(setup, above)).length], ['crediting', 1])
    assert.equal((await readTransaction(setup, above)).decided_by, second.staffId)
    assert.equal(await codeOf(approveDeposit(await colleague(), above)), 'illegal_move')
  })

  it('needs two approvals at any amount in a currency without a threshold', async () => {
    const { memberId } = setup.member
    const id = await addTransaction(setup.system, {
      ...{ memberId, accountId: setup.accountId },
      ...{ currency: 'CHF', amount: '1.00' },
    })
    await approveDeposit(setup.staff, id)
    assert.equal(await stateOf(id), 'pending')
  })

  it('is rejected by one person at any amount, also after a first approval', async () => {
    const id = await makePendingDeposit(setup, '50000.00')
    await approveDeposit(setup.staff, id)
    await rejectDeposit(await colleague(), id, { reason: 'other' })
    assert.equal(await stateOf(id), 'rejected')
  })

  it('counts twenty simultaneous approvals by one person once, and two more simultaneous approvers make one credit', async () => {
    const id = await makePendingDeposit(setup, '20000.00')
    const first = await colleague()
    const tried = await Promise.all(Array.from({ length: 20 }, () => codeOf(approveDeposit(first, id))))
    assert.equal(tried.filter((code) => code === 'done').length, 1)
    assert.equal(await stateOf(id), 'pending')
    const others = [await colleague(), await colleague()]
    const codes = await Promise.all(others.map((each) => codeOf(approveDeposit(each, id))))
    assert.deepEqual(codes.sort(), ['done', 'illegal_move'])
    assert.equal((await readIntents(setup, id)).length, 1)
  })

  it('is approved by two people at the same instant', async () => {
    const id = await makePendingDeposit(setup, '20000.00')
    const both = [await colleague(), await colleague()]
    assert.deepEqual(await Promise.all(both.map((each) => codeOf(approveDeposit(each, id)))), ['done', 'done'])
    assert.deepEqual([await stateOf(id), (await readIntents(setup, id)).length], ['crediting', 1])
  })

  it('is not found from another workspace, for a first or a second approval', async () => {
    const id = await makePendingDeposit(setup, '20000.00')
    await approveDeposit(setup.staff, id)
    const elsewhere = await addWorkspace(setup.context)
    assert.equal(await codeOf(approveDeposit(staffActor(elsewhere, await addStaff(elsewhere)), id)), 'not_found')
    assert.equal(await stateOf(id), 'pending')
  })

  for (const [what, code, end] of [
    ['sign-in was locked', 'unauthenticated', lockStaff],
    ['session was ended', 'unauthenticated', endSessionsOfStaff],
    ['role was changed', 'not_permitted', (by: System, id: string) => changeStaffRole(by, id, 'support')],
  ] as const)
    it(`is neither given nor refused by a colleague whose ${what} while the call was under way`, async () => {
      const id = await makePendingDeposit(setup, '20.00')
      const late = await colleague()
      await end(setup.system, late.staffId)
      await assert.rejects(approveDeposit(late, id), { code })
      await assert.rejects(rejectDeposit(late, id, { reason: 'other' }), { code })
      assert.deepEqual([await stateOf(id), await readIntents(setup, id)], ['pending', []])
    })

  it('does not count approvals by staff who have lost the right or were locked', async () => {
    for (const change of [{ role: 'viewer' }, { status: 'locked' }]) {
      const id = await makePendingDeposit(setup, '20000.00')
      const gone = await colleague()
      await approveDeposit(gone, id)
      await inTransaction(setup.system, (tx) =>
        tx
          .updateTable('staff_users')
          .set(change)
          .where('workspace_id', '=', setup.system.workspaceId)
          .where('staff_id', '=', gone.staffId)
          .execute(),
      )
      // Neither does a page say that the next approval is the last one.
      assert.equal((await readDeskDeposit(setup.staff, id)).approvals, 0)
      const { deposits } = await deskDeposits.read(setup.staff, {
        state: 'pending',
        order: 'newest',
        page: 1,
        limit: 1,
      })
      assert.deepEqual([deposits[0]?._id, deposits[0]?.approvals], [id, 0])
      await approveDeposit(await colleague(), id)
      assert.equal(await stateOf(id), 'pending')
      await approveDeposit(await colleague(), id)
      assert.equal(await stateOf(id), 'crediting')
    }
  })

  it('is not approved for good by somebody whose page asked for a first approval', async () => {
    const id = await makePendingDeposit(setup, '20000.00')
    const late = await colleague()
    const { approvals: seen } = await readDeskDeposit(late, id)
    await approveDeposit(await colleague(), id, seen)
    const refused = { code: 'conflict', message: moneyDecisionTexts.approvalsChanged }
    await assert.rejects(approveDeposit(late, id, seen), refused)
    assert.deepEqual([await stateOf(id), await readIntents(setup, id)], ['pending', []])
    await approveDeposit(late, id, (await readDeskDeposit(late, id)).approvals)
    assert.equal(await stateOf(id), 'crediting')
  })

  it('is not rejected by somebody whose page does not show that a colleague has approved it', async () => {
    const id = await makePendingDeposit(setup, '20000.00')
    const late = await colleague()
    const { approvals: seen } = await readDeskDeposit(late, id)
    await approveDeposit(await colleague(), id, seen)
    const refused = { code: 'conflict', message: moneyDecisionTexts.approvedMeanwhile }
    const reject = (shown: number) => rejectDeposit(late, id, { reason: 'other', seen: shown })
    await assert.rejects(reject(seen), refused)
    assert.equal(await stateOf(id), 'pending')
    await reject((await readDeskDeposit(late, id)).approvals)
    assert.equal(await stateOf(id), 'rejected')
    const asked = await askWithdrawal(await openWithdrawer(setup, { balance: '50000.00' }), '20000.00')
    await approveWithdrawal(await colleague(), asked)
    await assert.rejects(rejectWithdrawal(late, asked, { reason: 'withdrawal_other', seen: 0 }), refused)
    await rejectWithdrawal(late, asked, { reason: 'withdrawal_other', seen: 1 })
  })

  it('needs one approval to a demo account, also after the platform refused it', async () => {
    const { memberId } = setup.member
    const place = { memberId, platformId: setup.platformId, platform_login: '900001', live_account: false }
    const accountId = await addAccount(setup.system, place)
    const id = await addTransaction(setup.system, { memberId, accountId, amount: '50000.00', payment_method: 'demo' })
    await approveDeposit(await colleague(), id)
    assert.equal(await stateOf(id), 'crediting')
  })

  it('is enforced by the database too', async () => {
    const id = await makePendingDeposit(setup, '30000.00')
    const alone = inTransaction(setup.staff, (tx) =>
      tx
        .updateTable('balance_transactions')
        .set({ state: 'crediting' })
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('transaction_id', '=', id)
        .execute(),
    )
    await assert.rejects(alone, /enough people/)
  })
})

describe('one amount split into several deposits', () => {
  it('counts as one amount for a staff member who approves the parts within a day, but not for another one', async () => {
    const one = await colleague()
    const pieces = [await makePendingDeposit(setup, '6000.00'), await makePendingDeposit(setup, '4000.00')]
    for (const id of pieces) await approveDeposit(one, id)
    const third = await makePendingDeposit(setup, '0.01')
    assert.equal((await readDeskDeposit(one, third)).approvals_needed, 2)
    await approveDeposit(one, third)
    assert.equal(await stateOf(third), 'pending')
    await approveDeposit(await colleague(), third)
    assert.equal(await stateOf(third), 'crediting')
    setup.context.clock.advance(24 * 3_600_000)
    const later = await makePendingDeposit(setup, '6000.00')
    await approveDeposit(one, later)
    assert.equal(await stateOf(later), 'crediting')
  })

  it('counts as one amount when the parts are approved simultaneously', async () => {
    const one = await colleague()
    const pieces = [await makePendingDeposit(setup, '6000.00'), await makePendingDeposit(setup, '6000.00')]
    await Promise.all(pieces.map((id) => approveDeposit(one, id)))
    const states = await Promise.all(pieces.map(stateOf))
    assert.deepEqual(states.sort(), ['crediting', 'pending'])
  })

  it('counts for withdrawals too', async () => {
    const one = await colleague()
    const withdrawer = await openWithdrawer(setup, { balance: '50000.00' })
    const pieces = [await askWithdrawal(withdrawer, '6000.00'), await askWithdrawal(withdrawer, '6000.00')]
    for (const id of pieces) await approveWithdrawal(one, id)
    assert.deepEqual(await Promise.all(pieces.map(stateOf)), ['debiting', 'pending'])
  })

  it('counts a withdrawal whose payment is said to have failed: the transfer may have been made', async () => {
    const one = await colleague()
    const withdrawer = await openWithdrawer(setup, { balance: '50000.00' })
    const paid = await askWithdrawal(withdrawer, '6000.00')
    await approveWithdrawal(one, paid)
    assert.equal(await settleLatest(setup, paid), 'paying')
    await markPayoutFailed(one, paid, 'The bank sent it back.')
    assert.equal(await settleLatest(setup, paid), 'rejected')
    const next = await askWithdrawal(withdrawer, '6000.00')
    await approveWithdrawal(one, next)
    assert.equal(await stateOf(next), 'pending')
    await approveWithdrawal(await colleague(), next)
    assert.equal(await stateOf(next), 'debiting')
  })

  it('is not added to the deposits of another member', async () => {
    const one = await colleague()
    await approveDeposit(one, await makePendingDeposit(setup, '9000.00'))
    const { memberId } = await addMember(setup.system, { documents_status: 'approved' })
    const accountId = await addAccount(setup.system, {
      memberId,
      platformId: setup.platformId,
      platform_login: '900002',
    })
    const other = await addTransaction(setup.system, { memberId, accountId, amount: '9000.00' })
    await approveDeposit(one, other)
    assert.equal(await stateOf(other), 'crediting')
  })
})

describe('the thresholds', () => {
  const own = (above: string) => ({
    deposit_second_approval: 'own' as const,
    deposit_second_approval_above: [{ currency: 'USD', above }],
  })

  it('follow those of withdrawals for deposits, or a setting of their own, or none', async () => {
    await set({ ...settings, withdrawal_four_eyes_above: [{ currency: 'USD', above: '100' }] })
    const as = await makePendingDeposit(setup, '101.00')
    await set({ ...own('50') })
    const low = await makePendingDeposit(setup, '51.00')
    await set({ deposit_second_approval: 'off' })
    const off = await makePendingDeposit(setup, '99999.00')
    await set({ withdrawal_four_eyes: false })
    const none = await makePendingDeposit(setup, '99999.00')
    const needed = await Promise.all(
      [as, low, off, none].map(async (id) => (await readTransaction(setup, id)).approvals_needed),
    )
    assert.deepEqual(needed, [2, 2, 1, 1])
  })

  it('do not loosen for a pending deposit when raised, and apply immediately when lowered', async () => {
    const waiting = await makePendingDeposit(setup, '20000.00')
    const small = await makePendingDeposit(setup, '500.00')
    await set(own('50000'))
    await approveDeposit(await colleague(), waiting)
    assert.equal(await stateOf(waiting), 'pending')
    await set(own('100'))
    await approveDeposit(await colleague(), small)
    assert.equal(await stateOf(small), 'pending')
    // After one approval a second person is needed, although the threshold was removed.
    await set({ deposit_second_approval: 'off' })
    assert.equal((await readDeskDeposit(setup.staff, small)).approvals_needed, 2)
    await approveDeposit(await colleague(), small)
    assert.equal(await stateOf(small), 'crediting')
  })

  it('apply a day later to decisions of the staff member who changed them', async () => {
    const changer = await colleague({ role: 'administrator' })
    await change(changer, own('50000'))
    const id = await makePendingDeposit(setup, '20000.00')
    assert.equal((await readTransaction(setup, id)).approvals_needed, 1)
    await approveDeposit(changer, id)
    assert.equal(await stateOf(id), 'pending')
    const other = await makePendingDeposit(setup, '20000.00')
    await approveDeposit(await colleague(), other)
    assert.equal(await stateOf(other), 'crediting')
    setup.context.clock.advance(24 * 3_600_000 + 1)
    const later = await makePendingDeposit(setup, '20000.00')
    await approveDeposit(changer, later)
    assert.equal(await stateOf(later), 'crediting')
  })

  it('remember who changed them, however often that staff member saves afterwards', async () => {
    const changer = await colleague({ role: 'administrator' })
    for (let above = 50_000; above <= 50_101; above++) await change(changer, own(String(above)))
    const id = await makePendingDeposit(setup, '20000.00')
    await approveDeposit(changer, id)
    assert.equal(await stateOf(id), 'pending')
  })

  async function change(by: Staff, values: ReturnType<typeof own>): Promise<void> {
    const { versions } = await readDeskWorkspace(by)
    const version = versions.deposits?.version ?? 0
    await changeWorkspace(by, { section: 'deposits', version, ...values })
  }
})
