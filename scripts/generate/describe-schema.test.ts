import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeTestContext } from '../../tests/fixtures/context.ts'
import { describeSchema } from './describe-schema.ts'

test('a restrictive policy reads as one: beside a permissive one it narrows, and would widen if it were permissive', async () => {
  const made = await makeTestContext()
  try {
    const schema = await describeSchema(made.ownerUrl)
    assert.match(schema, /create policy own on trade_deals for all/)
    assert.match(schema, /create policy added_by_the_program on trade_deals as restrictive for insert/)
  } finally {
    await made.close()
  }
})
