import assert from 'node:assert/strict'
import { z } from 'zod'
import { newId } from '../../server/foundation/ids.ts'
import type { CallRoute, EveryCall } from './fixture.ts'
import type { ValidRequest } from './valid-requests/valid-request.ts'

/**
 * A number used nowhere else in the tests, as text and as amount; long, since encrypted rows contain thousands of random
 * digits.
 */
const mark = '424242424242'

/** Names that would grant privileges if a call accepted them. */
const names =
  `status source type state balance amount amount_credited live_account role platform_ticket ticket created_at
  decided_by decided_at currency payment_method permissions features documents_status password_hash actor_kind rejection_reason
  leverage group_name deleted email emails first_name last_name customer_number customer`.split(/\s+/)
const ids = ['workspace_id', 'member_id', 'staff_id', '_id', 'transaction_id', 'account_id']

/**
 * The audit actions of calls that change names: the erasure (members/personal-data/erasure.test.ts), and a change by staff
 * (members/details.test.ts).
 */
const renaming = ['member.erased', 'member.details-changed']

type Check = { request: ValidRequest; assertUntouched(): Promise<void> }

/**
 * Adds fields that the call does not own to the request: none may reach a row, and no identity may change. Legal names and
 * email addresses change only by a request that staff decide, not by any call.
 */
export async function withForeignFields(
  fixture: EveryCall,
  { call, facts }: CallRoute,
  request: ValidRequest,
): Promise<Check> {
  const { quiet, owner } = fixture
  const known = fieldsOf(z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }) as Shape)
  const id = newId()
  const extras = [...names.map((field) => [field, mark]), ...ids.map((field) => [field, id])]
  const sent = Object.fromEntries(extras.filter(([field]) => !known.has(String(field))))
  const before = await everybody()
  return {
    request: request.file ? request : { ...request, body: { ...sent, ...request.body } },
    async assertUntouched() {
      const { rows } = await owner.query<{ name: string }>(
        `select distinct name from observed where row::text like '%${mark}%' or row::text like $1`,
        [`%${id}%`],
      )
      assert.deepEqual(rows, [], 'a field that the call does not own reached these tables')
      if (facts.audit?.some((action) => renaming.includes(action))) return
      const now = await everybody()
      for (const [person, knownAs] of before) assert.equal(now.get(person), knownAs)
    },
  }

  async function everybody(): Promise<Map<string, string>> {
    const { rows } = await quiet.query<{ id: string; known_as: string }>(`
      select member_id as id, concat_ws(' ', email, emails, first_name, last_name, customer_number) as known_as from members
      union all select staff_id, email from staff_users`)
    return new Map(rows.map(({ id, known_as }) => [id, known_as]))
  }
}

type Shape = { properties?: Record<string, Shape>; anyOf?: Shape[]; oneOf?: Shape[]; allOf?: Shape[] }

function fieldsOf({ properties = {}, anyOf = [], oneOf = [], allOf = [] }: Shape): Set<string> {
  return new Set([...Object.keys(properties), ...[...anyOf, ...oneOf, ...allOf].flatMap((each) => [...fieldsOf(each)])])
}
