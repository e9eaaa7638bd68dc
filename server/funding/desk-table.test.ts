// spec: DK reconciliation
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addTransaction } from '../../tests/fixtures/payments/money.ts'
import { openServedFixture, type ServedFixture } from '../../tests/fixtures/served-fixture.ts'
import { addAccount } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, addStaff, addWorkspace, openTestSession, staffActor } from '../../tests/fixtures/workspaces.ts'
import { reading } from '../foundation/database/database.ts'
import { deskDeposits, deskWithdrawals } from './desk-transactions.ts'

let setup: ServedFixture
before(async () => {
  setup = await openServedFixture()
})
after(() => setup.close())

const oldest = { order: 'oldest' } as const
type Asked = Parameters<typeof deskDeposits.table>[1]

async function tableOf(type: 'deposit' | 'withdrawal', asked: Asked, staff = setup.staff): Promise<string[]> {
  let text = ''
  const { lines } = await (type === 'deposit' ? deskDeposits : deskWithdrawals).table(staff, asked)
  for await (const part of lines) text += part
  return text.trimEnd().split('\r\n')
}

test('exports a whole queue in its order and by its filters, with formulas in member texts neutralised', async () => {
  const { memberId } = await addMember(setup.system, { first_name: '=cmd()', last_name: 'Formula' })
  const accountId = await addAccount(setup.system, { memberId, platformId: setup.platformId, currency: 'JPY' })
  const own = { memberId, accountId, currency: 'JPY', amount: '1200' }
  // More rows than one batch, several with the same time: none is lost or repeated between batches.
  for (let made = 0; made < 503; made++) await addTransaction(setup.system, { ...own, comment: `@${made}` })
  await addTransaction(setup.system, { ...own, state: 'approved' })
  await addTransaction(setup.system, { ...own, type: 'withdrawal', fee: '100', destination_text: 'x' })
  const [heads, ...rows] = await tableOf('deposit', { ...oldest, state: 'pending' })
  assert.match(heads ?? '', /^\uFEFFRequested \(UTC\),Ticket,State,/)
  assert.equal(rows.length, 503)
  assert.equal(new Set(rows.map((row) => row.split(',')[1])).size, 503)
  assert.match(rows[0] ?? '', /,pending,\d+,'=cmd\(\) Formula,\d+,mt5,live,1200,0,JPY,manual_transfer,,'@\d+,/)
  assert.equal((await tableOf('deposit', oldest)).length, 505)
  assert.equal((await tableOf('deposit', { order: 'newest', q: '=cmd()', state: 'approved' })).length, 2)
  assert.match((await tableOf('withdrawal', oldest))[1] ?? '', /,live,1200,100,JPY,/)
})

test('each export is audited without its search text', async () => {
  await tableOf('withdrawal', { ...oldest, q: 'Mara Member' })
  const entries = await reading(setup.staff, (tx) =>
    tx.selectFrom('audit_log').where(here).select('after').where('action', '=', 'withdrawals.exported').execute(),
  )
  assert.deepEqual(entries.at(-1)?.after, { order: 'oldest', q: '…' })
})

test('over HTTP: only for staff with the right to read money, in their own workspace', async () => {
  const elsewhere = await addWorkspace(setup.context, { subdomain: 'quiet' })
  assert.equal((await tableOf('deposit', oldest, staffActor(elsewhere, await addStaff(elsewhere)))).length, 1)
  const { token } = await openTestSession(setup.system, { kind: 'staff', id: setup.staff.staffId })
  const get = (url: string, authorization: string) =>
    setup.app.inject({ method: 'GET', url, headers: { authorization } })
  const answer = await get('/desk/api/deposits/table?state=approved', `Bearer ${token}`)
  assert.equal(answer.statusCode, 200)
  assert.match(String(answer.headers['content-disposition']), /^attachment; filename="deposits\.csv"$/)
  assert.equal(answer.body.trimEnd().split('\r\n').length, 2)
  const member = await openTestSession(setup.system, { kind: 'member', id: setup.member.memberId })
  assert.equal((await get('/desk/api/withdrawals/table', `Bearer ${member.token}`)).statusCode, 401)
})
