// spec: OP faults
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import * as sample from '../../tests/fixtures/sample-files.ts'
import { addMember, addWorkspace, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import type { System } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'

describe('a disk that fails to flush', () => {
  let made: MadeContext
  let app: FastifyInstance
  let system: System
  let authorization: string

  before(async () => {
    made = await makeTestContext()
    app = await buildApp(made.context)
    system = await addWorkspace(made.context, { isDefault: true })
    const { memberId } = await addMember(system)
    authorization = `Bearer ${(await openTestSession(system, { kind: 'member', id: memberId })).token}`
    assert.equal((await upload()).statusCode, 200)
  })
  after(async () => {
    await app.close()
    await made.close()
  })

  function upload() {
    const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'
    return app.inject({
      method: 'POST',
      url: '/media/cp-upload-file',
      headers: { authorization, 'content-type': 'multipart/form-data; boundary=x' },
      payload: Buffer.concat([Buffer.from(head), sample.makePdf(), Buffer.from('\r\n--x--\r\n')]),
    })
  }

  /** One flush fails; the next ones succeed, as on Linux, where the pages then count as written. */
  async function failOnce(t: TestContext, flush: 'sync' | 'datasync') {
    const file = await open(made.folder, 'r')
    const fail = () => Promise.reject(Object.assign(new Error('input/output error'), { code: 'EIO' }))
    const { mock } = t.mock.method(Object.getPrototypeOf(file) as typeof file, flush, fail, { times: 1 })
    await file.close()
    return mock
  }
  const rows = () => reading(system, (tx) => tx.selectFrom('media').where(here).select('media_id').execute())
  const spooled = () => readdirSync(join(made.folder, 'incoming'))

  for (const [flush, what] of [
    ['datasync', 'content'],
    ['sync', 'name'],
  ] as const)
    test(`refuses an upload whose ${what} was not flushed`, async (t) => {
      const before = (await rows()).length
      const failed = await failOnce(t, flush)
      const refused = await upload()
      assert.deepEqual([refused.statusCode, refused.json().code, failed.callCount() > 0], [503, 'unavailable', true])
      assert.deepEqual([(await rows()).length, spooled()], [before, []])
      assert.equal((await upload()).statusCode, 200)
    })

  /** So long that a first flush begins before the end. Writing frees the bytes of a body, so each has its own. */
  const content = sample.makePdf('% a line of a document\n'.repeat(400_000))

  for (const [flush, what] of [
    ['datasync', 'content'],
    ['sync', 'name'],
  ] as const)
    test(`does not count a part whose ${what} was not flushed`, async (t) => {
      const protocol = { authorization, 'tus-resumable': '1.0.0' }
      const metadata = `filename ${Buffer.from('a.pdf').toString('base64')}`
      const announced = { 'upload-length': String(content.length), 'upload-metadata': metadata }
      const started = await app.inject({
        method: 'POST',
        url: '/media/uploads',
        headers: { ...protocol, ...announced },
      })
      assert.equal(started.statusCode, 201, started.body)
      const url = String(started.headers.location)
      const send = () => {
        const offset = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
        return app.inject({ method: 'PATCH', url, headers: { ...protocol, ...offset }, payload: Buffer.from(content) })
      }
      const failed = await failOnce(t, flush)
      assert.deepEqual([(await send()).statusCode, failed.callCount() > 0], [503, true])
      const asked = await app.inject({ method: 'HEAD', url, headers: protocol })
      assert.equal(asked.headers['upload-offset'], '0')
      assert.equal((await send()).statusCode, 204)
    })
})
