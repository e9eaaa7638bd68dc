import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { listAudit } from '@atrium/contract/audit-log/desk-calls.ts'
import type { CallAnswer } from '@atrium/contract/call.ts'
import type { FastifyInstance } from 'fastify'
import { type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addTransaction } from '../../tests/fixtures/payments/money.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, addStaff, addWorkspace, type MadeMember } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import type { System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'

let made: MadeContext
let app: FastifyInstance
let caller: Caller
let system: System
let member: MadeMember
let staffId: string
let token: string

before(async () => {
  made = await makeTestContext({ startAt: new Date('2026-11-20T16:30:00Z') })
  const withdrawal_cut_off = { time: '15:00', zone: 'Asia/Tokyo', days_min: 1, days_max: 3 }
  const options = { subdomain: 'harbour', isDefault: true, settings: { withdrawal_cut_off } }
  system = await addWorkspace(made.context, options)
  app = await buildApp(made.context)
  caller = callerOf(app)
  member = await addMember(system, { first_name: 'Mara', last_name: 'Lindholm' })
  const colleague = await addStaff(system, { role: 'compliance', name: 'Cora Compliance' })
  staffId = colleague.staffId
  token = await caller.signIn(colleague, 'desk')
  await caller.signIn(member)
})
after(async () => {
  await app.close()
  await made.close()
})

const list = async (search: string) =>
  (await caller.get(`/desk/api/audit?${search}`, token)).body as unknown as CallAnswer<typeof listAudit>

const memberOf = ({ kind, id }: { kind: string; id: string }) => (kind === 'member' ? id : undefined)

async function addDeposit(by: System, memberId: string): Promise<string> {
  const accountId = await addAccount(by, { memberId, platformId: await addPlatform(by) })
  return addTransaction(by, { memberId, accountId, ticket: '1042', amount: '1200' })
}

describe('the audit log', () => {
  test('names who signed in as the actor of a sign-in, and filters by that actor', async () => {
    const { entries } = await list('action=session.')
    assert.deepEqual(
      entries.map(({ action, actor }) => [action, actor.kind, actor._id, actor.name]),
      [
        ['session.opened', 'member', member.memberId, 'Mara Lindholm'],
        ['session.opened', 'staff', staffId, 'Cora Compliance'],
      ],
    )
    for (const actor of [staffId, member.memberId, 'member'])
      assert.equal((await list(`actor=${actor}&action=session.opened`)).entries.length, 1, actor)
  })

  test('names the subject as the actor of a sign-in step that an older version stored without one', async () => {
    await inTransaction(system, async (tx) => {
      for (const subject of [
        { kind: 'member', id: member.memberId },
        { kind: 'staff', id: staffId },
      ])
        await audit(tx, system, { action: 'second-factor.asked', subject, memberId: memberOf(subject) })
      await audit(tx, system, { action: 'member.locked', subject: { kind: 'member', id: member.memberId } })
    })
    const { entries } = await list('action=second-factor.asked')
    assert.deepEqual(
      entries.map(({ actor }) => [actor.kind, actor._id, actor.name]),
      [
        ['staff', staffId, 'Cora Compliance'],
        ['member', member.memberId, 'Mara Lindholm'],
      ],
    )
    for (const [actor, count] of [
      ['member', 1],
      ['staff', 1],
      ['system', 0],
    ] as const)
      assert.equal((await list(`actor=${actor}&action=second-factor.asked`)).entries.length, count, actor)
    assert.equal((await list('actor=system&action=member.locked')).entries.length, 1)
  })

  test('names the subject of an entry, its amount, and the ids in its details, of this workspace alone', async () => {
    const deposit = await addDeposit(system, member.memberId)
    const other = await addWorkspace(made.context)
    const foreign = await addDeposit(other, (await addMember(other)).memberId)
    await inTransaction(system, (tx) =>
      audit(tx, system, {
        action: 'deposit.requested',
        subject: { kind: 'balance_transaction', id: deposit },
        after: { decided_by: staffId, other: foreign },
      }),
    )
    for (const search of ['action=deposit.', 'subject=balance_transaction']) {
      const { entries, names } = await list(search)
      assert.equal(entries.length, 1, search)
      assert.deepEqual(names, {
        [deposit]: { name: 'T-1042', amount: '1200.00', currency: 'USD' },
        [staffId]: { name: 'Cora Compliance', amount: null, currency: null },
      })
    }
    const { raw } = await caller.get('/desk/api/audit/table?action=deposit.', token)
    assert.match(raw, /deposit\.requested,balance_transaction,T-1042,1200\.00,USD,/)
  })

  test('begins and ends a day in the time zone of the brokerage', async () => {
    await inTransaction(system, (tx) =>
      audit(tx, system, { action: 'test.late', subject: { kind: 'workspace', id: newId() } }),
    )
    const found = async (day: string) => (await list(`action=test.late&from=${day}&to=${day}`)).entries.length
    assert.deepEqual([await found('2026-11-20'), await found('2026-11-21')], [0, 1])
  })
})
