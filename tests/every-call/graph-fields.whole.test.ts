import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type EveryCall, openEveryCall } from './fixture.ts'
import { tryEveryField } from './graph-outsiders.ts'
import { stateOfOtherTenant } from './outsiders.ts'
import { everySample } from './sample.ts'

let fixture: EveryCall
before(async () => {
  fixture = await openEveryCall()
})
after(() => fixture.close())

it('no field of the query endpoint distinguishes an id of another tenant from an unknown one', {
  timeout: 1_200_000,
}, async () => {
  const atStart = await stateOfOtherTenant(fixture)
  await tryEveryField(fixture, everySample)
  assert.deepEqual((await stateOfOtherTenant(fixture)).rows, atStart.rows)
})
