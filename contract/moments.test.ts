import assert from 'node:assert/strict'
import { it } from 'node:test'
import { webhookEventCalls } from './payments/webhook-events.ts'

it('refuses moments outside the range of the database', () => {
  const accepts = (from: string) => webhookEventCalls.list.input.safeParse({ from }).success
  assert.ok(accepts('0') && accepts('1795773600000'))
  for (const from of ['9007199254740991', '-1', '1.5', 'NaN', 'Infinity']) assert.equal(accepts(from), false, from)
})
