// spec: MP 3, AO 3, AO 7, AO 9
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { scopesOfReads } from '@atrium/contract/scope-calls.ts'
import { buildSchema, type GraphQLSchema, isObjectType, isScalarType, isUnionType, printSchema } from 'graphql'
import { schema } from '../schema.ts'

const contract = buildSchema(readFileSync(new URL('../../contract/queries.graphql', import.meta.url), 'utf8'))

/** `Type.field(arg: Type)` lines of everything that a client can count on. */
function promises(of: GraphQLSchema): string[] {
  return Object.values(of.getTypeMap()).flatMap((type) => {
    if (type.name.startsWith('__')) return []
    if (isScalarType(type)) return [`scalar ${type.name}`]
    if (isUnionType(type)) return type.getTypes().map((member) => `${type.name} | ${member.name}`)
    if (!isObjectType(type)) return [`unexpected ${type.name}`]
    return Object.values(type.getFields()).flatMap((field) => [
      `${type.name}.${field.name}: ${field.type}`,
      ...field.args.map((arg) => `${type.name}.${field.name}(${arg.name}: ${arg.type} = ${arg.defaultValue})`),
    ])
  })
}

describe('the live schema', () => {
  it('holds every promise of the contract, to the type', () => {
    const kept = new Set(promises(schema))
    assert.deepEqual(
      promises(contract).filter((promise) => !kept.has(promise)),
      [],
    )
  })

  it('only asks: there are no mutations and no subscriptions', () => {
    assert.equal(schema.getMutationType(), undefined)
    assert.equal(schema.getSubscriptionType(), undefined)
  })

  it('guards every field of Query, and names no field that is not there', () => {
    const roots = Object.keys(schema.getQueryType()?.getFields() ?? {}).map((name) => `Query.${name}`)
    assert.deepEqual(
      roots.filter((root) => !scopesOfReads().has(root)),
      [],
    )
  })

  it('is the one that the web was typed against', () => {
    const printed = readFileSync(new URL('../../contract/schema.graphql', import.meta.url), 'utf8')
    assert.equal(printSchema(buildSchema(printed)), printSchema(schema))
  })
})
