// spec: MP 3, AO 3, AO 7, AO 9
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { buildSchema, printSchema } from 'graphql'
import { schema } from '../schema.ts'
import { guardedFields } from './field-scopes.ts'

describe('the running schema', () => {
  it('has queries only, no mutations and no subscriptions', () => {
    assert.equal(schema.getMutationType(), undefined)
    assert.equal(schema.getSubscriptionType(), undefined)
  })

  it('guards every field of Query', () => {
    const roots = Object.keys(schema.getQueryType()?.getFields() ?? {}).map((name) => `Query.${name}`)
    assert.deepEqual(
      roots.filter((root) => !guardedFields(schema).has(root)),
      [],
    )
  })

  it('equals the printed schema, which types the web and which reviews read', () => {
    const printed = readFileSync(new URL('../../contract/schema.graphql', import.meta.url), 'utf8')
    assert.equal(printSchema(buildSchema(printed)), printSchema(schema))
  })
})
