// spec: OP faults
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type ChildServer, startChildServer } from '../../tests/doubles/child-server.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import * as sample from '../../tests/fixtures/sample-files.ts'
import { addMember, addWorkspace, openTestSession } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'

type Answer = { code?: string; file: { _id: string; url: string } }

/** The server process may write at most this many bytes to a file. */
const roomBytes = 100_000

describe('a disk that fills up in the middle of a file', () => {
  let made: MadeContext
  let system: System
  let server: ChildServer
  let token: string

  before(async () => {
    made = await makeTestContext({ startAt: new Date() })
    system = await addWorkspace(made.context, { isDefault: true })
    server = await startChildServer({
      databaseUrl: made.ownerUrl,
      dataDirectory: made.folder,
      roles: 'web',
      fileSizeBytesMax: roomBytes,
    })
  })
  after(async () => {
    await server.stop()
    await made.close()
  })
  beforeEach(async () => {
    token = (await openTestSession(system, { kind: 'member', id: (await addMember(system)).memberId })).token
  })

  const authorization = () => ({ authorization: `Bearer ${token}` })
  const large = sample.makePdf('% a line\n'.repeat(20_000))

  async function upload(name: string, content: Buffer) {
    const body = new FormData()
    body.append('file', new Blob([new Uint8Array(content)]), name)
    const url = `${server.url}/media/cp-upload-file`
    const response = await fetch(url, { method: 'POST', headers: authorization(), body })
    return { status: response.status, answer: (await response.json()) as Answer }
  }
  const read = async (url: string) => (await fetch(`${server.url}/cp${url}`, { headers: authorization() })).status
  const rows = async () =>
    (await reading(system, (tx) => tx.selectFrom('media').where(here).select('storage_key').execute())).map(
      (row) => row.storage_key,
    )
  /** Every file on the disk, including partly received and partly written ones. */
  const onDisk = () =>
    ['files', 'incoming'].flatMap((folder) =>
      readdirSync(made.folder).includes(folder)
        ? readdirSync(join(made.folder, folder), { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map((entry) => entry.name)
        : [],
    )

  it('gives 503, leaves no partial file or row, and still accepts and serves files that fit', async () => {
    const small = await upload('a.pdf', sample.makePdf())
    assert.equal(small.status, 200)
    const before = { disk: onDisk().sort(), rows: (await rows()).sort() }
    for (const name of ['b.pdf', 'c.csv']) {
      const { status, answer } = await upload(name, name.endsWith('csv') ? Buffer.alloc(200_000, 'a,b\n') : large)
      assert.deepEqual([status, answer.code], [503, 'unavailable'], name)
    }
    assert.deepEqual({ disk: onDisk().sort(), rows: (await rows()).sort() }, before)
    assert.equal(await read(small.answer.file.url), 200)
    assert.equal((await upload('d.pdf', sample.makePdf())).status, 200)
  })

  it('gives 503 for a picture that grows when re-encoded, and does not call it unreadable', async () => {
    // One byte per pixel, which becomes four.
    const content = sample.makePng({ width: 300, height: 300, isNoise: true })
    assert.ok(content.length < roomBytes)
    const before = onDisk().sort()
    const { status, answer } = await upload('noise.png', content)
    assert.deepEqual([status, answer.code], [503, 'unavailable'])
    assert.deepEqual(onDisk().sort(), before)
  })

  it('accepts the parts of an upload that fit, and continues later', async () => {
    const metadata = `filename ${Buffer.from('a.pdf').toString('base64')}`
    const protocol = { ...authorization(), 'tus-resumable': '1.0.0' }
    const started = await fetch(`${server.url}/media/uploads`, {
      method: 'POST',
      headers: { ...protocol, 'upload-length': String(large.length), 'upload-metadata': metadata },
    })
    const location = `${server.url}${started.headers.get('location')}`
    const send = (from: number, to: number) =>
      fetch(location, {
        method: 'PATCH',
        headers: { ...protocol, 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream' },
        body: new Uint8Array(large.subarray(from, to)),
      })
    assert.equal((await send(0, large.length)).status, 503)
    // The disk writes most of the last bytes and reports no error.
    assert.equal((await send(0, roomBytes + 10)).status, 503)
    assert.equal((await send(0, 90_000)).status, 204)
    // The file of the first part has no room for it, so the retry begins another.
    assert.equal((await send(90_000, large.length)).status, 503)
    assert.equal((await send(90_000, large.length)).status, 204)
    const upload = location.split('/').at(-1)
    const finish = (url: string) =>
      fetch(`${url}/media/finish-upload`, {
        method: 'POST',
        headers: { ...authorization(), 'content-type': 'application/json' },
        body: JSON.stringify({ upload }),
      })
    // Joined, it exceeds the limit, so the parts remain.
    assert.equal((await finish(server.url)).status, 503)
    const asked = await fetch(location, { method: 'HEAD', headers: protocol })
    assert.equal(asked.headers.get('upload-offset'), String(large.length))
    const roomy = await startChildServer({ databaseUrl: made.ownerUrl, dataDirectory: made.folder, roles: 'web' })
    try {
      const answer = await finish(roomy.url)
      assert.equal(answer.status, 200)
      assert.equal(await read(((await answer.json()) as Answer).file.url), 200)
    } finally {
      await roomy.stop()
    }
  })
})
