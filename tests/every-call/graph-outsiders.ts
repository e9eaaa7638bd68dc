import assert from 'node:assert/strict'
import { newId } from '../../server/foundation/ids.ts'
import { schema } from '../../server/schema.ts'
import { canariesIn } from '../catalogue/other-tenant.ts'
import { type Answered, callerOf } from '../fixtures/caller.ts'
import { documentFor, fieldsOf, type Step } from '../fixtures/graphql-documents.ts'
import type { EveryCall, Outsider } from './fixture.ts'
import { textOf } from './outsiders.ts'
import type { Sample } from './sample.ts'

export const roots = Object.values(schema.getQueryType()?.getFields() ?? {})
export const nameOf = ({ typeName, field }: Step): string => `${typeName}.${field.name}`
export const documentOf = (step: Step, id: string): string => documentFor(schema, step, () => id)

export function askGraph(
  { app }: EveryCall,
  query: string,
  { host, token }: Pick<Outsider, 'host' | 'token'>,
): Promise<Answered> {
  return callerOf(app, host).post('/graph', { query }, token)
}

/** Queries each field as every outsider: ids of the other tenant's rows must return the same as unknown ones. */
export async function tryEveryField(fixture: EveryCall, sample: Sample): Promise<void> {
  const members = fixture.outsiders.filter(({ kind }) => kind === 'member')
  for (const outsider of fixture.outsiders) {
    if (outsider.kind === 'member') continue
    const { status, raw } = await askGraph(fixture, '{ current_member { _id } }', outsider)
    assert.deepEqual([status, canariesIn(raw)], [401, []], outsider.name)
  }
  for (const step of fieldsOf(schema)) {
    const isRoot = roots.some((field) => field === step.field)
    for (const outsider of isRoot ? members : sample.pick(nameOf(step), members, 1)) await tryIds(step, outsider)
  }

  async function tryIds(step: Step, outsider: Outsider): Promise<void> {
    const unknown = newId()
    const without = await askGraph(fixture, documentOf(step, unknown), outsider)
    const where = `${nameOf(step)} by ${outsider.name}`
    assert.equal(without.status, 200, without.raw)
    assert.doesNotMatch(without.raw, /"code":"(malformed|fault|too_expensive)"/, where)
    assert.deepEqual(canariesIn(without.raw), [], where)
    if (!documentOf(step, unknown).includes(unknown)) return
    for (const [what, id] of idsFor(step, outsider)) {
      const answer = await askGraph(fixture, documentOf(step, id), outsider)
      assert.deepEqual(canariesIn(answer.raw), [], `${where} with ${what}`)
      assert.equal(textOf(answer, id), textOf(without, unknown), `${where} distinguishes ${what} from an unknown id`)
    }
  }

  /** A member of the same workspace may see its shared rows. Inner fields are reached through accounts and transactions. */
  function idsFor(step: Step, { host, name }: Outsider): [string, string][] {
    const { ownIds, sharedIds } = fixture.otherTenant
    const all = [...ownIds, ...(host === 'localhost' ? sharedIds : [])]
    const onTheWay = all.filter(([what]) => /^(trading_accounts|balance_transactions)\./.test(what))
    if (!roots.some((field) => field === step.field)) return onTheWay
    const asked = all.filter(([what]) => /^(forms|request_types|requests|tickets|documents)\./.test(what))
    return [...new Map([...onTheWay, ...asked, ...sample.pick(`${nameOf(step)} ${name}`, all, 4)])]
  }
}
