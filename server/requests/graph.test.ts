// spec: MP 2.3, MP 3, AO 7
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import type { Caller } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { addRequest, addRequestType } from '../../tests/fixtures/requests.ts'
import { addMember, addWorkspace, openTestSession, setFeatures } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { newId } from '../foundation/ids.ts'

let made: MadeContext
let close: () => Promise<void>
let system: System
let caller: Caller
let memberId: string
let otherId: string
let token: string
const types = new Map<string, string>()

before(async () => {
  ;({ made, caller, close } = await openAppFixture())
  system = await addWorkspace(made.context, { isDefault: true })
  memberId = (await addMember(system)).memberId
  otherId = (await addMember(system)).memberId
  token = (await openTestSession(system, { kind: 'member', id: memberId })).token
  for (const [name, values] of [
    ['second', { is_quick_link: true, position: 2 }],
    ['first', { is_quick_link: true, position: 1 }],
    ['no link', { position: 3 }],
    ['hidden', { is_quick_link: true, show_in_portal: false }],
    ['put away', { is_quick_link: true, archived_at: made.context.clock.now() }],
  ] as const)
    types.set(name, await addRequestType(system, { name, ...values }))
  const elsewhere = await addWorkspace(made.context, { subdomain: 'elsewhere' })
  await addRequestType(elsewhere, { name: 'elsewhere', is_quick_link: true })

  const first = types.get('first') ?? ''
  const at = (minute: number) => new Date(made.context.clock.now().getTime() + minute * 60_000)
  await addRequest(system, { memberId, requestTypeId: first, status: 'done', created_at: at(1) })
  await addRequest(system, { memberId, requestTypeId: first, status: 'in-progress', created_at: at(3), number: 77 })
  await addRequest(system, { memberId, requestTypeId: first, status: 'rejected', created_at: at(2) })
  await addRequest(system, { memberId: otherId, requestTypeId: first, status: 'open', created_at: at(9) })
})
after(() => close())

async function ask<Data>(query: string): Promise<Data> {
  const { body, raw } = await caller.post('/graph', { query }, token)
  assert.equal(body.errors, undefined, raw)
  return body.data as Data
}

type Type = { _id: string; name: string; last_request: { number: string; status: string } | null }

describe('request types', () => {
  test('are the quick links of the profile in the configured order, with the member’s last request', async () => {
    const { current_member } = await ask<{ current_member: { requests_types_for_quick_links: Type[] } }>(
      '{ current_member { requests_types_for_quick_links { name last_request { number status } } } }',
    )
    assert.deepEqual(current_member.requests_types_for_quick_links, [
      { name: 'first', last_request: { number: '77', status: 'in-progress' } },
      { name: 'second', last_request: null },
    ])
  })

  test('are listed only if they are shown in the portal', async () => {
    const { requests_types } = await ask<{ requests_types: Type[] }>(
      '{ requests_types(show_in_portal: true) { name } }',
    )
    assert.deepEqual(
      requests_types.map(({ name }) => name),
      ['first', 'second', 'no link'],
    )
  })

  test('come with their last request when read by id; hidden, archived and unknown ones are null', async () => {
    const id = types.get('first')
    const { request_type } = await ask<{ request_type: object }>(
      `{ request_type(_id: "${id}") { name form { _id } last_request { customer { _id } request_type { _id } } } }`,
    )
    assert.deepEqual(request_type, {
      name: 'first',
      form: null,
      last_request: { customer: { _id: memberId }, request_type: { _id: id } },
    })
    for (const other of [types.get('hidden'), types.get('put away'), newId(), '__proto__', "' or 1=1"])
      assert.deepEqual(await ask(`{ request_type(_id: ${JSON.stringify(other)}) { name } }`), { request_type: null })
  })

  test('ignore a customer argument that names another member', async () => {
    const { requests_types } = await ask<{ requests_types: Type[] }>(
      `{ requests_types { last_request(customer: "${otherId}") { number } } }`,
    )
    assert.deepEqual(new Set(requests_types.map(({ last_request }) => last_request)), new Set([null]))
  })

  test('are absent while requests are off', async () => {
    await setFeatures(system, { requests: false })
    const { raw } = await caller.post('/graph', { query: '{ requests_types { name } }' }, token)
    assert.match(raw, /feature_off/)
  })
})
