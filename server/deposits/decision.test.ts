// spec: AO 4
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { RejectionReason } from '@atrium/contract/funding/states.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { codeOf } from '../../tests/fixtures/refusal-code.ts'
import {
  makePendingDeposit,
  openTradingFixture,
  readIntents,
  readTransaction,
  type TradingFixture,
} from '../../tests/fixtures/trading/trading-fixture.ts'
import { addStaff, addWorkspace, staffActor } from '../../tests/fixtures/workspaces.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { listEvents } from '../funding/queries.ts'
import { approveDeposit, rejectDeposit } from './decision.ts'
import { readDeskDeposit } from './desk-queries.ts'

let setup: TradingFixture
before(async () => {
  setup = await openTradingFixture()
})
after(() => setup.close())

test('two simultaneous approvals: one succeeds, the other is refused as already decided', async () => {
  const second = staffActor(setup.system, await addStaff(setup.system))
  for (let round = 0; round < 20; round++) {
    const deposit = await makePendingDeposit(setup)
    const codes = await Promise.all([
      codeOf(approveDeposit(setup.staff, deposit)),
      codeOf(approveDeposit(second, deposit)),
    ])
    assert.deepEqual(codes.sort(), ['done', 'illegal_move'])
    assert.equal((await readIntents(setup, deposit)).length, 1)
  }
})

test('a simultaneous approval and rejection: exactly one succeeds', async () => {
  for (let round = 0; round < 20; round++) {
    const deposit = await makePendingDeposit(setup)
    const codes = await Promise.all([
      codeOf(approveDeposit(setup.staff, deposit)),
      codeOf(rejectDeposit(setup.staff, deposit, { reason: 'other' })),
    ])
    assert.deepEqual(codes.sort(), ['done', 'illegal_move'])
    const row = await readTransaction(setup, deposit)
    const intents = await readIntents(setup, deposit)
    assert.equal(intents.length, row.state === 'crediting' ? 1 : 0)
  }
})

test('a rejection stores its reason and note and is final', async () => {
  const deposit = await makePendingDeposit(setup)
  const reason: RejectionReason = 'amount_differs'
  await rejectDeposit(setup.staff, deposit, { reason, note: 'The receipt says 240.00.' })
  const row = await readTransaction(setup, deposit)
  assert.deepEqual(
    [row.state, row.rejection_reason, row.rejection_note, row.decided_by],
    ['rejected', reason, 'The receipt says 240.00.', setup.staff.staffId],
  )
  assert.equal(await codeOf(approveDeposit(setup.staff, deposit)), 'illegal_move')
  assert.equal(await codeOf(rejectDeposit(setup.staff, deposit, { reason })), 'illegal_move')
})

test('refuses to approve or reject a deposit in state crediting or checking', async () => {
  const deposit = await makePendingDeposit(setup)
  const isDecided = { code: 'illegal_move', message: deskTexts.decidedAlready }
  const refusesBoth = async () => {
    await assert.rejects(approveDeposit(setup.staff, deposit), isDecided)
    await assert.rejects(rejectDeposit(setup.staff, deposit, { reason: 'other' }), isDecided)
  }
  await approveDeposit(setup.staff, deposit)
  await refusesBoth()
  const [intent] = await readIntents(setup, deposit)
  setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'drop-before' })
  const { settleIntent } = await import('../funding/crediting/crediting.ts')
  await settleIntent(setup.system, intent?.intent_id ?? '')
  assert.equal((await readTransaction(setup, deposit)).state, 'checking')
  await refusesBoth()
  assert.equal((await readTransaction(setup, deposit)).state, 'checking')
  assert.equal((await readIntents(setup, deposit)).length, 1)
})

test('refuses to approve a deposit to an archived or deleted account, and accepts its rejection', async () => {
  const change = (values: { archived: boolean; deleted: boolean }) =>
    inTransaction(setup.system, (tx) =>
      tx
        .updateTable('trading_accounts')
        .set(values)
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('account_id', '=', setup.accountId)
        .execute(),
    )
  for (const ended of ['archived', 'deleted'] as const) {
    const deposit = await makePendingDeposit(setup)
    await change({ archived: false, deleted: false, [ended]: true })
    const closed = { code: 'conflict', message: deskTexts.depositAccountClosed }
    await assert.rejects(approveDeposit(setup.staff, deposit), closed)
    await rejectDeposit(setup.staff, deposit, { reason: 'other' })
    await change({ archived: false, deleted: false })
  }
})

test('refuses roles without the right to decide money and hides deposits from staff of another workspace', async () => {
  const deposit = await makePendingDeposit(setup)
  for (const role of ['viewer', 'support', 'compliance']) {
    const actor = staffActor(setup.system, await addStaff(setup.system, { role }))
    assert.equal(await codeOf(approveDeposit(actor, deposit)), 'not_permitted')
    assert.equal(await codeOf(rejectDeposit(actor, deposit, { reason: 'other' })), 'not_permitted')
  }
  const elsewhere = await addWorkspace(setup.context)
  const foreign = staffActor(elsewhere, await addStaff(elsewhere))
  assert.equal(await codeOf(approveDeposit(foreign, deposit)), 'not_found')
  assert.equal(await codeOf(approveDeposit(foreign, newId())), 'not_found')
  assert.equal((await readTransaction(setup, deposit)).state, 'pending')
})

test('each decision writes one audit entry in the same commit', async () => {
  const deposit = await makePendingDeposit(setup)
  await approveDeposit(setup.staff, deposit)
  await codeOf(approveDeposit(setup.staff, deposit))
  const entries = await reading(setup.system, (tx) =>
    tx
      .selectFrom('audit_log')
      .select(['action', 'actor_kind', 'actor_id', 'before', 'after'])
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('subject_id', '=', deposit)
      .orderBy('audit_id')
      .execute(),
  )
  assert.deepEqual(
    entries.map((entry) => entry.action),
    ['deposit.requested', 'deposit.approved-by-desk'],
  )
  assert.equal(entries[1]?.actor_id, setup.staff.staffId)
  assert.deepEqual(entries[1]?.before, { state: 'pending' })
})

test('the desk shows the name of the deciding staff member, and the member never sees it', async () => {
  const deposit = await makePendingDeposit(setup)
  const colleague = staffActor(setup.system, await addStaff(setup.system, { name: 'Finn Finance', role: 'finance' }))
  await rejectDeposit(colleague, deposit, { reason: 'other' })
  const { timeline } = await readDeskDeposit(setup.staff, deposit)
  assert.deepEqual(
    timeline.map(({ event, by, staff_name }) => [event, by, staff_name]),
    [
      ['deposit.requested', 'member', null],
      ['deposit.rejected', 'staff', 'Finn Finance'],
    ],
  )
  const seen = await reading(setup.member, (tx) => listEvents(tx, setup.member, [deposit]))
  assert.equal(seen.at(-1)?.actor_kind, 'staff')
  assert.doesNotMatch(JSON.stringify(seen), new RegExp(`Finn|${colleague.staffId}`))
})
