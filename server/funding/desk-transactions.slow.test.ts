import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { rowsRead } from '../../tests/fixtures/database/rows-read.ts'
import { addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addStaff, addWorkspace, staffActor } from '../../tests/fixtures/workspaces.ts'
import type { Staff, System } from '../foundation/actor.ts'
import { deskDeposits } from './desk-transactions.ts'

const members = 12_000
const each = 5
type Asked = Partial<Parameters<typeof deskDeposits.read>[1]>

describe('among sixty thousand deposits', () => {
  let made: MadeContext
  let system: System
  let staff: Staff
  before(async () => {
    made = await makeTestContext()
    system = await addWorkspace(made.context)
    staff = staffActor(system, await addStaff(system))
    await fill(await addPlatform(system))
  })
  after(() => made.close())

  /** One in a hundred is pending, and the oldest are approved. */
  async function fill(platformId: string): Promise<void> {
    const owner = await made.openOwner()
    await owner.query(`set session_replication_role = 'replica'`)
    await owner.query(
      `insert into members (workspace_id, member_id, customer_number, first_name, last_name, email, password_hash, created_at)
       select $1, md5('m' || n)::uuid, (1000000 + n)::text, 'Member', 'Numbered' || n, 'm' || n || '@many.test', 'x', now()
       from generate_series(1, $2::int) n`,
      [system.workspaceId, members],
    )
    await owner.query(
      `insert into member_words (workspace_id, member_id, word)
       select workspace_id, member_id, unnest(array[lower(first_name), lower(last_name), email, customer_number]) from members
       where email like '%@many.test'`,
    )
    await owner.query(
      `insert into trading_accounts (workspace_id, account_id, member_id, platform_id, platform_login, live_account, group_name,
         leverage, currency, balance, created_at)
       select $1, md5('a' || n)::uuid, md5('m' || n)::uuid, $2, (5000000 + n)::text, true, 'real', 100, 'USD', 1000, now()
       from generate_series(1, $3::int) n`,
      [system.workspaceId, platformId, members],
    )
    await owner.query(
      `insert into balance_transactions (workspace_id, transaction_id, ticket, member_id, account_id, type, amount, currency, state,
         source, payment_method, platform_ticket, created_at)
       select $1, gen_random_uuid(), 9000000 + n, md5('m' || 1 + n % $2::int)::uuid, md5('a' || 1 + n % $2::int)::uuid, 'deposit', 10, 'USD',
         case n % 100 when 7 then 'pending' else 'approved' end, 'client', 'manual', n::text, now() - n * interval '1 minute'
       from generate_series(1, $2::int * $3::int) n`,
      [system.workspaceId, members, each],
    )
    await owner.query('analyze')
  }

  const list = (asked: Asked) => deskDeposits.read(staff, { page: 1, limit: 25, order: 'oldest', ...asked })
  /** Excludes the counts, and searches by amounts that no index serves, which have their own bound. */
  const meant = () => ({
    programUrl: made.programUrl,
    workspaceId: system.workspaceId,
    isMeant: (text: string) => text.includes('balance_transactions') && !/as "?(counted|latest)/.test(text),
  })

  test('a page reads only the rows it shows, whatever the total', async () => {
    for (const asked of [
      {},
      { order: 'newest' },
      { state: 'pending' },
      { state: 'approved', order: 'newest' },
    ] as const)
      assert.ok((await rowsRead(meant(), () => list(asked))) < 400, JSON.stringify(asked))
  })

  test('finds a member and a reference without scanning the others', async () => {
    const all = await list({})
    const [one] = all.deposits
    assert.ok(one)
    for (const [q, total] of [
      ['numbered1777', each],
      ['1001777', each],
      ['5001777', each],
      [String(one.ticket), 1],
    ] as const) {
      const found = await list({ q })
      assert.deepEqual([found.total, found.deposits.length], [total, Math.min(total, 25)], q)
      assert.ok((await rowsRead(meant(), () => list({ q }))) < 400, q)
    }
    assert.deepEqual((await list({ q: '99999999' })).deposits, [])
    const sized = await list({ q: '10.00' })
    assert.deepEqual([sized.total, sized.total_is_least], [1_000, true])
  })

  test('a search that matches every row is as fast, and is counted up to ten thousand only', async () => {
    const { total, counts } = await list({ q: 'member' })
    assert.deepEqual(
      [total, counts.approved, counts.pending],
      [limits.countedMax, limits.countedMax, (members * each) / 100],
    )
    assert.ok((await rowsRead(meant(), () => list({ q: 'member' }))) < 400)
    assert.equal((await list({})).total, limits.countedMax)
  })

  test('pages go on beyond the last counted row', async () => {
    const last = limits.countedMax / 25
    for (const asked of [{}, { state: 'approved' }, { from: '2000-01-01' }] as const) {
      const { deposits, total, total_is_least: isLeast } = await list({ ...asked, page: last })
      assert.deepEqual([deposits.length, total, isLeast], [25, limits.countedMax + 1, true], JSON.stringify(asked))
      assert.equal((await list({ ...asked, page: last + 1 })).total, limits.countedMax + 26)
    }
  })
  test('a search that matches too many members to count says so, and its pages end with the last row', async () => {
    const found = new Set<string>()
    let page = 0
    let total = 1
    while (page * 25 < total) {
      page += 1
      const answer = await list({ q: 'member', state: 'pending', page })
      assert.equal(answer.total_is_least, true)
      total = answer.total
      for (const { _id } of answer.deposits) found.add(_id)
    }
    assert.equal(found.size, (members * each) / 100)
    assert.equal((await list({ q: 'numbered1777' })).total_is_least, false)
  })
})
