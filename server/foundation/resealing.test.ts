// spec: OP operation
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type pg from 'pg'
import { fillEveryTable } from '../../tests/catalogue/every-table.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { systemActor } from './actor.ts'
import { type Resealed, resealWorkspace, sealedColumns } from './resealing.ts'
import { makeSeal, type Seal } from './secrets.ts'

const [first, second, foreignKey] = ['a', 'b', 'c'].map((letter) => `key-${letter}-0123456789-abcdefghijklmnop`) as [
  string,
  string,
  string,
]

describe('changing the key while the program runs', () => {
  let made: MadeContext
  let owner: pg.Client
  let workspaceIds: string[]
  before(async () => {
    made = await makeTestContext()
    owner = await made.openOwner()
    for (const name of ['here', 'there']) await fillEveryTable(made.context, name)
    workspaceIds = (await owner.query('select workspace_id as id from workspaces')).rows.map(({ id }) => String(id))
  })
  after(() => made.close())

  const sealEverything = async (seal: Seal, secret: string): Promise<void> => {
    for (const { table, column } of sealedColumns)
      await owner.query(`update ${table} set ${column} = $1 where ${column} is not null`, [seal.seal(secret)])
  }
  const sealed = async (): Promise<Buffer[]> => {
    const all = sealedColumns.map(
      ({ table, column }) => `select ${column} as it from ${table} where ${column} is not null`,
    )
    return (await owner.query<{ it: Buffer }>(all.join(' union all '))).rows.map(({ it }) => it)
  }
  async function reseal(seal: Seal): Promise<Resealed> {
    const done = { sealed_anew: 0, unreadable: 0 }
    for (const id of workspaceIds) {
      const report = await resealWorkspace(systemActor({ ...made.context, seal }, id))
      done.sealed_anew += report.sealed_anew
      done.unreadable += report.unreadable
    }
    return done
  }

  test('lists every column with sealed values', async () => {
    const { rows } = await owner.query<{ place: string }>(
      `select c.relname || '.' || a.attname as place from pg_attribute a join pg_class c on c.oid = a.attrelid
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attname like 'sealed%'`,
    )
    assert.deepEqual(
      rows.map(({ place }) => place).sort(),
      sealedColumns.map(({ table, column }) => `${table}.${column}`).sort(),
    )
    assert.ok((await sealed()).length >= 2 * sealedColumns.length, 'each table has a row in both workspaces')
  })

  test('old and new processes open each other’s values, and after the last step the old key opens none', async () => {
    const before = makeSeal(first, [second])
    const during = makeSeal(second, [first])
    const afterwards = makeSeal(second)
    assert.equal(before.open(during.seal('from the new one')), 'from the new one')
    assert.equal(during.open(before.seal('from the old one')), 'from the old one')

    await sealEverything(before, 'kept')
    const count = (await sealed()).length
    assert.deepEqual(await reseal(during), { sealed_anew: count, unreadable: 0 })
    for (const each of await sealed()) {
      assert.equal(afterwards.open(each), 'kept')
      assert.throws(() => makeSeal(first).open(each))
    }
    const audited = await owner.query(
      `select (after->>'rows')::int as rows from audit_log where action = 'secrets.sealed-anew'`,
    )
    assert.equal(
      audited.rows.reduce((sum, { rows }) => sum + rows, 0),
      count,
    )
    assert.deepEqual(await reseal(afterwards), { sealed_anew: 0, unreadable: 0 })
  })

  test('leaves a value that no key opens unchanged and reports it', async () => {
    await sealEverything(makeSeal(foreignKey), 'lost')
    const before = await sealed()
    assert.deepEqual(await reseal(makeSeal(second, [first])), { sealed_anew: 0, unreadable: before.length })
    assert.deepEqual(await sealed(), before)
  })
})
