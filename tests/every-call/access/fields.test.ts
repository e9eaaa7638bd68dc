import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { getNamedType } from 'graphql'
import { newId } from '../../../server/foundation/ids.ts'
import { schema } from '../../../server/graph/schema.ts'
import { pictureOf } from '../../catalogue/other-tenant.ts'
import { documentFor, fieldsOf } from '../../fixtures/graphql-documents.ts'
import { ask } from './asking.ts'
import { type Actor, idsAgainst, type Matrix, openMatrix } from './fixture.ts'

let matrix: Matrix

before(async () => {
  matrix = await openMatrix()
})
after(() => matrix.close())

describe('every field of the query endpoint', () => {
  it('shows nobody anything of the member, whatever id is asked for', async () => {
    const rootFields = Object.values(schema.getQueryType()?.getFields() ?? {})
    for (const actor of matrix.actors) {
      if (actor.kind !== 'member') {
        const { status, canaries } = await ask(matrix, actor, '{ current_member { _id } }', '-')
        assert.deepEqual([status, canaries], [401, []], actor.name)
        continue
      }
      for (const step of fieldsOf(schema)) {
        const unknown = newId()
        const without = await ask(
          matrix,
          actor,
          documentFor(schema, step, () => unknown),
          unknown,
        )
        assert.equal(without.status, 200, without.text)
        assert.ok(
          !/"code":"(malformed|fault|too_expensive)"/.test(without.text),
          `${step.typeName}.${step.field.name}: ${without.text}`,
        )
        const isRoot = rootFields.includes(step.field as (typeof rootFields)[number])
        const isById = documentFor(schema, step, () => unknown).includes(unknown)
        for (const [what, id] of isRoot ? idsAgainst(matrix, actor) : isById ? pathIds(actor) : []) {
          const answer = await ask(
            matrix,
            actor,
            documentFor(schema, step, () => id),
            id,
          )
          const where = `${step.typeName}.${step.field.name} with ${what} by ${actor.name}`
          assert.deepEqual(answer.canaries, [], `${where}: ${answer.text}`)
          assert.equal(answer.text, without.text, `${where} is told from an unknown id`)
        }
      }
    }
  })

  /** What the ways to the inner fields go by. */
  function pathIds(actor: Actor): [string, string][] {
    return [...idsAgainst(matrix, actor)].filter(([what]) => /^(trading_accounts|balance_transactions)\./.test(what))
  }

  it('finds nothing of the member by a word either', async () => {
    for (const actor of matrix.actors.filter(({ kind }) => kind === 'member')) {
      for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
        for (const argument of field.args.filter(({ type }) => getNamedType(type).name === 'String')) {
          const required = field.args.some(({ name, type }) => name === '_id' && String(type).endsWith('!'))
          for (const word of required ? [] : matrix.victim.words) {
            const query = `{ ${field.name}(${argument.name}: "${word}") { __typename } }`
            const none = await ask(matrix, actor, query.replace(word, 'unknown-word'), 'unknown-word')
            const found = await ask(matrix, actor, query, word)
            assert.equal(found.text, none.text, `${field.name}(${argument.name}) by ${actor.name}`)
          }
        }
      }
    }
  })

  it('nothing of the member has changed after all of that', async () => {
    assert.deepEqual(await pictureOf(matrix.owner, matrix.victim), matrix.atStart)
  })
})
