import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { type MadeContext, makeTestContext } from '../../../tests/fixtures/context.ts'
import { here } from '../../../tests/fixtures/on-this-machine.ts'
import * as sample from '../../../tests/fixtures/sample-files.ts'
import { addMember, addWorkspace, openTestSession } from '../../../tests/fixtures/workspaces.ts'
import { buildApp } from '../../app.ts'
import type { System } from '../../foundation/actor.ts'
import { inTransaction } from '../../foundation/database/database.ts'

let made: MadeContext
let system: System
/** Two processes that share only the database and the file store. */
let apps: [FastifyInstance, FastifyInstance]
let authorization: string

before(async () => {
  made = await makeTestContext()
  apps = [await buildApp(made.context), await buildApp(made.context)]
  system = await addWorkspace(made.context, { isDefault: true })
  const { memberId } = await addMember(system)
  authorization = `Bearer ${(await openTestSession(system, { kind: 'member', id: memberId })).token}`
})
after(async () => {
  for (const app of apps) await app.close()
  await made.close()
})

const content = sample.makePdf('% a line of a document\n'.repeat(2_000))

async function start(): Promise<string> {
  const metadata = `filename ${Buffer.from('document.pdf').toString('base64')}`
  const headers = {
    ...{ authorization, 'tus-resumable': '1.0.0' },
    ...{ 'upload-length': String(content.length), 'upload-metadata': metadata },
  }
  const { headers: answered } = await apps[0].inject({ method: 'POST', url: '/media/uploads', headers })
  return String(answered.location)
}

/** The status, and the offset that the answer names. */
async function send(url: string, [from, to]: [number, number], process: 0 | 1 = 0) {
  const headers = {
    ...{ authorization, 'tus-resumable': '1.0.0' },
    ...{ 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream' },
  }
  const payload = content.subarray(from, to)
  const { statusCode, headers: answered } = await apps[process].inject({ method: 'PATCH', url, headers, payload })
  return [statusCode, answered['upload-offset']]
}

test('an empty part is judged by what another process counted or deleted meanwhile', async () => {
  const url = await start()
  assert.deepEqual(await send(url, [0, 10_000]), [204, '10000'])
  assert.deepEqual(await send(url, [10_000, 20_000], 1), [204, '20000'])
  assert.deepEqual(await send(url, [10_000, 10_000]), [409, undefined])
  assert.deepEqual(await send(url, [20_000, 20_000]), [204, '20000'])
  assert.deepEqual(await send(url, [20_000, 30_000]), [204, '30000'])
  assert.deepEqual(await send(url, [30_000, 30_000]), [204, '30000'])
  assert.deepEqual(await send(url, [30_000, 40_000]), [204, '40000'])
  // Its file is still there.
  await inTransaction(system, (tx) => tx.deleteFrom('uploads').where(here).execute())
  assert.deepEqual(await send(url, [40_000, 40_000]), [404, undefined])
})
