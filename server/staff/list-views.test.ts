// spec: DK members, DK staff
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import type { ListView } from '@atrium/contract/staff/list-views.ts'
import { texts } from '@atrium/contract/texts.ts'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import type { Caller } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { addMember, addStaff, addWorkspace, staffActor } from '../../tests/fixtures/workspaces.ts'
import { personalData } from '../domains.ts'
import type { System } from '../foundation/actor.ts'
import { eraseMember } from '../members/personal-data/erasure.ts'

const path = '/desk/api/account/list-views'
let made: MadeContext
let close: () => Promise<void>
let system: System
let caller: Caller
let token: string

before(async () => {
  ;({ made, caller, close } = await openAppFixture())
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  token = await caller.signIn(await addStaff(system, { role: 'viewer' }), 'desk')
})
after(() => close())

const read = async (list: string, by = token): Promise<ListView> => {
  const { saved, hidden } = (await caller.get(`${path}?list=${list}`, by)).body as ListView
  return { saved, hidden }
}

describe('a list view', () => {
  test('keeps the fields that a change omits, for this user and list only', async () => {
    const mine = { name: 'Live', search: { kind: 'live' } }
    await caller.post(path, { list: 'openings', saved: [mine] }, token)
    await caller.post(path, { list: 'openings', hidden: ['login'] }, token)
    assert.deepEqual(await read('openings'), { saved: [mine], hidden: ['login'] })
    assert.deepEqual(await read('members'), { saved: [], hidden: [] })
    const other = await caller.signIn(await addStaff(system, { role: 'viewer' }), 'desk')
    assert.deepEqual(await read('openings', other), { saved: [], hidden: [] })
  })

  test('stores no search text, and no filter that the list lacks', async () => {
    const search = { q: 'ada.private@mail.example', kind: 'demo', other: 'thing' }
    await caller.post(path, { list: 'openings', saved: [{ name: 'Demo', search }] }, token)
    assert.deepEqual((await read('openings')).saved, [{ name: 'Demo', search: { kind: 'demo' } }])
  })

  test('refuses an unknown list and too many filters', async () => {
    const many = Object.fromEntries(
      Array.from({ length: limits.savedFiltersMax + 1 }, (_, at) => [`${'a'.repeat(at + 1)}`, 'x']),
    )
    for (const body of [{ list: 'nothing' }, { list: 'openings', saved: [{ name: 'Many', search: many }] }])
      assert.equal((await caller.post(path, body, token)).status, 422, JSON.stringify(body))
    const { body } = await caller.post(path, { list: 'nothing', saved: [{ name: 'Many', search: many }] }, token)
    assert.deepEqual(body.errors, { list: [texts.valueRefused], saved: [texts.valueRefused] })
    assert.deepEqual((await caller.get(path, token)).body.errors, { list: [texts.fieldsMissing] })
  })

  test('loses the filters named after an erased member, and no others', async () => {
    const member = await addMember(system, { first_name: 'Ada', last_name: 'Private', customer_number: '700700' })
    const names = ['Ada Private', `To ${member.email.toUpperCase()}`, 'Number 700700', 'Privately held', 'Live']
    await caller.post(path, { list: 'members', saved: names.map((name) => ({ name, search: {} })) }, token)
    const staff = staffActor(system, await addStaff(system))
    await eraseMember(staff, member.memberId, { reason: 'Asked for it', customer_number: '700700' }, personalData)
    assert.deepEqual(
      (await read('members')).saved.map(({ name }) => name),
      ['Privately held', 'Live'],
    )
  })
})
