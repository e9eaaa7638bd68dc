/** Requests under attack: concurrent through two servers, too frequent, or directly in the tables. */

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import { requestTexts } from '@atrium/contract/requests/texts.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { FastifyInstance } from 'fastify'
import { CompiledQuery } from 'kysely'
import { type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import { addressAnswers } from '../../tests/fixtures/forms.ts'
import { idOf, openRequestFixture, type Person, type RequestFixture } from '../../tests/fixtures/request-fixture.ts'
import { addRequest } from '../../tests/fixtures/requests.ts'
import { addStaff, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import { inTransaction } from '../foundation/database/database.ts'

let fixture: RequestFixture
let other: FastifyInstance
let beside: Caller
let staffToken: string

before(async () => {
  fixture = await openRequestFixture()
  other = await buildApp(fixture.made.context)
  beside = callerOf(other)
  const { staffId } = await addStaff(fixture.system, { name: 'Una Staff', role: 'administrator' })
  staffToken = (await openTestSession(fixture.system, { kind: 'staff', id: staffId })).token
})
after(async () => {
  await other.close()
  await fixture.close()
})

const sendBeside = ({ token }: Person) =>
  beside.post(
    '/requests/send-customer-request',
    {
      request: { request_type: fixture.offered.typeId },
      form_submit: { form: fixture.offered.formId, data: addressAnswers },
    },
    token,
  )

describe('requests', () => {
  it('are created once when sent through two servers together', async () => {
    for (let round = 0; round < 20; round += 1) {
      const person = await fixture.enter()
      const [one, two] = await Promise.all([fixture.send(person), sendBeside(person)])
      assert.equal(idOf(one), idOf(two))
      assert.deepEqual(
        [await fixture.countOf('requests', person), await fixture.countOf('request_events', person)],
        [1, 1],
      )
    }
  })

  it('end once, with one event, when decided and cancelled together', async () => {
    for (let round = 0; round < 20; round += 1) {
      const person = await fixture.enter()
      const id = idOf(await fixture.send(person))
      const decide = () =>
        beside.post(`/desk/api/requests/${id}/status`, { from: 'not-assigned', to: 'done' }, staffToken)
      const [mine, theirs] = await Promise.all([fixture.cancel(person, id), decide()])
      assert.deepEqual([mine.status, theirs.status].sort(), [200, 409], `${mine.raw} ${theirs.raw}`)
      if (theirs.status === 409) assert.equal(theirs.body.error, deskTexts.requestDecided)
      const { rows } = await fixture.owner.query(
        'select to_status from request_events where request_id = $1 and kind = $2',
        [id, 'moved'],
      )
      assert.deepEqual(rows, [{ to_status: mine.status === 200 ? 'canceled' : 'done' }])
    }
  })

  it('are limited in number waiting and in attempts an hour', async () => {
    const person = await fixture.enter()
    const values = { memberId: person.member.memberId, requestTypeId: fixture.offered.typeId }
    for (let count = 0; count < limits.requestsWaitingMax; count += 1) await addRequest(fixture.system, values)
    const full = await fixture.send(person)
    assert.deepEqual([full.status, full.body.error], [409, requestTexts.tooMany])
    assert.equal(await fixture.countOf('form_answers', person), 0)
    for (let count = 1; count < 60; count += 1) await fixture.send(person, { data: {} })
    const late = await fixture.send(person, { data: {} })
    assert.equal(late.status, 429)
    assert.ok(Number(late.headers['retry-after']) > 0)
  })

  it('have an immutable history', async () => {
    const person = await fixture.enter()
    const id = idOf(await fixture.send(person))
    const asks = [
      'delete from request_events where request_id = $1',
      "update request_events set kind = 'commented' where request_id = $1",
      "update request_events set comment = 'Other words' where request_id = $1",
      "update form_answers set answers = '{}' where request_id = $1",
      "update requests set subject = 'Another' where request_id = $1",
      'update requests set member_id = gen_random_uuid() where request_id = $1',
      "update requests set status = 'done', status_since = now(), number = number + 1 where request_id = $1",
    ]
    for (const ask of asks) await assert.rejects(fixture.owner.query(ask, [id]), ask)
    await assert.rejects(fixture.owner.query('delete from form_versions where form_id = $1', [fixture.offered.formId]))
    const byMember = [
      `insert into request_events (workspace_id, event_id, request_id, member_id, at, kind, staff_id, staff_name)
       select workspace_id, gen_random_uuid(), request_id, member_id, now(), 'commented', gen_random_uuid(), 'Desk'
       from requests where workspace_id = scope_workspace() and request_id = '${id}'`,
      `delete from requests where workspace_id = scope_workspace() and request_id = '${id}'`,
      `delete from form_answers where workspace_id = scope_workspace() and request_id = '${id}'`,
      `update requests set assigned_staff_name = 'Me', status = 'canceled' where workspace_id = scope_workspace() and request_id = '${id}'`,
    ]
    for (const ask of byMember) {
      await assert.rejects(
        inTransaction(person.member, (tx) => tx.executeQuery(CompiledQuery.raw(ask))),
        ask,
      )
    }
  })
})
