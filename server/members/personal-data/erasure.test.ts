// spec: DK members, OP faults
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type pg from 'pg'
import { fillEveryTable } from '../../../tests/catalogue/every-table.ts'
import { fillJoined, oneOf } from '../../../tests/catalogue/joined-rows.ts'
import { type MadeContext, makeTestContext } from '../../../tests/fixtures/context.ts'
import { closePayments } from '../../../tests/fixtures/payments/payment-exceptions.ts'
import { addMismatch } from '../../../tests/fixtures/reconciliations.ts'
import { addMedia } from '../../../tests/fixtures/requests.ts'
import { addStaff, openTestSession, provenStaff } from '../../../tests/fixtures/workspaces.ts'
import { noteDifference } from '../../accounts/differences.ts'
import { verifyAudit } from '../../audit-log/verify.ts'
import { copyTables } from '../../backup/copy-tables.ts'
import { personalData } from '../../domains.ts'
import { type Staff, systemActor } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import { inTransaction } from '../../foundation/database/database.ts'
import { Refusal } from '../../foundation/errors.ts'
import { explainMismatch } from '../../reconciliation/explanation.ts'
import { listSessionsOf } from '../../sessions/desk-help.ts'
import { memberColumns } from '../member-columns.ts'
import { withheldTables } from './data-export.ts'
import { eraseMember } from './erasure.ts'
import { exportMember } from './export.ts'

let made: MadeContext
let owner: pg.Client
let staff: Staff
let filled: Awaited<ReturnType<typeof fillEveryTable>>
/** Written into every column that could identify the member. */
const canary = 'canaryperson'

before(async () => {
  made = await makeTestContext()
  owner = await made.openOwner()
  filled = await fillEveryTable(made.context, 'here')
  const system = systemActor(made.context, filled.workspaceId)
  staff = await provenStaff(system, await addStaff(system))
  await fillJoined(staff, owner, { memberId: filled.memberId, note: canary })
  await markEverything(filled.memberId)
  await markJoined(filled.memberId)
  await explainSomething(filled.memberId)
})
after(() => made.close())

/** Columns without personal data: the program's own words without a check, bank names, and staff. Columns with a check or key are skipped too. */
const ours =
  /^(status|type|swift|bank_name|currency|preferred_currency|rejection_reason|payment_method|permissions|event|storage_key|extension|content_type|group_name|platform_login|platform_ticket|customer_number|attempt|reference|staff_reason|taken_by_name|assigned_staff_name)$/

/** Tables whose triggers freeze texts. */
const guarded = ['balance_transactions', 'tickets', 'ticket_messages']

async function markEverything(memberId: string): Promise<void> {
  for (const table of guarded) await owner.query(`alter table ${table} disable trigger user`)
  for (const table of await tablesWithMember()) {
    // An acceptance of terms is stored unchanged as proof; the other two cannot be written here.
    if (['audit_log', 'member_words', 'terms_acceptances'].includes(table)) continue
    const columns = await owner.query<{ name: string; type: string }>(
      `select column_name as name, udt_name as type from information_schema.columns
       where table_schema = 'public' and table_name = $1 and udt_name in ('text', '_text') and is_generated = 'NEVER'`,
      [table],
    )
    for (const { name, type } of columns.rows.filter((column) => !ours.test(column.name))) {
      const marked = type === '_text' ? `array['${canary}']` : `'${canary}'`
      await owner
        .query(`update ${table} set ${name} = ${marked} where member_id = $1`, [memberId])
        .catch((problem: pg.DatabaseError) => assert.match(problem.code ?? '', /^23/, `${table}.${name}`))
    }
  }
  for (const table of guarded) await owner.query(`alter table ${table} enable trigger user`)
  await inTransaction(staff, (tx) =>
    audit(
      tx,
      { ...staff, address: '203.0.113.77' },
      {
        action: 'test.changed',
        subject: { kind: 'member', id: memberId },
        memberId,
        before: { name: canary },
      },
    ),
  )
}

/** Those emptied here and not elsewhere; a test of the catalogue finds a missing one. */
const joined = Object.entries(personalData.joined).filter(([, { ending }]) => ending.do !== 'apart')

const joinedTo = (table: string): string => {
  const found = personalData.joined[table]
  const owners = found ? [found, ...(found.or ?? [])] : []
  const owned = owners.map(({ owner: table, by, of = by }) => {
    const keys = ['workspace_id', ...by].map((key, at) => `own.${['workspace_id', ...of][at]} = part.${key}`)
    return `exists (select from ${table} as own where own.member_id = $1 and ${keys.join(' and ')})`
  })
  return `(${owned.join(' or ')})`
}

/** A column that the anonymised copy keeps holds no personal data. An intent's note is a kind of transaction. */
function isOurs(table: string, column: string): boolean {
  const inCopy = copyTables[table]
  const stored = inCopy?.do === 'keep' ? `${inCopy.words ?? ''} ${inCopy.marks ?? ''}`.split(' ') : []
  return stored.includes(column) || `${table}.${column}` === 'platform_intents.note'
}

/** Marks the texts of staff and platforms in tables without a member column. */
async function markJoined(memberId: string): Promise<void> {
  await owner.query('alter table payment_cases disable trigger user')
  for (const [table] of joined) {
    const columns = await owner.query<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_schema = 'public' and table_name = $1 and udt_name = 'text' and is_generated = 'NEVER'`,
      [table],
    )
    for (const { name } of columns.rows.filter((column) => !isOurs(table, column.name)))
      await owner.query(`update ${table} as part set ${name} = '${canary}' where ${joinedTo(table)}`, [memberId])
  }
  await owner.query('alter table payment_cases enable trigger user')
}

/** Marks the log too: entries as written now, and as written before entries had a member. */
async function explainSomething(memberId: string): Promise<void> {
  const { account_id: accountId = '' } = await oneOf(owner, 'trading_accounts', memberId)
  const id = await addMismatch(systemActor(made.context, filled.workspaceId), { accountId })
  await explainMismatch(staff, id, canary)
  const { transaction_id } = await oneOf(owner, 'balance_transactions', memberId)
  const intent = await owner.query('select intent_id from platform_intents where transaction_id = $1', [transaction_id])
  const subjects = [
    { kind: 'reconciliation_difference', id },
    { kind: 'platform_intent', id: String(intent.rows[0].intent_id) },
  ]
  for (const subject of subjects)
    await inTransaction(staff, (tx) => audit(tx, staff, { action: 'test.noted', subject, after: { note: canary } }))
}

async function tablesWithMember(): Promise<string[]> {
  const found = await owner.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'member_id' order by 1`,
  )
  return found.rows.map((row) => row.name)
}

async function dumpOf(memberId: string): Promise<Record<string, unknown[]>> {
  const dump: Record<string, unknown[]> = {}
  for (const table of await tablesWithMember())
    dump[table] = (await owner.query(`select * from ${table} where member_id = $1`, [memberId])).rows
  return dump
}

async function dumpOfJoined(memberId: string): Promise<Record<string, unknown[]>> {
  const dump: Record<string, unknown[]> = {}
  for (const [table] of joined)
    dump[table] = (await owner.query(`select part.* from ${table} as part where ${joinedTo(table)}`, [memberId])).rows
  return dump
}

/** Notes a difference as the account comparison does every ten minutes until staff decide. */
async function noteCurrency(): Promise<void> {
  const found = await owner.query('select * from trading_accounts where member_id = $1 limit 1', [filled.memberId])
  const { platform_id, platform_login: login, account_id: accountId } = found.rows[0]
  const seen = { login, group: 'real', leverage: 100, enabled: true, tradingAllowed: true, passwordChangeAllowed: true }
  const at = { ...seen, name: canary, email: canary, comment: '', registeredAt: 0, currency: 'EUR' }
  const difference = { kind: 'currency', login, accountId, reason: 'EUR', at } as const
  await inTransaction(systemActor(made.context, filled.workspaceId), (tx) =>
    noteDifference(tx, staff, platform_id, difference),
  )
}

async function holders(): Promise<unknown[]> {
  const found = await owner.query(`select holder, holder_email from account_differences where kind = 'currency'`)
  return found.rows.map(({ holder, holder_email }) => [holder, holder_email])
}

const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'done',
    (problem: unknown) => (problem instanceof Refusal ? problem.code : String(problem)),
  )
const why = async () => {
  const found = await owner.query('select customer_number from members where member_id = $1', [filled.memberId])
  return { reason: 'Asked for it', customer_number: String(found.rows[0].customer_number) }
}

describe('the catalogue', () => {
  test('has an erasure rule for every table with members', async () => {
    assert.deepEqual(await tablesWithMember(), Object.keys(personalData.tables).sort())
  })

  test('lists exactly the columns of the table of members', async () => {
    const found = await owner.query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = 'members'`,
    )
    const columns = found.rows.map(({ name }) => name)
    assert.deepEqual(columns.sort(), Object.keys(memberColumns).sort())
  })
})

describe('the export of one member', () => {
  test('holds every row of every exported table and the files, and no secret', async () => {
    const dump = await dumpOf(filled.memberId)
    const exported = await exportMember(staff, filled.memberId, personalData)
    for (const [table, rows] of Object.entries(dump)) {
      // The export's own audit entry is written after the tables were read.
      if (table in withheldTables) assert.ok(!(table in exported.tables), table)
      else assert.equal(exported.tables[table]?.length, rows.length, table)
      assert.ok(rows.length > 0, `${table} has no row to export; add one to tests/catalogue/every-table.ts`)
    }
    assert.equal(exported.files.length, dump.media?.length)
    const text = JSON.stringify(exported)
    assert.ok(text.includes(canary))
    for (const secret of ['$argon2', '"type":"Buffer"', 'password_hash":', 'token_hash":'])
      assert.ok(!text.includes(secret))
    assert.ok(!text.includes(filled.otherMemberId))
  })
})

describe('erasing one member', () => {
  test('is refused with open money, an open opening or payment, a wrong number, or no permission', async () => {
    assert.equal(await codeOf(eraseMember(staff, filled.memberId, await why(), personalData)), 'illegal_move')
    const cancelled = `update balance_transactions set state = 'cancelled' where member_id = $1 and state = 'pending'`
    await owner.query(cancelled, [filled.memberId])
    assert.equal(await codeOf(eraseMember(staff, filled.memberId, await why(), personalData)), 'illegal_move')
    await owner.query(`update account_openings set state = 'not_executed' where member_id = $1`, [filled.memberId])
    assert.equal(await codeOf(eraseMember(staff, filled.memberId, await why(), personalData)), 'illegal_move')
    await closePayments(owner, filled.memberId)
    assert.equal(
      await codeOf(eraseMember(staff, filled.memberId, { ...(await why()), customer_number: '1' }, personalData)),
      'invalid_input',
    )
    const support = { ...staff, role: 'support' }
    assert.equal(await codeOf(eraseMember(support, filled.memberId, await why(), personalData)), 'not_permitted')
    assert.equal(await codeOf(exportMember(support, filled.memberId, personalData)), 'not_permitted')
  })

  test('leaves the accounting records and the log entry, and nothing that identifies the member', async () => {
    const system = systemActor(made.context, filled.workspaceId)
    await openTestSession(system, { kind: 'member', id: filled.memberId })
    const loose = await addMedia(system, { memberId: filled.memberId, name: `${canary}.pdf` })
    await noteCurrency()
    assert.deepEqual(await holders(), [[canary, canary]])
    const before = await dumpOf(filled.memberId)
    await eraseMember(staff, filled.memberId, await why(), personalData)
    const left = await dumpOf(filled.memberId)
    for (const [table, rows] of Object.entries(left))
      assert.deepEqual(
        rows.filter((row) => JSON.stringify(row).includes(canary)),
        [],
        `${table} still identifies the member`,
      )
    assert.ok(!JSON.stringify(left).includes('203.0.113.77'))
    for (const table of ['balance_transactions', 'transaction_events', 'trading_accounts', 'transaction_attachments'])
      assert.equal(left[table]?.length, before[table]?.length, table)
    assert.equal(left.audit_log?.length, (before.audit_log?.length ?? 0) + 1)
    for (const [table, ending] of Object.entries(personalData.tables))
      if (ending.do === 'remove') assert.deepEqual(left[table], [], table)
    assert.equal(await made.context.files.read(`${filled.workspaceId}/${loose}`), null)
    const [stored] = left.media as { storage_key: string; name: string }[]
    assert.equal(stored?.name, 'file.pdf')
    const receipt = await made.context.files.read(stored?.storage_key ?? '')
    assert.ok(receipt)
    receipt.destroy()
    assert.deepEqual(await listSessionsOf(staff, filled.memberId), [])
  })

  test('leaves no text of staff in tables without a member column or in the log', async () => {
    const left = await dumpOfJoined(filled.memberId)
    for (const [table, rows] of Object.entries(left)) {
      assert.ok(rows.length > 0, `${table} has no row; add one to tests/catalogue/joined-rows.ts`)
      assert.ok(!JSON.stringify(rows).includes(canary), `${table} still has text about the member`)
    }
    const cases = left.payment_cases as { decision: string; paid: string }[]
    assert.ok(cases.some(({ decision, paid }) => decision && paid))
    const entries = await owner.query(
      `select action, before, after from audit_log where concat(before, after) like $1`,
      [`%${canary}%`],
    )
    assert.deepEqual(entries.rows, [])
  })

  test('leaves no name in an open account discrepancy, also when the platform reports it again', async () => {
    assert.deepEqual(await holders(), [[null, null]])
    await noteCurrency()
    assert.deepEqual(await holders(), [[null, null]])
  })

  test('runs once, affects no other member, and leaves a valid audit chain', async () => {
    assert.equal(await codeOf(eraseMember(staff, filled.memberId, await why(), personalData)), 'illegal_move')
    const other = await owner.query('select status, email from members where member_id = $1', [filled.otherMemberId])
    assert.equal(other.rows[0].status, 'active')
    const report = await verifyAudit(systemActor(made.context, filled.workspaceId))
    assert.deepEqual(report.findings, [])
  })

  test('still detects edits of the log: restored or changed details', async () => {
    await owner.query(
      `update audit_log set after = '{"x": 1}' where audit_id = (select audit_id from audit_log where member_id = $1 order by audit_id limit 1)`,
      [filled.memberId],
    )
    const report = await verifyAudit(systemActor(made.context, filled.workspaceId))
    assert.equal(report.findings.length, 1)
  })
})
