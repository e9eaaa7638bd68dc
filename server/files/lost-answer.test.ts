import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { makePng } from '../../tests/fixtures/sample-files.ts'
import { addMember, addWorkspace, memberActor } from '../../tests/fixtures/workspaces.ts'
import type { Member } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { Refusal } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { keepUpload, unattachedMax } from './upload.ts'

let made: MadeContext
let member: Member
before(async () => {
  made = await makeTestContext()
  const system = await addWorkspace(made.context, { isDefault: true })
  member = await memberActor(system, (await addMember(system)).memberId)
})
after(() => made.close())

type Batch = { statements: { text: string }[]; answers: { problem?: Error }[]; callback(problem: null): void }

function loseAnswer(batch: Batch): void {
  const { callback } = batch
  batch.callback = () => {
    for (const answer of batch.answers) answer.problem = new Error('Connection terminated unexpectedly')
    callback(null)
  }
}

/** A database that commits and whose answer is lost. */
function withLostAnswers(): Member {
  const { database } = made.context
  const connect = async () => {
    const client = await database.pool.connect()
    const query = (sent: string | Batch, ...rest: unknown[]) => {
      if (typeof sent !== 'string' && sent.statements.at(-1)?.text === 'commit') loseAnswer(sent)
      return Reflect.apply(client.query, client, [sent, ...rest])
    }
    return new Proxy(client, {
      get: (target, name) => {
        const value: unknown = name === 'query' ? query : Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }
  const pool = new Proxy(database.pool, {
    get: (target, name) => (name === 'connect' ? connect : Reflect.get(target, name)),
  })
  return { ...member, context: { ...made.context, database: { ...database, pool } } }
}

function spool() {
  const path = join(made.folder, 'spooled.png')
  writeFileSync(path, makePng({ width: 8, height: 8 }))
  const written = { sizeBytes: 1, sha256: Buffer.alloc(32) }
  return { ...written, path, name: 'receipt.png', purpose: 'receipt' as const, remove: async () => undefined }
}

const rows = () =>
  reading(member, (tx) =>
    tx
      .selectFrom('media')
      .select(['storage_key', 'small_key'])
      .where('workspace_id', '=', member.workspaceId)
      .execute(),
  )

async function filesThere(): Promise<string[]> {
  const found: string[] = []
  for await (const { key } of made.context.files.list(member.workspaceId)) found.push(key)
  return found
}

test('keeps the file of a row whose commit result is unknown, and removes the file of a refused row', async () => {
  await assert.rejects(keepUpload(withLostAnswers(), spool()), /terminated/)
  const [row, ...others] = await rows()
  assert.ok(row && others.length === 0)
  const stored = await made.context.files.read(row.storage_key)
  assert.ok(stored)
  stored.destroy()
  await inTransaction(member, (tx) =>
    tx
      .updateTable('media')
      .where(here)
      .set({ size_bytes: String(unattachedMax.bytes) })
      .where('storage_key', '=', row.storage_key)
      .execute(),
  )
  await assert.rejects(keepUpload(member, spool()), Refusal)
  assert.deepEqual((await filesThere()).sort(), [row.storage_key, row.small_key].sort())
})

test('a failed repetition of an upload leaves the file that the first one stored', async () => {
  const setStatus = (status: string) =>
    inTransaction(member, (tx) =>
      tx.updateTable('members').where(here).set({ status }).where('member_id', '=', member.memberId).execute(),
    )
  await inTransaction(member, (tx) => tx.deleteFrom('media').where(here).execute())
  const id = newId()
  await keepUpload(member, spool(), id)
  const [row] = await rows()
  assert.ok(row)
  const isStored = async () => {
    const content = await made.context.files.read(row.storage_key)
    content?.destroy()
    return content !== null
  }
  await setStatus('locked')
  await assert.rejects(keepUpload(member, spool(), id), Refusal)
  assert.ok(await isStored())
  await setStatus('active')
  const before = (await filesThere()).length
  await keepUpload(member, spool(), id)
  assert.deepEqual([await isStored(), (await filesThere()).length], [true, before])
  assert.deepEqual(await rows(), [row])
})
