// spec: DK members, OP faults
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type pg from 'pg'
import { fillEveryTable } from '../../../tests/catalogue/every-table.ts'
import { fillJoined, oneOf } from '../../../tests/catalogue/joined-rows.ts'
import { type MadeContext, makeTestContext } from '../../../tests/fixtures/context.ts'
import { addMismatch } from '../../../tests/fixtures/reconciliations.ts'
import { addStaff, memberActor, provenStaff } from '../../../tests/fixtures/workspaces.ts'
import { setKycDocumentsElsewhere } from '../../documents/requests.ts'
import { personalData } from '../../domains.ts'
import { type Staff, type System, systemActor } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import { inTransaction } from '../../foundation/database/database.ts'
import { explainMismatch } from '../../reconciliation/explanation.ts'
import { resetMemberFactors } from '../../sessions/factors/factor-reset.ts'
import { noteOnTicket } from '../../tickets/desk-answers.ts'
import { lockMember } from '../lock.ts'
import { describeMember } from '../member-page.ts'
import { withheldTables } from './data-export.ts'
import { type Exported, exportMember } from './export.ts'

/** A text among staff, in every place where the desk promises that the member does not see it. */
const internal = 'between colleagues'
const staffAddress = '203.0.113.9'
const memberAddress = '198.51.100.7'

let made: MadeContext
let owner: pg.Client
let system: System
let staff: Staff
let filled: Awaited<ReturnType<typeof fillEveryTable>>

before(async () => {
  made = await makeTestContext()
  owner = await made.openOwner()
  filled = await fillEveryTable(made.context, 'here')
  system = systemActor(made.context, filled.workspaceId)
  staff = { ...(await provenStaff(system, await addStaff(system))), address: staffAddress }
  for (const memberId of [filled.memberId, filled.otherMemberId])
    await fillJoined(staff, owner, { memberId, note: internal })
})
after(() => made.close())

const one = (table: string, memberId: string) => oneOf(owner, table, memberId)

const rowsOf = ({ tables }: Exported, table: string) => tables[table] ?? []

describe('internal data of staff', () => {
  before(async () => {
    const { memberId } = filled
    const { ticket_id = '' } = await one('tickets', memberId)
    await noteOnTicket(staff, ticket_id, internal)
    await setKycDocumentsElsewhere(staff, memberId, { elsewhere: true, reason: internal })
    await resetMemberFactors(staff, memberId, internal)
    const member = { ...(await memberActor(system, memberId)), address: memberAddress }
    const subject = { kind: 'member', id: memberId }
    await inTransaction(member, (tx) => audit(tx, member, { action: 'test.did', subject, after: { reason: 'my own' } }))
    await lockMember(staff, memberId, internal)
    const { account_id: accountId = '' } = await one('trading_accounts', memberId)
    await explainMismatch(staff, await addMismatch(system, { accountId }), internal)
  })

  test('is left out of the archive: notes, internal reasons, and IP addresses of staff', async () => {
    const exported = await exportMember(staff, filled.memberId, personalData)
    const text = JSON.stringify(exported)
    for (const word of [internal, staffAddress, 'Asked twice already']) assert.ok(!text.includes(word), word)
    for (const table of Object.keys(withheldTables)) assert.ok(!(table in exported.tables), table)
    for (const column of ['ticket_notes', 'audit_log.address', 'member_locks.reason', 'members.password_hash'])
      assert.ok(exported.withheld.includes(column), column)
  })

  test("leaves in the archive what was done and decided, and the member's own actions with their IP address", async () => {
    const exported = await exportMember(staff, filled.memberId, personalData)
    const lock = rowsOf(exported, 'member_locks').find(({ lifted_at }) => lifted_at === null)
    assert.ok(lock?.locked_at)
    const entries = rowsOf(exported, 'audit_log')
    const byAction = (action: string) => entries.find((entry) => entry.action === action)
    assert.deepEqual(Object.keys(byAction('member.locked')?.after ?? {}).sort(), ['sessions_ended', 'status'])
    assert.equal(byAction('member.papers-seen-elsewhere')?.actor_kind, 'staff')
    assert.deepEqual(byAction('reconciliation.explained')?.after, {})
    assert.equal(byAction('test.did')?.address, memberAddress)
    assert.deepEqual(byAction('test.did')?.after, { reason: 'my own' })
    const documents = rowsOf(exported, 'document_events')
    assert.ok(documents.some(({ event }) => event === 'member.papers-seen-elsewhere'))
  })

  test('is mentioned on the page, without a heading of its own', async () => {
    const page = describeMember(await exportMember(staff, filled.memberId, personalData))
    assert.match(page, /internal notes and reasons of staff/)
    assert.ok(!page.includes('id="ticket_notes"') && page.includes('id="ticket_messages"'))
  })
})

describe('data about a member in tables without a member column', () => {
  test('is in the archive of this member and of no other', async () => {
    const exported = await exportMember(staff, filled.memberId, personalData)
    for (const table of Object.keys(personalData.joined))
      assert.equal(rowsOf(exported, table).length > 0, !(table in withheldTables), table)
    const { platform_login: login } = await one('trading_accounts', filled.memberId)
    const { platform_login: other = '' } = await one('trading_accounts', filled.otherMemberId)
    assert.deepEqual(
      rowsOf(exported, 'account_differences').map(({ holder, holder_email }) => [holder, holder_email]),
      [[`Holder ${login}`, `${login}@holder.example`]],
    )
    const payments = rowsOf(exported, 'payment_cases').map(({ payment, decision }) => [payment, decision])
    assert.ok(payments.some(([payment, decision]) => payment === `of ${filled.memberId}` && decision === 'explained'))
    const text = JSON.stringify(exported)
    for (const word of [`Holder ${other}`, `of ${filled.otherMemberId}`, `paid ${other}`])
      assert.ok(!text.includes(word))
  })

  test("has a rule for export and erasure in the catalogue for every table that refers to a member's rows", async () => {
    const found = await owner.query<{ name: string }>(`
      with owned as (select table_name::text as name from information_schema.columns
        where table_schema = 'public' and column_name = 'member_id')
      select distinct conrelid::regclass::text as name from pg_constraint
      where contype = 'f' and confrelid::regclass::text in (select name from owned)
        and conrelid::regclass::text not in (select name from owned) order by 1`)
    const names = found.rows.map(({ name }) => name)
    assert.ok(names.includes('payment_cases'))
    assert.deepEqual(
      names.filter((name) => !(name in personalData.joined)),
      [],
    )
  })
})
