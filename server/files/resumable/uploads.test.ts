import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { type MadeContext, makeTestContext } from '../../../tests/fixtures/context.ts'
import { here } from '../../../tests/fixtures/on-this-machine.ts'
import { addMedia } from '../../../tests/fixtures/requests.ts'
import * as sample from '../../../tests/fixtures/sample-files.ts'
import { addMember, addWorkspace, openTestSession } from '../../../tests/fixtures/workspaces.ts'
import { buildApp } from '../../app.ts'
import type { System } from '../../foundation/actor.ts'
import { inTransaction, reading } from '../../foundation/database/database.ts'
import { sweepUploads } from '../sweep.ts'
import { unattachedMax } from '../upload.ts'

type Answer = { status: string; code?: string; errors?: Record<string, string[]>; file?: { _id: string; url: string } }

describe('resumable uploads', () => {
  let made: MadeContext
  let apps: FastifyInstance[]
  /** Two processes that share only the database and the file store. */
  let origins: [string, string]
  let otherFolder: string
  let system: System
  let memberId: string
  let token: string

  before(async () => {
    made = await makeTestContext()
    otherFolder = mkdtempSync(join(tmpdir(), 'atrium-other-'))
    const { context } = made
    const other = { ...context, config: { ...context.config, dataDirectory: otherFolder } }
    apps = [await buildApp(context), await buildApp(other)]
    const listen = (app?: FastifyInstance) => app?.listen({ port: 0, host: '127.0.0.1' }) ?? ''
    origins = [await listen(apps[0]), await listen(apps[1])]
    system = await addWorkspace(context, { isDefault: true })
  })
  after(async () => {
    for (const app of apps) await app.close()
    await made.close()
    rmSync(otherFolder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    memberId = (await addMember(system)).memberId
    token = (await openTestSession(system, { kind: 'member', id: memberId })).token
  })

  const protocol = (bearer = token) => ({ authorization: `Bearer ${bearer}`, 'tus-resumable': '1.0.0' })
  const encoded = (text: string) => Buffer.from(text).toString('base64')

  type Start = { name?: string; size: number | string; purpose?: string; bearer?: string }
  function start({ name = 'document.pdf', size, purpose = 'document', bearer = token }: Start) {
    const metadata = `filename ${encoded(name)},purpose ${encoded(purpose)}`
    return fetch(`${origins[0]}/media/uploads`, {
      method: 'POST',
      headers: { ...protocol(bearer), 'upload-length': String(size), 'upload-metadata': metadata },
    })
  }
  async function started(size: number, name?: string): Promise<string> {
    const response = await start({ size, ...(name && { name }) })
    assert.equal(response.status, 201)
    const location = response.headers.get('location') ?? ''
    assert.match(location, /^\/media\/uploads\/[0-9a-f-]{36}$/)
    return location
  }
  const send = (location: string, offset: number, content: Buffer, { process = 0, bearer = token } = {}) =>
    fetch(`${origins[process]}${location}`, {
      method: 'PATCH',
      headers: {
        ...protocol(bearer),
        'upload-offset': String(offset),
        'content-type': 'application/offset+octet-stream',
      },
      body: new Uint8Array(content),
    })
  const ask = (location: string, { process = 0, bearer = token } = {}) =>
    fetch(`${origins[process]}${location}`, { method: 'HEAD', headers: protocol(bearer) })
  async function finish(location: string, { process = 0, bearer = token } = {}) {
    const response = await fetch(`${origins[process]}/media/finish-upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ upload: location.split('/').at(-1) }),
    })
    return { status: response.status, answer: (await response.json()) as Answer }
  }
  async function contentOf(url = ''): Promise<Buffer> {
    const response = await fetch(`${origins[0]}/cp${url}`, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(response.status, 200)
    return Buffer.from(await response.arrayBuffer())
  }
  const rows = (table: 'uploads' | 'media') =>
    reading(system, (tx) => tx.selectFrom(table).where(here).select('name').where('member_id', '=', memberId).execute())
  async function storedKeys(): Promise<string[]> {
    const keys: string[] = []
    for await (const { key } of made.context.files.list(system.workspaceId)) keys.push(key)
    return keys
  }
  const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')
  const bearerOfAnother = async () =>
    (await openTestSession(system, { kind: 'member', id: (await addMember(system)).memberId })).token
  async function digestOfRow(mediaId: string): Promise<string | undefined> {
    const row = await reading(system, (tx) =>
      tx.selectFrom('media').where(here).select('sha256').where('media_id', '=', mediaId).executeTakeFirst(),
    )
    return row?.sha256.toString('hex')
  }
  const spooled = () =>
    [made.folder, otherFolder].flatMap((folder) =>
      readdirSync(folder).includes('incoming') ? readdirSync(join(folder, 'incoming')) : [],
    )
  const partKeys = async (location = '') =>
    (await storedKeys()).filter((key) => key.includes('parts') && key.includes(location.split('/').at(-1) ?? ''))
  /** Bytes of a KYC document without repetition. */
  function pdf(sizeBytes: number): Buffer {
    const length = Math.ceil(sizeBytes / 9)
    return sample.makePdf(Array.from({ length }, (_, at) => `% ${at.toString(36).padStart(6, '0')}\n`).join(''))
  }

  it('accept the parts of a file on two processes, and make one file of repeated finish calls', async () => {
    const content = pdf(600_000)
    const location = await started(content.length, 'My document №1.pdf')
    const cuts = [0, 5_000, 5_001, 300_000, content.length]
    for (const [at, from] of cuts.slice(0, -1).entries()) {
      const process = at % 2
      assert.equal((await ask(location, { process })).headers.get('upload-offset'), String(from))
      const answer = await send(location, from, content.subarray(from, cuts[at + 1]), { process })
      assert.deepEqual([answer.status, answer.headers.get('upload-offset')], [204, String(cuts[at + 1])])
    }
    const both = await Promise.all([finish(location), finish(location, { process: 1 })])
    const again = await finish(location)
    for (const { status, answer } of [...both, again]) {
      assert.equal(status, 200, JSON.stringify(answer))
      assert.deepEqual(answer.file, again.answer.file)
    }
    assert.deepEqual(await rows('media'), [{ name: 'My document №1.pdf' }])
    assert.deepEqual(await rows('uploads'), [])
    assert.ok((await contentOf(again.answer.file?.url)).equals(content))
    assert.equal((await partKeys()).length, 0)
    assert.deepEqual(spooled(), [])
  })

  it('keep what arrived before the connection broke at 99 %', async () => {
    const content = pdf(400_000)
    const location = await started(content.length)
    const cut = Math.floor(content.length * 0.99)
    const { port, hostname } = new URL(origins[0])
    const accepted = new Promise<Socket>((resolve) => apps[0]?.server.once('connection', resolve))
    const socket = connect(Number(port), hostname)
    const headers = Object.entries({
      ...protocol(),
      host: 'localhost',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      'content-length': String(content.length),
    })
    const head = `PATCH ${location} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
    socket.write(head)
    socket.write(content.subarray(0, cut))
    const far = await accepted
    for (let round = 0; round < 3_000 && far.bytesRead < head.length + cut; round += 1)
      await new Promise((resolve) => setTimeout(resolve, 10))
    socket.destroy()
    let offset = 0
    for (let round = 0; round < 3_000 && offset === 0; round += 1) {
      offset = Number((await ask(location, { process: 1 })).headers.get('upload-offset'))
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    assert.equal(offset, cut)
    assert.equal((await send(location, offset, content.subarray(offset), { process: 1 })).status, 204)
    const { status, answer } = await finish(location)
    assert.equal(status, 200)
    assert.ok((await contentOf(answer.file?.url)).equals(content))
  })

  it('count a part once when it is sent concurrently', async () => {
    const content = pdf(100_000)
    const location = await started(content.length)
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, at) => send(location, 0, content.subarray(0, 50_000), { process: at % 2 })),
    )
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [204, 409, 409, 409])
    assert.equal((await partKeys()).length, 1)
    assert.equal((await send(location, 0, content.subarray(0, 10))).status, 409)
    assert.equal((await send(location, 60_000, content.subarray(60_000))).status, 409)
    assert.equal((await finish(location)).status, 409)
    assert.equal((await send(location, 50_000, content.subarray(50_000))).status, 204)
    assert.equal((await finish(location)).status, 200)
  })

  it('write the parts that one process receives behind each other, and digest them once', async () => {
    const content = pdf(300_000)
    const location = await started(content.length)
    for (const [from, to] of [
      [0, 100_000],
      [100_000, 100_001],
      [100_001, content.length],
    ] as const)
      assert.equal((await send(location, from, content.subarray(from, to))).status, 204)
    assert.equal((await partKeys(location)).length, 1)
    // The other process knows no digest and reads the file.
    for (const process of [0, 1]) {
      const id = location.split('/').at(-1) ?? ''
      const { status, answer } = await finish(location, { process })
      assert.equal(status, 200)
      assert.ok((await contentOf(answer.file?.url)).equals(content))
      assert.equal(await digestOfRow(id), sha256(content))
    }
  })

  it('are read by another process that received none of the parts', async () => {
    const content = pdf(200_000)
    const location = await started(content.length)
    await send(location, 0, content.subarray(0, 90_000))
    await send(location, 90_000, content.subarray(90_000))
    const { answer } = await finish(location, { process: 1 })
    assert.ok((await contentOf(answer.file?.url)).equals(content))
    assert.equal(await digestOfRow(location.split('/').at(-1) ?? ''), sha256(content))
  })

  it('keep the counted one of different parts that are sent concurrently behind a first part', async () => {
    const content = pdf(100_000)
    const location = await started(content.length)
    await send(location, 0, content.subarray(0, 40_000))
    const candidates = ['a', 'b', 'c', 'd'].map((mark) => Buffer.alloc(30_000, `% ${mark}${mark}${mark}\n`))
    const answers = await Promise.all(
      candidates.map((candidate, at) => send(location, 40_000, candidate, { process: at % 2 })),
    )
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [204, 409, 409, 409])
    assert.equal((await send(location, 70_000, content.subarray(70_000), { process: 0 })).status, 204)
    const { status, answer } = await finish(location)
    assert.equal(status, 200)
    const counted = candidates[answers.findIndex((one) => one.status === 204)] ?? Buffer.alloc(0)
    const whole = Buffer.concat([content.subarray(0, 40_000), counted, content.subarray(70_000)])
    assert.ok((await contentOf(answer.file?.url)).equals(whole))
    assert.deepEqual(await partKeys(location), [])
  })

  it('leave out what a killed process wrote behind the counted part', async () => {
    const content = pdf(100_000)
    const location = await started(content.length)
    await send(location, 0, content.subarray(0, 40_000))
    const [key = ''] = await partKeys(location)
    appendFileSync(made.context.files.pathOf?.(key) ?? '', 'never counted')
    assert.equal((await send(location, 40_000, content.subarray(40_000, 70_000), { process: 1 })).status, 204)
    // This process remembers the upload as it was.
    assert.equal((await send(location, 70_000, content.subarray(70_000), { process: 0 })).status, 204)
    const { status, answer } = await finish(location, { process: 1 })
    assert.equal(status, 200)
    assert.ok((await contentOf(answer.file?.url)).equals(content))
  })

  it('answer a part whose file was removed meanwhile like one at a wrong offset', async () => {
    const content = pdf(50_000)
    const location = await started(content.length)
    await send(location, 0, content.subarray(0, 20_000))
    for (const key of await partKeys(location)) await made.context.files.remove(key)
    assert.equal((await send(location, 20_000, content.subarray(20_000))).status, 409)
  })

  it('are continued and deleted by their own member only, with all received parts', async () => {
    const content = pdf(50_000)
    const location = await started(content.length)
    await send(location, 0, content.subarray(0, 20_000))
    const bearer = await bearerOfAnother()
    assert.equal((await send(location, 20_000, content.subarray(20_000), { bearer })).status, 404)
    assert.equal((await send(location, 20_000, content.subarray(20_000, 30_000))).status, 204)
    assert.equal((await partKeys(location)).length, 1)
    const stored = (await storedKeys()).length
    const gone = await fetch(`${origins[1]}${location}`, { method: 'DELETE', headers: protocol() })
    assert.equal(gone.status, 204)
    assert.equal((await storedKeys()).length, stored - 1)
    assert.equal((await ask(location)).status, 404)
    assert.equal((await send(location, 20_000, content.subarray(20_000))).status, 404)
    assert.equal((await finish(location)).status, 404)
  })

  it('are hidden from other members, with the same answer as for unknown ones', async () => {
    const content = pdf(1_000)
    const location = await started(content.length)
    const bearer = await bearerOfAnother()
    const unknown = '/media/uploads/00000000-0000-7000-8000-000000000000'
    const bodyOf = async (response: Response) => (await response.text()).replace(/"request_id":"[^"]*"/, '')
    for (const place of [location, unknown]) {
      assert.equal((await ask(place, { bearer })).status, 404)
      const sent = await send(place, 0, content, { bearer })
      assert.deepEqual(
        [sent.status, await bodyOf(sent)],
        [
          404,
          '{"status":"error","code":"not_found","error":"There is nothing here.","errors":{"form":["There is nothing here."]},}',
        ],
      )
      assert.equal((await finish(place, { bearer })).status, 404)
      const gone = await fetch(`${origins[0]}${place}`, { method: 'DELETE', headers: protocol(bearer) })
      assert.equal(gone.status, 404)
    }
    assert.equal((await ask(location, { bearer: 'x'.repeat(43) })).status, 401)
    assert.equal(
      (await fetch(`${origins[0]}/media/uploads/nonsense`, { method: 'HEAD', headers: protocol() })).status,
      404,
    )
    assert.equal((await ask(location)).headers.get('upload-offset'), '0')
  })

  it('refuse at the start what they would refuse at the end', async () => {
    const cases: [Start, number, string][] = [
      [{ size: 20_000_001 }, 413, 'This file is larger than 20 MB.'],
      [{ size: 5_000_001, purpose: 'receipt' }, 413, 'This file is larger than 5 MB.'],
      [
        { size: 10, name: 'a.exe' },
        422,
        'Only the following file types are allowed: png, jpg, jpeg, pdf, doc, docx, xls, xlsx, csv. This is a program.',
      ],
      [
        { size: 10, name: 'a.pdf.exe', purpose: 'receipt' },
        422,
        'Only the following file types are allowed: png, jpg, jpeg, pdf. This is a program.',
      ],
      [{ size: 0 }, 422, 'This file is empty.'],
    ]
    for (const [asked, status, sentence] of cases) {
      const response = await start(asked)
      assert.equal(response.status, status, sentence)
      assert.deepEqual(((await response.json()) as Answer).errors, { file: [sentence] })
    }
    assert.equal((await start({ size: 10, purpose: 'download' })).status, 422)
    for (const size of [-1, 'x', '1e3', '']) assert.equal((await start({ size })).status, 400, String(size))
    assert.deepEqual(await rows('uploads'), [])
  })

  it('refuse content that does not match its name, with the first part or at the end', async () => {
    const early = await started(5_000_000)
    const refused = await send(early, 0, Buffer.alloc(10_000, 0x4d))
    assert.equal(refused.status, 422)
    assert.equal((await ask(early)).status, 404)
    const late = Buffer.concat([sample.makePdf('1 0 obj<</S/JavaScript>>endobj')])
    const location = await started(late.length)
    assert.equal((await send(location, 0, late)).status, 204)
    assert.equal((await finish(location)).status, 422)
    assert.equal((await ask(location)).status, 404)
    assert.equal((await storedKeys()).filter((key) => key.includes(location.split('/').at(-1) ?? '')).length, 0)
    assert.deepEqual(spooled(), [])
  })

  it('refuse bytes beyond the announced length, and calls without the protocol', async () => {
    const location = await started(100)
    assert.equal((await send(location, 0, Buffer.alloc(101))).status, 413)
    assert.equal((await ask(location)).headers.get('upload-offset'), '0')
    const endless = await fetch(`${origins[0]}${location}`, {
      method: 'PATCH',
      headers: { ...protocol(), 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      body: new Blob(['%PDF-1.7\n'.repeat(20)]).stream(),
      duplex: 'half',
    } as RequestInit)
    assert.equal(endless.status, 413)
    assert.equal((await ask(location)).headers.get('upload-offset'), '0')
    assert.deepEqual(await partKeys(location), [])
    const authorization = `Bearer ${token}`
    const bare = await fetch(`${origins[0]}${location}`, { method: 'HEAD', headers: { authorization } })
    assert.equal(bare.status, 400)
    const json = await fetch(`${origins[0]}${location}`, {
      method: 'PATCH',
      headers: { ...protocol(), 'upload-offset': '0', 'content-type': 'application/json' },
      body: '{}',
    })
    assert.equal(json.status, 400)
  })

  it('count towards the quota with their announced size', async () => {
    await addMedia(system, { memberId, size_bytes: unattachedMax.bytes - 1_000 })
    assert.equal((await start({ size: 900 })).status, 201)
    assert.equal((await start({ size: 900 })).status, 429)
  })

  it('are swept after a day without activity, and not earlier', async () => {
    const content = pdf(30_000)
    const location = await started(content.length)
    await send(location, 0, content.subarray(0, 10_000))
    const young = await started(content.length)
    await sweepUploads(system)
    assert.equal((await rows('uploads')).length, 2)
    const keys = (await partKeys()).length
    await inTransaction(system, (tx) =>
      tx
        .updateTable('uploads')
        .where(here)
        .set({ touched_at: new Date(made.context.clock.now().getTime() - 25 * 3_600_000) })
        .where('upload_id', '=', location.split('/').at(-1) ?? '')
        .execute(),
    )
    await sweepUploads(system)
    assert.equal((await rows('uploads')).length, 1)
    assert.equal((await ask(young)).status, 200)
    assert.equal((await partKeys()).length, keys - 1)
  })
})
