// spec: DK members
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { rowsRead } from '../../tests/fixtures/database/rows-read.ts'
import { addStaff, addWorkspace, staffActor } from '../../tests/fixtures/workspaces.ts'
import type { Staff, System } from '../foundation/actor.ts'
import { deskMembers } from './desk-list.ts'

let made: MadeContext
let system: System
let staff: Staff
before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context)
  staff = staffActor(system, await addStaff(system))
})
after(() => made.close())

type MemberListing = Parameters<typeof deskMembers.read>[1]
const plain: MemberListing = { order: 'newest', limit: 25 }

describe('among a hundred thousand members', () => {
  const count = 100_000
  before(async () => {
    const owner = await made.openOwner()
    // The test writes the search words itself, since it measures how they are read.
    await owner.query('alter table members disable trigger member_words')
    await owner.query(
      `insert into members (workspace_id, member_id, customer_number, first_name, last_name, email, password_hash, created_at)
       select $1, gen_random_uuid(), (1000000 + n)::text, 'Member' || n % 977, 'Numbered' || n, 'm' || n || '@many.test', 'x',
         timestamptz '2020-01-01' + n * interval '10 minutes'
       from generate_series(1, $2::int) n`,
      [system.workspaceId, count],
    )
    await owner.query(
      `insert into member_words (workspace_id, member_id, word)
       select workspace_id, member_id, unnest(array[lower(first_name), lower(last_name), email, customer_number])
       from members where email like '%@many.test'`,
    )
    await owner.query('alter table members enable trigger member_words')
    await owner.query('analyze members, member_words')
  })

  const rowsReadFor = (asked: Partial<MemberListing>): Promise<number> =>
    rowsRead(
      {
        programUrl: made.programUrl,
        workspaceId: system.workspaceId,
        isMeant: (text) => /from "?members/.test(text) && !text.includes('count(*)::int as "total"'),
      },
      () => deskMembers.read(staff, { ...plain, ...asked }),
    )

  test('a page costs the same at every position and in every order', async () => {
    for (const order of ['newest', 'oldest', 'name'] as const) {
      const first = await deskMembers.read(staff, { ...plain, order })
      assert.ok((await rowsReadFor({ order })) < 400, order)
      let page = first
      for (let turn = 0; turn < 3 && page.next; turn++)
        page = await deskMembers.read(staff, { ...plain, order, limit: 100, after: page.next })
      assert.ok((await rowsReadFor({ order, after: page.next ?? '' })) < 400, `${order}, later`)
    }
    const middle = Buffer.from(JSON.stringify([String(Date.UTC(2020, 10, 1)), staff.staffId])).toString('base64url')
    for (const mark of ['after', 'before'] as const)
      assert.ok((await rowsReadFor({ [mark]: middle })) < 400, `${mark} the middle`)
  })

  test('a search finds one member without reading the others', async () => {
    for (const q of ['numbered77123', 'm4711@many.test', '1054321', 'member5 numbered512'])
      assert.ok((await rowsReadFor({ q })) < 5_000, q)
  })

  test('a search that matches everybody is as fast, and counts up to ten thousand', async () => {
    assert.ok((await rowsReadFor({ q: 'm' })) < 2_000)
    assert.equal((await deskMembers.read(staff, { ...plain, q: 'm' })).total, 10_000)
  })

  test('the count is marked as a minimum when a frequent word is combined with a filter', async () => {
    const { total, total_is_least } = await deskMembers.read(staff, { ...plain, q: 'm', from: '2021-11-01' })
    assert.ok(total <= 3_600, `${total}`)
    assert.equal(total_is_least, true)
    const counted = await deskMembers.read(staff, { ...plain, q: 'numbered77123' })
    assert.deepEqual([counted.total, counted.total_is_least], [1, false])
  })
})
