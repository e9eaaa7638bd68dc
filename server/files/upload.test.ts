// spec: MP 5, MP 7, MP 9, AO 7, AO 9
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { fileProblems } from '@atrium/contract/files/problems.ts'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import type { FastifyInstance } from 'fastify'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { openUploadFixture, type Uploaded, uploadCallsOf } from '../../tests/fixtures/files/upload-fixture.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addTransaction } from '../../tests/fixtures/payments/money.ts'
import { addMedia } from '../../tests/fixtures/requests.ts'
import * as sample from '../../tests/fixtures/sample-files.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, memberActor, openTestSession } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { fileJobs } from './jobs.ts'
import { sweepUploads } from './sweep.ts'
import { dailyMax, unattachedMax } from './upload.ts'
import { makeInspections, makeUploadLimit } from './upload-limit.ts'

describe('an upload', () => {
  let fixture: Awaited<ReturnType<typeof openUploadFixture>>
  let made: MadeContext
  let app: FastifyInstance
  let origin: string
  let system: System
  let memberId: string
  let session: { token: string; fileToken: string }

  before(async () => {
    fixture = await openUploadFixture()
    ;({ made, app, origin, system } = fixture)
  })
  after(() => fixture.close())
  beforeEach(async () => {
    memberId = (await addMember(system)).memberId
    session = await openTestSession(system, { kind: 'member', id: memberId })
  })
  const { bearer, form, upload, rowsOf, filesOnDisk, untilFilesOnDisk } = uploadCallsOf(() => ({
    fixture,
    memberId,
    session,
  }))

  it('accepts a picture through the picture call, with the purpose as a field', async () => {
    const body = new FormData()
    body.append('purpose', 'receipt')
    body.append('file', new Blob([new Uint8Array(sample.makePng())]), 'a.png')
    const response = await fetch(`${origin}/media/cp-upload-image`, { method: 'POST', headers: bearer(), body })
    const answer = (await response.json()) as { image: { type: string } }
    assert.equal(response.status, 200)
    assert.equal(answer.image.type, 'image')
    assert.equal((await rowsOf())[0]?.purpose, 'receipt')
  })

  it('enforces the size limit to the byte, for receipts and documents', async () => {
    const limits: [string, number][] = [
      ['receipt', 5_000_000],
      ['document', 20_000_000],
    ]
    for (const [purpose, limit] of limits) {
      for (const size of [limit - 1, limit]) {
        const { status, answer } = await upload('a.pdf', sample.makePdfOfSize(size), `?purpose=${purpose}`)
        assert.equal(status, 200, `${purpose} of ${size} bytes`)
        assert.equal(answer.file.size_bytes, size)
      }
      const { status, answer } = await upload('a.pdf', sample.makePdfOfSize(limit + 1), `?purpose=${purpose}`)
      assert.equal(status, 413)
      assert.deepEqual(answer.errors, { file: [`This file is larger than ${limit / 1_000_000} MB.`] })
    }
  })

  it('refuses each invalid upload with a field error and leaves no file', async () => {
    const onDisk = filesOnDisk().length
    const allowed = 'Only the following file types are allowed: png, jpg, jpeg, pdf.'
    const asPdf = 'Save it as PDF and upload that file.'
    const pixels: Record<string, string> = { count: '2500', width: '50000', height: '50000', most: '51' }
    const cases: [string, Buffer, number, string][] = [
      [
        'virus.pdf',
        Buffer.concat([Buffer.from('MZ\x90\0', 'latin1'), Buffer.alloc(600)]),
        422,
        `${allowed} This is a program.`,
      ],
      ['page.pdf', Buffer.from('<html><script>1</script></html>'), 422, `${allowed} This is a web page. ${asPdf}`],
      [
        'drawing.svg',
        Buffer.from('<svg/>'),
        422,
        `${allowed} This is an SVG drawing. Save it as JPEG or PNG and upload that file.`,
      ],
      ['receipt.pdf.exe', sample.makePdf(), 422, `${allowed} This is a program.`],
      ['document.docx', sample.makeOffice('word/document.xml'), 422, `${allowed} This is a Word document. ${asPdf}`],
      ['empty.pdf', Buffer.alloc(0), 422, 'This file is empty.'],
      [
        'bomb.png',
        sample.makePng({ width: 50_000, height: 50_000 }),
        422,
        fileTexts.imageTooLarge.replace(/\{\{.*?\}\}/g, (mark) => pixels[mark.slice(2, -2)] ?? ''),
      ],
      ['film.pdf', Buffer.alloc(12_000_000, 1), 422, allowed],
      ['long.pdf', sample.makePdf(' '.repeat(12_000_000)), 413, 'This file is larger than 5 MB.'],
    ]
    for (const [name, content, status, sentence] of cases) {
      const refused = await upload(name, content)
      assert.equal(refused.status, status, name)
      assert.deepEqual(refused.answer.errors, { file: [sentence] }, name)
    }
    assert.deepEqual(await rowsOf(), [])
    assert.equal(filesOnDisk().length, onDisk)
  })

  it('answers malformed, foreign and missing bodies with 4xx', async () => {
    const post = async (headers: Record<string, string>, body: string, query = '') =>
      (
        await fetch(`${origin}/media/cp-upload-file${query}`, {
          method: 'POST',
          headers: { ...bearer(), ...headers },
          body,
        })
      ).status
    const type = { 'content-type': 'multipart/form-data; boundary=x' }
    assert.equal(await post({ 'content-type': 'application/json' }, '{}'), 415)
    assert.equal(await post({ 'content-type': 'multipart/form-data' }, 'x'), 400)
    assert.equal(await post(type, 'no boundary here'), 400)
    assert.equal(await post(type, '--x--\r\n'), 422)
    assert.equal(
      await post(type, '--x\r\ncontent-disposition: form-data; name="other"; filename="a"\r\n\r\na\r\n--x--\r\n'),
      422,
    )
    assert.equal(await post(type, '--x--\r\n', '?purpose=nonsense'), 422)
    assert.equal(await post(type, '--x\r\ncontent-disposition: form-data; name="__proto__"\r\n\r\na\r\n--x--\r\n'), 400)
    const two = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\na,b\r\n'
    assert.ok((await post(type, `${two}${two}--x--\r\n`)) < 500)
    assert.deepEqual(await rowsOf(), [])
    const anonymous = await fetch(`${origin}/media/cp-upload-file`, {
      method: 'POST',
      body: form('a.pdf', sample.makePdf()),
    })
    assert.equal(anonymous.status, 401)
    const json = await fetch(`${origin}/members/get-unique-token`, {
      method: 'POST',
      headers: bearer(),
      body: form('a', sample.makePdf()),
    })
    assert.equal(json.status, 415)
  })

  it('corrects the extension to match an accepted content, and names the type of a refused one', async () => {
    for (const [name, content, stored, type] of [
      ['Scan 1.png', sample.makeJpeg(), 'Scan 1.jpg', 'image/jpeg'],
      ['scan.pdf', sample.makePng(), 'scan.png', 'image/png'],
      ['receipt.JPEG', sample.makePdf(), 'receipt.pdf', 'application/pdf'],
      ['receipt.JPEG', sample.makeJpeg(), 'receipt.JPEG', 'image/jpeg'],
    ] as const) {
      const { status, answer } = await upload(name, content)
      assert.deepEqual([status, answer.file.name], [200, stored])
      const got = await fetch(`${origin}/cp${answer.file.url}`, { headers: bearer() })
      assert.equal(got.headers.get('content-type'), type)
    }
    const heic = Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), Buffer.alloc(9_000)])
    const { status, answer } = await upload('IMG_0012.jpg', heic)
    assert.equal(status, 422)
    assert.match(
      answer.errors?.file?.[0] ?? '',
      /This is a HEIC picture\. Save it as JPEG or PNG and upload that file\.$/,
    )
    const script = sample.makePdf('1 0 obj<</OpenAction<</S/JavaScript/JS(print\\(\\))>>>>endobj')
    assert.deepEqual((await upload('a.pdf', script)).answer.errors, { file: [fileProblems['pdf-script']] })
  })

  it('refuses a picture with a valid structure and undecodable pixels', async () => {
    const onDisk = filesOnDisk().length
    const { status, answer } = await upload('a.png', sample.makePng({ width: 3_000, height: 3_000 }))
    assert.equal(status, 422)
    assert.match(answer.errors?.file?.[0] ?? '', /could not be read/)
    assert.equal(filesOnDisk().length, onDisk)
  })

  it('cleans file names and prevents header injection by them', async () => {
    const names: [string, RegExp][] = [
      ['../../etc/passwd.pdf', /^passwd\.pdf$/],
      ['C:\\secret\\a.pdf', /^a\.pdf$/],
      ['a\u202Efdp.pdf', /^afdp\.pdf$/],
      ['a\u0000b.pdf', /^ab\.pdf$/],
      [`${'ü'.repeat(300)}.pdf`, /^ü{251}\.pdf$/],
      ['.pdf', /^file\.pdf$/],
      ['quote".pdf', /^quote/],
      ['Квитанция 收据 إيصال.pdf', /^Квитанция 收据 إيصال\.pdf$/],
      ['emoji 🧾.PDF', /^emoji 🧾\.PDF$/],
    ]
    for (const [name, expected] of names) {
      const boundary = '--x\r\ncontent-disposition: form-data; name="file"; filename="'
      const raw = Buffer.concat([
        Buffer.from(`${boundary}${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"\r\n\r\n`),
        sample.makePdf(),
        Buffer.from('\r\n--x--\r\n'),
      ])
      const sent = await app.inject({
        method: 'POST',
        url: '/media/cp-upload-file?purpose=receipt',
        headers: { ...bearer(), 'content-type': 'multipart/form-data; boundary=x' },
        payload: raw,
      })
      assert.equal(sent.statusCode, 200, `${name}: ${sent.body}`)
      const file = sent.json<Uploaded>().file
      assert.match(file.name, expected)
      const got = await app.inject({ url: `/cp${file.url}`, headers: bearer() })
      assert.equal(got.statusCode, 200)
      assert.match(
        String(got.headers['content-disposition']),
        /^attachment; filename="[A-Za-z0-9 ._()-]*"; filename\*=UTF-8''[A-Za-z0-9%._~-]*$/,
      )
    }
  })

  it('leaves nothing of an upload that the client aborts', async () => {
    const onDisk = filesOnDisk().length
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    const head = `POST /media/cp-upload-file HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${session.token}\r\n`
    socket.write(`${head}content-type: multipart/form-data; boundary=x\r\ncontent-length: 4000000\r\n\r\n`)
    socket.write('--x\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\n')
    socket.write(Buffer.alloc(300_000, 0x20))
    await untilFilesOnDisk(onDisk + 1)
    socket.destroy()
    await untilFilesOnDisk(onDisk)
    assert.deepEqual(await rowsOf(), [])
  })

  it('aborts an endless body', async () => {
    const onDisk = filesOnDisk().length
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    const head = `POST /media/cp-upload-file?purpose=receipt HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${session.token}\r\n`
    socket.write(`${head}content-type: multipart/form-data; boundary=x\r\ntransfer-encoding: chunked\r\n\r\n`)
    const chunk = (data: Buffer) =>
      Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')])
    socket.write(
      chunk(Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\n')),
    )
    const pump = () => {
      while (socket.writable && socket.write(chunk(Buffer.alloc(65_536, 0x20)))) if (socket.destroyed) return
    }
    socket.on('drain', pump).on('error', () => socket.destroy())
    let answer = ''
    socket.on('data', (data) => {
      answer += data.toString('latin1')
    })
    const closed = new Promise((resolve) => socket.once('close', resolve))
    pump()
    await closed
    // The connection may close before the client reads the answer; if it reads one, it is this one.
    if (answer !== '') assert.match(answer, /^HTTP\/1\.1 413 /)
    await untilFilesOnDisk(onDisk)
  })

  it('survives twenty concurrent uploads: it accepts some and answers 429 to the others', async () => {
    const onDisk = filesOnDisk().length
    const content = sample.makePdfOfSize(4_000_000)
    const results = await Promise.all(Array.from({ length: 20 }, () => upload('a.pdf', content)))
    const taken = results.filter((result) => result.status === 200)
    assert.ok(taken.length >= 1)
    for (const result of results) assert.ok(result.status === 200 || result.status === 429)
    assert.equal((await rowsOf()).length, taken.length)
    await untilFilesOnDisk(onDisk + taken.length)
    assert.equal((await upload('a.png', sample.makePng())).status, 200)
  })

  it('limits the number of unattached files of a member, also under concurrent uploads', async () => {
    for (let count = 0; count < unattachedMax.files - 1; count += 1) await addMedia(system, { memberId })
    const [first, second] = await Promise.all([upload('a.png', sample.makePng()), upload('b.png', sample.makePng())])
    assert.deepEqual([first.status, second.status].sort(), [200, 429])
    const onDisk = filesOnDisk().length
    const refused = await upload('c.png', sample.makePng())
    assert.equal(refused.status, 429)
    assert.equal(refused.answer.code, 'too_many_requests')
    assert.equal(filesOnDisk().length, onDisk)
    made.context.clock.advance(unattachedMax.windowMs + 1)
    session = await openTestSession(system, { kind: 'member', id: memberId })
    assert.equal((await upload('c.png', sample.makePng())).status, 200)
  })

  it('limits the bytes of unattached files too', async () => {
    await addMedia(system, { memberId, size_bytes: unattachedMax.bytes - 10 })
    assert.equal((await upload('a.png', sample.makePng())).status, 429)
  })

  it('limits the bytes of attached files too, which stay for years', async () => {
    const files = await Promise.all(
      Array.from({ length: 20 }, () => addMedia(system, { memberId, size_bytes: dailyMax.bytes / 20 - 1 })),
    )
    const created_at = made.context.clock.now()
    const accountId = await addAccount(system, { memberId, platformId: await addPlatform(system) })
    const transaction_id = await addTransaction(system, { memberId, accountId })
    const key = { workspace_id: system.workspaceId, member_id: memberId, transaction_id, created_at }
    await inTransaction(system, (tx) =>
      tx
        .insertInto('transaction_attachments')
        .values(files.map((media_id) => ({ ...key, media_id })))
        .execute(),
    )
    const { status, answer } = await upload('a.png', sample.makePng())
    assert.deepEqual([status, answer.error], [429, 'You have uploaded many files today. Please try again tomorrow.'])
  })

  it('counts concurrent uploads of a person, whatever the number of their sessions', async () => {
    const within = makeUploadLimit()
    const member = await memberActor(system, memberId)
    const { promise: body, resolve: arrive } = Promise.withResolvers<void>()
    const under = [1, 2, 3, 4].map(() => within({ ...member, sessionId: newId() }, () => body))
    const more = within({ ...member, sessionId: newId() }, async () => undefined)
    await assert.rejects(more, { code: 'too_many_requests' })
    arrive()
    await Promise.all(under)
  })

  it('is inspected in turns with those of others, however many files one person sends', async () => {
    const inspect = makeInspections(1)
    const [one, other] = [
      await memberActor(system, memberId),
      await memberActor(system, (await addMember(system)).memberId),
    ]
    const inspected: string[] = []
    const note = async (name: string) => void inspected.push(name)
    const files = ['first', 'second', 'third', 'fourth'].map((name) => inspect(one, () => note(name)))
    await Promise.all([...files, inspect(other, () => note("another's"))])
    assert.deepEqual(inspected, ['first', 'second', "another's", 'third', 'fourth'])
  })

  it('leaves no file when inserting its row fails', async () => {
    const onDisk = filesOnDisk().length
    const { ownerUrl } = made
    const { default: pg } = await import('pg')
    const owner = new pg.Client({ connectionString: ownerUrl })
    await owner.connect()
    await owner.query('alter table media add constraint refuses_all check (size_bytes < 0) not valid')
    try {
      assert.equal((await upload('a.png', sample.makePng())).status, 500)
    } finally {
      await owner.query('alter table media drop constraint refuses_all')
      await owner.end()
    }
    assert.equal(filesOnDisk().length, onDisk)
    assert.deepEqual(await rowsOf(), [])
  })

  it('sweeps unattached files after a day, and nothing else', async () => {
    await sweepUploads(system)
    const platformId = await addPlatform(system)
    const accountId = await addAccount(system, { memberId, platformId })
    const transactionId = await addTransaction(system, { memberId, accountId })
    const used = await addMedia(system, { memberId })
    const unused = await addMedia(system, { memberId })
    const small = { width: 8, height: 8, small_key: `${system.workspaceId}/small/${used}` }
    await made.context.files.write(small.small_key, sample.makeJpeg())
    await inTransaction(system, (tx) =>
      tx.updateTable('media').where(here).set(small).where('media_id', '=', used).execute(),
    )
    const created_at = made.context.clock.now()
    const key = { workspace_id: system.workspaceId, member_id: memberId }
    await inTransaction(system, (tx) =>
      tx
        .insertInto('transaction_attachments')
        .values({ ...key, transaction_id: transactionId, media_id: used, created_at })
        .execute(),
    )
    await made.context.files.write(`${system.workspaceId}/orphan`, sample.makePdf())
    await sweepUploads(system)
    assert.equal((await rowsOf()).length, 2)
    // Files have the disk's time and rows the test clock's, so it advances well beyond a day of both.
    made.context.clock.set(new Date(Date.now() + 240 * 3_600_000))
    await fileJobs(made.context)['files.sweep-uploads']?.({ workspaceId: system.workspaceId, id: system.workspaceId })
    assert.deepEqual(
      (await rowsOf()).map((row) => row.media_id),
      [used],
    )
    assert.equal(await made.context.files.read(`${system.workspaceId}/${unused}`), null)
    assert.equal(await made.context.files.read(`${system.workspaceId}/orphan`), null)
    const stored = await made.context.files.read(`${system.workspaceId}/${used}`)
    assert.ok(stored)
    stored.destroy()
    const keptSmall = await made.context.files.read(small.small_key)
    assert.ok(keptSmall)
    keptSmall.destroy()
  })
})
