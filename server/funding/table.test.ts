// spec: AO 2.5, AO 3
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addTransaction } from '../../tests/fixtures/payments/money.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, addWorkspace, openTestSession, setFeatures } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'

describe('the CSV export of transactions', () => {
  let made: MadeContext
  let app: FastifyInstance
  let system: System
  let token: string
  let memberId: string
  let accountId: string

  const signIn = async (id: string) => (await openTestSession(system, { kind: 'member', id })).token
  const table = (query = '', bearer = token) => callerOf(app).get(`/members/transactions/table${query}`, bearer)
  const linesOf = (raw: string) => raw.replace('\uFEFF', '').trim().split('\r\n')

  before(async () => {
    made = await makeTestContext()
    app = await buildApp(made.context)
    system = await addWorkspace(made.context, { isDefault: true })
    memberId = (await addMember(system)).memberId
    token = await signIn(memberId)
    const platformId = await addPlatform(system)
    accountId = await addAccount(system, { memberId, platformId, platform_login: '7001' })
    const whose = { memberId, accountId }
    const at = (day: number) => new Date(Date.UTC(2026, 10, day, 12))
    await addTransaction(system, { ...whose, created_at: at(1), comment: '=HYPERLINK("x")', amount: '250.50' })
    await addTransaction(system, { ...whose, created_at: at(2), type: 'withdrawal', state: 'approved' })
    await addTransaction(system, { ...whose, created_at: at(3), state: 'rejected', destination: 'psp:zotapay' })
    await addTransaction(system, { ...whose, created_at: at(4), state: 'cancelled', comment: 'gone' })
  })
  after(async () => {
    await app.close()
    await made.close()
  })

  it('contains the rows of the list, newest first, with formulas neutralised and amounts as numbers', async () => {
    const { status, raw, headers } = await table()
    assert.equal(status, 200, raw)
    assert.match(String(headers['content-type']), /text\/csv/)
    assert.match(String(headers['content-disposition']), /attachment; filename="transactions-\d{4}-\d\d-\d\d\.csv"/)
    const [head, ...lines] = linesOf(raw)
    assert.match(head ?? '', /^Time \(UTC\),Ticket,Account,Transaction,Payment method,Status,Total,Currency,/)
    assert.equal(lines.length, 4)
    assert.match(lines.shift() ?? '', /,Cancelled,100\.00,USD,/)
    assert.match(
      lines[0] ?? '',
      /^2026-11-03 12:00:00,\d+,7001,Deposit,.*,Rejected,100\.00,USD,,zotapay,,,We could not/,
    )
    assert.match(lines[1] ?? '', /,Withdrawal,.*,Approved,-100\.00,USD,/)
    assert.match(lines[2] ?? '', /,Pending,250\.50,USD,.*'=HYPERLINK\(/)
    assert.doesNotMatch(raw, /psp:/)
  })

  it("applies the list's filters", async () => {
    for (const [query, count] of [
      ['?status=approved', 1],
      ['?status=cancelled', 1],
      ['?type=deposit', 3],
      ['?amount=250.5', 1],
      ['?account_number=7001', 4],
      ['?account_number=7002', 0],
      ['?live_account=true', 4],
      ['?live_account=false', 0],
      ['?live_account=true&account_number=7001', 4],
      ['?destination=psp:zotapay', 1],
      [`?created_at_from=${Date.UTC(2026, 10, 2)}&created_at_to=${Date.UTC(2026, 10, 3)}`, 1],
      ['?ticket=none', 0],
    ] as const)
      assert.equal(linesOf((await table(query)).raw).length - 1, count, query)
    assert.equal((await table('?amount=1e3')).status, 422)
  })

  it('says why a withdrawal was rejected', async () => {
    const other = await addMember(system)
    const own = await addAccount(system, { memberId: other.memberId, platformId: await addPlatform(system) })
    const whose = { memberId: other.memberId, accountId: own, type: 'withdrawal', state: 'rejected' } as const
    await addTransaction(system, { ...whose, rejection_reason: 'payout_failed' })
    const [, line] = linesOf((await table('', await signIn(other.memberId))).raw)
    assert.match(line ?? '', /,Rejected,.*The payment could not be made, and the amount is back on your account\./)
  })

  it('contains no rows of others, and depends on the feature', async () => {
    const other = await addMember(system)
    assert.equal(linesOf((await table('', await signIn(other.memberId))).raw).length, 1)
    await setFeatures(system, { balance_transactions: false })
    const off = await table()
    assert.deepEqual([off.status, off.body.code], [404, 'feature_off'])
    await setFeatures(system, { balance_transactions: true })
  })

  it('is written page by page, every row once, up to a limit', async () => {
    const many = await addMember(system)
    const platformId = await addPlatform(system)
    const own = await addAccount(system, { memberId: many.memberId, platformId })
    const rows = Array.from({ length: 2_500 }, (_, index) => ({
      workspace_id: system.workspaceId,
      transaction_id: newId(),
      ticket: 2_000_000 + index,
      member_id: many.memberId,
      account_id: own,
      type: 'deposit',
      amount: '10',
      currency: 'USD',
      state: 'pending',
      source: 'client',
      payment_method: 'manual',
      // Many rows with the same time, so that a page ends among them.
      created_at: new Date(Date.UTC(2026, 9, 1 + Math.floor(index / 400))),
    }))
    await inTransaction(system, (tx) => tx.insertInto('balance_transactions').values(rows).execute())
    const bearer = await signIn(many.memberId)
    const lines = linesOf((await table('', bearer)).raw).slice(1)
    assert.equal(lines.length, 2_500)
    assert.equal(new Set(lines.map((line) => line.split(',')[1])).size, 2_500)
    let last = 200
    for (let tries = 1; tries < 40 && last === 200; tries += 1) last = (await table('?ticket=1', bearer)).status
    assert.equal(last, 429)
  })
})
