// spec: OP faults
import assert from 'node:assert/strict'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { startStorage } from '../../tests/doubles/bucket.ts'
import { eventually } from '../../tests/doubles/child-server.ts'
import { openMuteProxy } from '../../tests/doubles/mute-proxy.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import * as sample from '../../tests/fixtures/sample-files.ts'
import { addMember, addWorkspace, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import type { System } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import { openBucketStore } from './s3-store.ts'
import { sweepUploads } from './sweep.ts'

type Answer = { code?: string; file: { _id: string; url: string } }

/** A proxy that breaks the connection after so many bytes. */
async function startBreakingProxy(to: string, afterBytes: number) {
  const { hostname, port } = new URL(to)
  let left = 0
  let broken = 0
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    const end = () => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) socket.once('error', end).once('close', end)
    let bytes = 0
    near.on('data', (chunk) => {
      bytes += chunk.length
      if (bytes < afterBytes || left <= 0) return far.write(chunk)
      left -= 1
      broken += 1
      return end()
    })
    far.pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  return {
    url: `http://127.0.0.1:${address.port}`,
    broken: () => broken,
    breakNext: (times: number) => {
      left = times
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

describe('a storage with outages', () => {
  let made: MadeContext
  let app: FastifyInstance
  let system: System
  let storage: Awaited<ReturnType<typeof startStorage>>
  let token: string

  before(async () => {
    storage = await startStorage()
    made = await makeTestContext()
    made.context.files = openBucketStore(storage.bucket, { pageKeysMax: 3 })
    app = await buildApp(made.context)
    system = await addWorkspace(made.context, { isDefault: true })
    token = (await openTestSession(system, { kind: 'member', id: (await addMember(system)).memberId })).token
  })
  after(async () => {
    await app.close()
    await made.context.files.close()
    await made.close()
    await storage.close()
  })

  async function upload(name = 'a.pdf', content = sample.makePdf()) {
    const head = `--x\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
    const answer = await app.inject({
      method: 'POST',
      url: '/media/cp-upload-file',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' },
      payload: Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--x--\r\n')]),
    })
    return { status: answer.statusCode, answer: answer.json<Answer>() }
  }
  const read = (url: string, headers = {}) =>
    app.inject({ url: `/cp${url}`, headers: { authorization: `Bearer ${token}`, ...headers } })
  const rows = () => reading(system, (tx) => tx.selectFrom('media').where(here).select('media_id').execute())
  async function keys(): Promise<string[]> {
    const found: string[] = []
    for await (const { key } of made.context.files.list(system.workspaceId)) found.push(key)
    return found
  }
  const spooled = () => {
    const folder = join(made.folder, 'incoming')
    return readdirSync(made.folder).includes('incoming') ? readdirSync(folder) : []
  }

  it('stores and serves files while it is available, whole and in parts', async () => {
    const { status, answer } = await upload()
    assert.equal(status, 200)
    const whole = await read(answer.file.url)
    assert.ok(whole.rawPayload.equals(sample.makePdf()))
    const part = await read(answer.file.url, { range: 'bytes=2-5' })
    assert.ok(part.statusCode === 206 && part.rawPayload.equals(sample.makePdf().subarray(2, 6)))
    const picture = await upload('a.png', sample.makePng({ width: 20, height: 20 }))
    assert.equal((await read(`${picture.answer.file.url}?small=1`)).statusCode, 200)
  })

  it('gives 503 during an outage, leaves no file without a row or row without a file, and recovers', async () => {
    const { answer } = await upload()
    const before = { rows: (await rows()).length, keys: (await keys()).length }
    await storage.stop()
    for (const name of ['a.pdf', 'b.pdf']) {
      const refused = await upload(name)
      assert.deepEqual([refused.status, refused.answer.code], [503, 'unavailable'])
    }
    const unread = await read(answer.file.url)
    assert.deepEqual([unread.statusCode, unread.headers['content-disposition']], [503, undefined])
    const others = await app.inject({ url: '/user/permissions', headers: { authorization: `Bearer ${token}` } })
    assert.equal(others.statusCode, 200)
    assert.equal((await rows()).length, before.rows)
    assert.deepEqual(spooled(), [])
    await storage.start()
    assert.equal((await keys()).length, before.keys)
    assert.equal((await read(answer.file.url)).statusCode, 200)
    assert.equal((await upload()).status, 200)
  })

  it('continues a resumable upload after an outage', async () => {
    const content = sample.makePdf('% a line\n'.repeat(4_000))
    const protocol = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
    const metadata = `filename ${Buffer.from('a.pdf').toString('base64')}`
    const started = await app.inject({
      method: 'POST',
      url: '/media/uploads',
      headers: { ...protocol, 'upload-length': String(content.length), 'upload-metadata': metadata },
    })
    const url = String(started.headers.location)
    const send = (from: number, to: number) =>
      app.inject({
        method: 'PATCH',
        url,
        headers: { ...protocol, 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream' },
        payload: content.subarray(from, to),
      })
    const finish = () =>
      app.inject({
        method: 'POST',
        url: '/media/finish-upload',
        headers: { authorization: `Bearer ${token}` },
        payload: { upload: url.split('/').at(-1) },
      })
    assert.equal((await send(0, 10_000)).statusCode, 204)
    await storage.stop()
    assert.equal((await send(10_000, 20_000)).statusCode, 503)
    const asked = await app.inject({ method: 'HEAD', url, headers: protocol })
    assert.equal(asked.headers['upload-offset'], '10000')
    await storage.start()
    assert.equal((await send(10_000, content.length)).statusCode, 204)
    await storage.stop()
    assert.equal((await finish()).statusCode, 503)
    await storage.start()
    const finished = await finish()
    assert.equal(finished.statusCode, 200)
    assert.ok((await read(finished.json<Answer>().file.url)).rawPayload.equals(content))
    assert.deepEqual(spooled(), [])
  })

  it('retries when the connection breaks in the middle of a file, and no row refers to a partial file', async () => {
    const content = sample.makePdf('% a line\n'.repeat(100_000))
    const proxy = await startBreakingProxy(storage.bucket.endpoint ?? '', content.length / 2)
    const whole = made.context.files
    made.context.files = openBucketStore({ ...storage.bucket, endpoint: proxy.url })
    try {
      proxy.breakNext(1)
      const { status, answer } = await upload('a.pdf', content)
      assert.deepEqual([status, proxy.broken()], [200, 1])
      assert.ok((await read(answer.file.url)).rawPayload.equals(content))
      const before = (await rows()).length
      proxy.breakNext(Number.POSITIVE_INFINITY)
      const refused = await upload('b.pdf', content)
      assert.deepEqual([refused.status, refused.answer.code], [503, 'unavailable'])
      assert.ok(proxy.broken() > 1)
      proxy.breakNext(0)
      // What the bucket stores of half a body is an orphan, which the sweep deletes.
      assert.equal((await rows()).length, before)
      assert.deepEqual(spooled(), [])
    } finally {
      await made.context.files.close()
      made.context.files = whole
      await proxy.close()
    }
  })

  it('fails immediately while the circuit is open, and is used again once it answers', async () => {
    const proxy = await openMuteProxy(storage.bucket.endpoint ?? '')
    const whole = made.context.files
    const through = { ...storage.bucket, endpoint: proxy.url }
    const patience = { silentMs: 300, pauses: { firstMs: 3_600_000, maxMs: 3_600_000 } }
    const [patient, probing] = [
      openBucketStore(through, patience),
      openBucketStore(through, { ...patience, pauses: { firstMs: 50, maxMs: 50 } }),
    ]
    try {
      made.context.files = patient
      const { answer } = await upload()
      proxy.mute(true)
      for (let times = 0; times < 3; times++) {
        const refused = await upload()
        assert.deepEqual([refused.status, refused.answer.code], [503, 'unavailable'])
      }
      const before = proxy.lines()
      assert.equal((await upload()).status, 503)
      assert.equal((await read(answer.file.url)).statusCode, 503)
      assert.equal(proxy.lines(), before, 'a request was sent while the circuit is open')

      made.context.files = probing
      for (let times = 0; times < 3; times++) assert.equal((await read(answer.file.url)).statusCode, 503)
      proxy.mute(false)
      await eventually('the storage is used again', async () => (await read(answer.file.url)).statusCode === 200)
      assert.equal((await upload()).status, 200)
    } finally {
      proxy.mute(false)
      made.context.files = whole
      for (const store of [patient, probing]) await store.close()
      proxy.close()
    }
  })

  it('loses files without a row after a day, in a bucket as in a folder', async () => {
    await made.context.files.write(`${system.workspaceId}/orphan`, sample.makePdf())
    await made.context.files.write(`${system.workspaceId}/small/orphan`, sample.makePdf())
    await made.context.files.write(`${system.workspaceId}/parts/orphan/first`, sample.makePdf())
    await sweepUploads(system)
    assert.equal((await keys()).filter((key) => key.includes('orphan')).length, 3)
    made.context.clock.set(new Date(Date.now() + 240 * 3_600_000))
    await sweepUploads(system)
    assert.deepEqual(await keys(), [])
    assert.deepEqual(await rows(), [])
  })

  it('refuses uploads while the disk cannot be written, and accepts them again afterwards', async () => {
    token = (await openTestSession(system, { kind: 'member', id: (await addMember(system)).memberId })).token
    const folder = join(made.folder, 'incoming')
    rmSync(folder, { recursive: true, force: true })
    // A file in place of the folder makes every write fail.
    writeFileSync(folder, '')
    assert.ok((await upload()).status >= 500)
    assert.deepEqual(await rows(), [])
    rmSync(folder)
    assert.equal((await upload()).status, 200)
  })
})
