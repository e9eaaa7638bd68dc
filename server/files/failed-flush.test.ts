// spec: OP faults
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import promises, { type FileHandle, open } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
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
import { Unavailable } from '../foundation/errors.ts'
import { openFolderStore } from './store.ts'

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

  const failure = (code: string) => Object.assign(new Error('a failing disk'), { code })

  async function prototypeOfFiles(): Promise<FileHandle> {
    const file = await open(made.folder, 'r')
    await file.close()
    return Object.getPrototypeOf(file) as FileHandle
  }

  /** One flush fails; the next ones succeed, as on Linux, where the pages then count as written. */
  async function failOnce(t: TestContext, flush: 'sync' | 'datasync', code = 'EIO') {
    const fail = () => Promise.reject(failure(code))
    return t.mock.method(await prototypeOfFiles(), flush, fail, { times: 1 }).mock
  }

  /** While the test runs, files can be opened and folders cannot. */
  function failToOpenFolders(t: TestContext, code: string): void {
    const openAny = promises.open
    const { mock } = t.mock.method(promises, 'open', async (...args: Parameters<typeof openAny>) => {
      if (statSync(args[0], { throwIfNoEntry: false })?.isDirectory()) throw failure(code)
      return openAny(...args)
    })
    syncBuiltinESMExports()
    t.after(() => {
      mock.restore()
      syncBuiltinESMExports()
    })
  }
  const rows = () => reading(system, (tx) => tx.selectFrom('media').where(here).select('media_id').execute())
  const names = () => readdirSync(join(made.folder, 'files', system.workspaceId))
  const spooled = () => readdirSync(join(made.folder, 'incoming'))

  for (const [flush, what] of [
    ['datasync', 'content'],
    ['sync', 'name'],
  ] as const)
    test(`refuses an upload whose ${what} was not flushed`, async (t) => {
      const before = (await rows()).length
      const stored = names()
      const failed = await failOnce(t, flush)
      const refused = await upload()
      assert.deepEqual([refused.statusCode, refused.json().code, failed.callCount() > 0], [503, 'unavailable', true])
      assert.deepEqual([(await rows()).length, spooled(), names()], [before, [], stored])
      assert.equal((await upload()).statusCode, 200)
    })

  for (const code of ['EMFILE', 'ENFILE', 'EIO'])
    test(`refuses an upload while a folder cannot be opened: ${code}`, async (t) => {
      const before = (await rows()).length
      failToOpenFolders(t, code)
      const refused = await upload()
      assert.deepEqual([refused.statusCode, refused.json().code, (await rows()).length], [503, 'unavailable', before])
    })

  test('reports an unknown problem of a flush', async (t) => {
    const failed = await failOnce(t, 'sync', 'EBADF')
    assert.deepEqual([(await upload()).statusCode, failed.callCount()], [500, 1])
  })

  for (const code of ['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP'])
    test(`stores an upload where the platform cannot flush a folder: ${code}`, async (t) => {
      const failed = await failOnce(t, 'sync', code)
      assert.deepEqual([(await upload()).statusCode, failed.callCount()], [200, 1])
      failToOpenFolders(t, code)
      assert.equal((await upload()).statusCode, 200)
    })

  /** So long that a first flush begins before the end. Writing frees the bytes of a body, so each has its own. */
  const content = sample.makePdf('% a line of a document\n'.repeat(400_000))

  const protocol = { 'tus-resumable': '1.0.0' }

  async function startUpload(): Promise<string> {
    const metadata = `filename ${Buffer.from('a.pdf').toString('base64')}`
    const announced = { 'upload-length': String(content.length), 'upload-metadata': metadata }
    const headers = { authorization, ...protocol, ...announced }
    const started = await app.inject({ method: 'POST', url: '/media/uploads', headers })
    assert.equal(started.statusCode, 201, started.body)
    return String(started.headers.location)
  }
  function send(url: string) {
    const offset = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    const headers = { authorization, ...protocol, ...offset }
    return app.inject({ method: 'PATCH', url, headers, payload: Buffer.from(content) })
  }

  for (const [flush, what] of [
    ['datasync', 'content'],
    ['sync', 'name'],
  ] as const)
    test(`does not count a part whose ${what} was not flushed`, async (t) => {
      const url = await startUpload()
      const failed = await failOnce(t, flush)
      assert.deepEqual([(await send(url)).statusCode, failed.callCount() > 0], [503, true])
      const asked = await app.inject({ method: 'HEAD', url, headers: { authorization, ...protocol } })
      assert.equal(asked.headers['upload-offset'], '0')
      assert.equal((await send(url)).statusCode, 204)
    })

  test('writes the name of a finished upload again after its flush failed', async (t) => {
    const url = await startUpload()
    assert.equal((await send(url)).statusCode, 204)
    const upload = url.split('/').at(-1) ?? ''
    const finish = () =>
      app.inject({ method: 'POST', url: '/media/finish-upload', headers: { authorization }, payload: { upload } })
    const failed = await failOnce(t, 'sync')
    assert.deepEqual([(await finish()).statusCode, failed.callCount()], [503, 1])
    const unflushed = names()
    assert.equal((await finish()).statusCode, 200)
    const { storage_key } = await reading(system, (tx) =>
      tx.selectFrom('media').where(here).where('media_id', '=', upload).select('storage_key').executeTakeFirstOrThrow(),
    )
    const name = storage_key.split('/').at(-1) ?? ''
    assert.ok(names().includes(name))
    assert.ok(!unflushed.includes(name), 'nothing was named, so the second flush had nothing to write')
  })

  test('flushes the parent of each folder it makes', async (t) => {
    const store = openFolderStore(join(made.folder, 'new'))
    const { mock: flushes } = t.mock.method(await prototypeOfFiles(), 'sync')
    await store.write('a/b/c', sample.makePdf())
    // Those of new, a and b, then the draft and its folder.
    assert.equal(flushes.callCount(), 5)
    await store.write('a/b/d', sample.makePdf())
    assert.equal(flushes.callCount(), 7)
    // Made by another process, which may not have flushed their names.
    mkdirSync(join(made.folder, 'other', 'a'), { recursive: true })
    const other = openFolderStore(join(made.folder, 'other'))
    await other.write('a/b', sample.makePdf())
    assert.equal(flushes.callCount(), 11)
    await other.write('a/c', sample.makePdf())
    assert.equal(flushes.callCount(), 13)
    flushes.restore()
    await failOnce(t, 'sync')
    await assert.rejects(store.write('e/f/g', sample.makePdf()), Unavailable)
    assert.deepEqual(readdirSync(join(made.folder, 'new')), ['a'])
    await store.write('e/f/g', sample.makePdf())
  })
})
