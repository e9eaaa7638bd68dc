// spec: AO 4, AO 5, AO 7
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type RequestState, requestMoves, requestStates } from '@atrium/contract/requests/states.ts'
import { requestTexts } from '@atrium/contract/requests/texts.ts'
import { type Answered, callerOf } from '../../tests/fixtures/caller.ts'
import { addressAnswers } from '../../tests/fixtures/forms.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import {
  errorsOf,
  idOf,
  openRequestFixture,
  type Person,
  type RequestFixture,
} from '../../tests/fixtures/request-fixture.ts'
import { addRequest, addRequestType } from '../../tests/fixtures/requests.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'

let fixture: RequestFixture

before(async () => {
  fixture = await openRequestFixture()
})
after(() => fixture.close())

describe('cancelling a request', () => {
  it('allows the same request again immediately', async () => {
    const plain = await addRequestType(fixture.system, { name: 'A call, please' })
    const asks: ((person: Person) => Promise<string>)[] = [
      async (person) => idOf(await fixture.send(person)),
      async (person) => idOf(await fixture.send(person, { form: null, data: {} }, { type: plain })),
      async (person) => {
        const { body } = await fixture.submit(person, { form: fixture.offered.formId, data: addressAnswers })
        return (body.submission as { request: string }).request
      },
    ]
    for (const ask of asks) {
      const person = await fixture.enter()
      const first = await ask(person)
      assert.equal(await ask(person), first)
      assert.equal((await fixture.cancel(person, first)).status, 200)
      const second = await ask(person)
      assert.notEqual(second, first)
      assert.equal(await ask(person), second)
    }
  })

  it('requires a comment, and is idempotent', async () => {
    const person = await fixture.enter()
    const id = idOf(await fixture.send(person))
    for (const comment of [undefined, null, '', '   ']) {
      const answer = await fixture.cancel(person, id, { comment })
      assert.deepEqual(errorsOf(answer), { comment: ['This action requires a Comment, please write it.'] })
    }
    const answer = await fixture.cancel(person, id)
    assert.deepEqual(answer.body.msg, ['The Request was cancelled'])
    const [row] = await fixture.listed(person)
    assert.deepEqual({ ...row, comment: 'Not needed any more' }, { ...row, status: 'canceled' })
    assert.equal((await fixture.cancel(person, id)).status, 200)
    fixture.made.context.clock.advance(120_000)
    assert.equal((await fixture.cancel(person, id)).status, 409)
  })

  it('is refused with the reason in every decided state, by the database too', async () => {
    const person = await fixture.enter()
    for (const status of requestStates) {
      const id = await addRequest(fixture.system, {
        memberId: person.member.memberId,
        requestTypeId: fixture.offered.typeId,
        status,
        created_at: new Date(0),
      })
      const isOpen = requestMoves.member[status].includes('canceled')
      const byHand = inTransaction(person.member, (tx) =>
        tx
          .updateTable('requests')
          .where(here)
          .set({ status: isOpen ? 'done' : 'canceled' })
          .where('request_id', '=', id)
          .execute(),
      )
      await assert.rejects(byHand, status)
      const answer = await fixture.cancel(person, id)
      assert.equal(answer.status, isOpen ? 200 : 409, status)
      if (isOpen) continue
      const said = requestTexts.alreadyOver.replace('{{status}}', status)
      assert.deepEqual([answer.body.error, errorsOf(answer)], [said, { new_status: [said] }])
    }
  })

  it('is the only change of status that a member may make', async () => {
    const person = await fixture.enter()
    const id = idOf(await fixture.send(person))
    for (const new_status of requestStates.filter((state) => state !== 'canceled')) {
      const answer = await fixture.cancel(person, id, { new_status })
      assert.deepEqual([answer.status, answer.body.error], [409, requestTexts.notYours])
    }
  })

  it('answers for another member’s request as for an unknown one', async () => {
    const [person, other, away] = [await fixture.enter(), await fixture.enter(), await fixture.enter(fixture.elsewhere)]
    const id = idOf(await fixture.send(person))
    const strip = ({ raw }: Answered) => raw.replace(/"request_id":"[^"]*"/, '')
    const unknown = strip(await fixture.cancel(other, newId()))
    assert.equal(strip(await fixture.cancel(other, id)), unknown)
    const there = callerOf(fixture.app, 'elsewhere.localhost')
    const body = { _id: id, new_status: 'canceled', comment: 'Not mine' }
    assert.equal(strip(await there.post('/requests/cp-change-status', body, away.token)), unknown)
    assert.equal((await fixture.listed(person))[0]?.status, 'not-assigned')
  })

  it('follows the same table of moves in the database and the contract', async () => {
    const person = await fixture.enter()
    const wrong: string[] = []
    for (const from of requestStates)
      for (const to of requestStates.filter((state) => state !== from)) {
        const id = await addRequest(fixture.system, {
          memberId: person.member.memberId,
          requestTypeId: fixture.offered.typeId,
          status: from,
        })
        const moved = await inTransaction(fixture.system, (tx) =>
          tx.updateTable('requests').where(here).set({ status: to }).where('request_id', '=', id).execute(),
        ).then(
          () => true,
          () => false,
        )
        const isLegal = requestMoves.staff[from as RequestState].includes(to)
        if (moved !== isLegal) wrong.push(`${from}>${to}`)
      }
    assert.deepEqual(wrong, [])
  })
})
