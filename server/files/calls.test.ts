// spec: MP 5, MP 7, MP 9, AO 7, AO 9
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { addDocument, addFileCategory } from '../../tests/fixtures/documents.ts'
import {
  type Answer,
  openUploadFixture,
  type Uploaded,
  uploadCallsOf,
} from '../../tests/fixtures/files/upload-fixture.ts'
import * as sample from '../../tests/fixtures/sample-files.ts'
import {
  addMember,
  addStaff,
  addWorkspace,
  openTestSession,
  setFeatures,
  setPermissions,
} from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { newId } from '../foundation/ids.ts'

describe('files over HTTP', () => {
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
  const { bearer, upload, rowsOf, filesOnDisk } = uploadCallsOf(() => ({ fixture, memberId, session }))

  it('stores a receipt and returns it to its owner, by bearer token and by cookie', async () => {
    const { status, answer } = await upload('My receipt №1.pdf', sample.makePdf())
    assert.equal(status, 200)
    assert.equal(answer.file.name, 'My receipt №1.pdf')
    assert.equal(answer.file.url, `/private/files/${answer.file._id}/My%20receipt%20%E2%84%961.pdf`)
    for (const headers of [bearer(), { cookie: `atrium_files=${session.fileToken}` }]) {
      const response = await fetch(`${origin}/cp${answer.file.url}`, { headers: headers as Record<string, string> })
      assert.equal(response.status, 200)
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), sample.makePdf())
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
      assert.equal(
        response.headers.get('content-security-policy'),
        "sandbox; default-src 'none'; frame-ancestors 'none'",
      )
      assert.equal(response.headers.get('cache-control'), 'no-store')
      assert.equal(response.headers.get('cross-origin-resource-policy'), 'same-origin')
      assert.equal(response.headers.get('x-robots-tag'), 'noindex')
      assert.match(
        response.headers.get('content-disposition') ?? '',
        /^attachment; filename="My receipt _1.pdf"; filename\*=/,
      )
    }
    const head = await fetch(`${origin}/cp${answer.file.url}`, { method: 'HEAD', headers: bearer() })
    assert.equal(head.status, 200)
    assert.equal(head.headers.get('content-length'), String(sample.makePdf().length))
  })

  it('serves no file of the member who signed in last to the tab of another member', async () => {
    const { answer } = await upload('a.pdf', sample.makePdf())
    const address = `${origin}/cp${answer.file.url}`
    const { memberId: otherId } = await addMember(system)
    const other = await openTestSession(system, { kind: 'member', id: otherId })
    const last = { cookie: `atrium_files=${session.fileToken}` }
    // The tab of the other member sends its own token, and the cookie of the browser.
    const read = (headers: Record<string, string>) => fetch(address, { headers: { ...last, ...headers } })
    assert.equal((await read({ authorization: `Bearer ${other.token}` })).status, 404)
    assert.equal((await read(bearer())).status, 200)
    assert.equal((await read({})).status, 200)
  })

  it('serves the files of each member who is signed in to the browser', async () => {
    const { answer } = await upload('a.pdf', sample.makePdf())
    const { memberId: otherId } = await addMember(system)
    const other = await openTestSession(system, { kind: 'member', id: otherId })
    const read = async (cookie: string) =>
      (await fetch(`${origin}/cp${answer.file.url}`, { headers: { cookie } })).status
    const own = `atrium_files_${'0'.repeat(16)}=${session.fileToken}`
    assert.equal(await read(`${own}; atrium_files=${other.fileToken}`), 200)
    assert.equal(await read(`atrium_files_${'0'.repeat(16)}=x; atrium_files=${other.fileToken}`), 404)
    // Only a few of the newest are looked up, however many are sent.
    const many = Array.from({ length: 9 }, (_, index) => `atrium_files_${`${index}`.repeat(16)}=x`).join('; ')
    assert.equal(await read(`${own}; ${many.replace(/^[^;]*; /, '')}`), 401)
    assert.equal(await read(`${many.replace(/^[^;]*; /, '')}; ${own}`), 200)
  })

  it('tells a person in a sentence why a link to a file does not open', async () => {
    const { answer } = await upload('a.pdf', sample.makePdf())
    const { memberId: otherId } = await addMember(system)
    const other = await openTestSession(system, { kind: 'member', id: otherId })
    const open = async (url: string, cookie: string) => {
      const response = await fetch(`${origin}/cp${url}`, { headers: { cookie, accept: 'text/html' } })
      return { status: response.status, page: await response.text() }
    }
    const foreign = await open(answer.file.url, `atrium_files=${other.fileToken}`)
    assert.equal(foreign.status, 404)
    assert.match(foreign.page, /no such file for anybody who is signed in to this browser/)
    assert.deepEqual(await open(`/private/files/${newId()}/a.pdf`, `atrium_files=${other.fileToken}`), foreign)
    const nobody = await open(answer.file.url, 'atrium_files=x')
    assert.equal(nobody.status, 401)
    assert.match(nobody.page, /Please sign in/)
  })

  it('serves a file to its owner and the desk only, and answers alike for unknown files and those of others', async () => {
    const { answer } = await upload('a.pdf', sample.makePdf())
    const address = `${origin}/cp${answer.file.url}`
    const others = await addMember(system)
    const other = await openTestSession(system, { kind: 'member', id: others.memberId })
    const staff = await addStaff(system)
    const desk = await openTestSession(system, { kind: 'staff', id: staff.staffId })
    const read = async (url: string, headers: Record<string, string>) => {
      const response = await fetch(url, { headers })
      const body = (await response.text()).replace(/"request_id":"[^"]*"/, '')
      return { status: response.status, body, type: response.headers.get('content-type') }
    }
    const cookies = (...pairs: string[]) => ({ cookie: pairs.join('; ') })
    assert.equal((await read(address, cookies(`atrium_desk_files=${desk.fileToken}`))).status, 200)
    assert.equal((await read(address, { authorization: `Bearer ${desk.token}` })).status, 200)
    const both = cookies(`atrium_files=${other.fileToken}`, `atrium_desk_files=${desk.fileToken}`)
    assert.equal((await read(address, both)).status, 200)
    const foreign = await read(address, cookies(`atrium_files=${other.fileToken}`))
    const unknown = await read(
      `${origin}/cp/private/files/${newId()}/a.pdf`,
      cookies(`atrium_files=${other.fileToken}`),
    )
    const nonsense = await read(
      `${origin}/cp/private/files/..%2f..%2fetc/passwd`,
      cookies(`atrium_files=${other.fileToken}`),
    )
    assert.equal(foreign.status, 404)
    assert.deepEqual(unknown, foreign)
    assert.deepEqual(nonsense, foreign)
    assert.equal((await read(address, {})).status, 401)
    // Each token is valid for one purpose only.
    assert.equal((await read(address, cookies(`atrium_files=${session.token}`))).status, 401)
    assert.equal((await read(address, { authorization: `Bearer ${session.fileToken}` })).status, 401)
    const own = cookies(`atrium_files=${session.fileToken}`)
    assert.equal((await read(address, own)).status, 200)
    await app.inject({ method: 'POST', url: '/users/logout', headers: bearer(), payload: {} })
    assert.equal((await read(address, own)).status, 401)
    const elsewhere = await addWorkspace(made.context, { subdomain: 'elsewhere' })
    const foreignMember = await openTestSession(elsewhere, {
      kind: 'staff',
      id: (await addStaff(elsewhere)).staffId,
    })
    const across = await app.inject({
      url: `/cp${answer.file.url}`,
      headers: { host: 'elsewhere.localhost', authorization: `Bearer ${foreignMember.token}` },
    })
    assert.equal(across.statusCode, 404)
  })

  it('answers range and conditional requests, and refuses an unsatisfiable range', async () => {
    const { answer } = await upload('a.pdf', sample.makePdf())
    const whole = sample.makePdf()
    const read = (headers: Record<string, string>, method = 'GET') =>
      fetch(`${origin}/cp${answer.file.url}`, { method, headers: { ...bearer(), ...headers } })
    const etag = (await read({})).headers.get('etag') ?? ''
    assert.match(etag, /^"[0-9a-f]{64}"$/)
    const part = await read({ range: 'bytes=2-5' })
    assert.equal(part.status, 206)
    assert.equal(part.headers.get('content-range'), `bytes 2-5/${whole.length}`)
    assert.equal(part.headers.get('content-disposition')?.startsWith('attachment'), true)
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), whole.subarray(2, 6))
    const tail = await read({ range: 'bytes=-3', 'if-range': etag })
    assert.deepEqual(Buffer.from(await tail.arrayBuffer()), whole.subarray(-3))
    const other = await read({ range: 'bytes=-3', 'if-range': '"another"' })
    assert.deepEqual([other.status, (await other.arrayBuffer()).byteLength], [200, whole.length])
    const outside = await read({ range: `bytes=${whole.length}-` })
    assert.deepEqual(
      [outside.status, outside.headers.get('content-range'), outside.headers.get('content-disposition')],
      [416, `bytes */${whole.length}`, null],
    )
    assert.equal(((await outside.json()) as Answer).code, 'malformed')
    for (const known of [etag, `"x", W/${etag}`, '*']) {
      const same = await read({ 'if-none-match': known })
      assert.deepEqual([same.status, await same.text(), same.headers.get('etag')], [304, '', etag])
    }
    assert.equal((await read({ 'if-none-match': '"x"' })).status, 200)
    const head = await read({}, 'HEAD')
    assert.deepEqual([head.headers.get('etag'), head.headers.get('accept-ranges')], [etag, 'bytes'])
  })

  it('re-encodes pictures, and serves a thumbnail with the same access check', async () => {
    const segments: [number, Buffer][] = [[0xe1, sample.makeExif(6)]]
    const { answer } = await upload('passport.jpg', sample.makeJpeg({ width: 800, height: 400, segments }))
    const file = answer.file as Uploaded['file'] & { small_url: string }
    assert.equal(file.small_url, `${file.url}?small=1`)
    const [row] = await rowsOf()
    assert.deepEqual([row?.width, row?.height, String(file.size_bytes)], [400, 800, row?.size_bytes])
    const whole = await fetch(`${origin}/cp${file.url}`, { headers: bearer() })
    const content = Buffer.from(await whole.arrayBuffer())
    assert.equal(content.length, file.size_bytes)
    assert.doesNotMatch(content.toString('latin1'), /Exif|GPS/)
    const small = await fetch(`${origin}/cp${file.small_url}`, { headers: bearer() })
    assert.deepEqual(
      [small.status, small.headers.get('content-type'), small.headers.get('content-disposition')?.slice(0, 10)],
      [200, 'image/jpeg', 'attachment'],
    )
    assert.ok((await small.arrayBuffer()).byteLength < content.length)
    const other = await openTestSession(system, { kind: 'member', id: (await addMember(system)).memberId })
    for (const url of [file.url, file.small_url]) {
      const headers = { authorization: `Bearer ${other.token}` }
      assert.equal((await fetch(`${origin}/cp${url}`, { headers })).status, 404)
    }
    const pdf = await upload('a.pdf', sample.makePdf())
    assert.equal((await fetch(`${origin}/cp${pdf.answer.file.url}?small=1`, { headers: bearer() })).status, 404)
  })

  it('answers 500 for a file missing from the store, without attachment headers', async () => {
    const { answer } = await upload('receipt.png', sample.makePng())
    const [row] = await rowsOf()
    await made.context.files.remove(row?.storage_key ?? '')
    const left = filesOnDisk().length
    const response = await fetch(`${origin}/cp${answer.file.url}`, { headers: bearer() })
    assert.deepEqual([response.status, response.headers.get('content-disposition')], [500, null])
    assert.equal(((await response.json()) as Answer).code, 'fault')
    assert.equal(filesOnDisk().length, left)
  })

  it('answers as not found for a file of a part of the portal that is closed to its member', async () => {
    await addDocument(system, { memberId, category: await addFileCategory(system, { name: 'Identity' }) })
    const [row] = await rowsOf()
    const { answer } = await upload('unused.pdf', sample.makePdf())
    const statusOf = async (id: string | undefined) =>
      (await fetch(`${origin}/cp/private/files/${id}/a.pdf`, { headers: bearer() })).status
    const statuses = async () => [await statusOf(row?.media_id), await statusOf(answer.file._id)]
    assert.deepEqual(await statuses(), [200, 200])
    await setPermissions(system, memberId, ['documents-'])
    assert.deepEqual(await statuses(), [404, 200])
    await setPermissions(system, memberId, [])
    await setFeatures(system, { documents: false })
    assert.deepEqual(await statuses(), [404, 200])
    await setFeatures(system, { documents: true })
    assert.deepEqual(await statuses(), [200, 200])
  })

  it('refuses a form with a part that has no name', async () => {
    const [boundary, left] = ['part-of-the-form', filesOnDisk().length]
    const send = async (path: string, ...head: string[]) => {
      const content = ['', 'x', `--${boundary}--`, '']
      const response = await fetch(`${origin}${path}`, {
        method: 'POST',
        headers: { ...bearer(), 'content-type': `multipart/form-data; boundary=${boundary}` },
        body: [`--${boundary}`, ...head, ...content].join('\r\n'),
      })
      return [response.status, ((await response.json()) as Answer).code]
    }
    const nameless = 'content-disposition: form-data'
    // The library takes binary content without the name of a file for a file.
    const binary = [`${nameless}; name="file"`, 'content-type: application/octet-stream']
    for (const path of ['/media/cp-upload-file', '/form/submit', '/requests/send-customer-request'])
      for (const head of [[nameless], binary]) assert.deepEqual(await send(path, ...head), [400, 'malformed'], path)
    assert.deepEqual(await send('/members/get-unique-token', nameless), [400, 'malformed'])
    assert.equal(filesOnDisk().length, left)
  })

  it('refuses resumable uploads by an extension that it does not offer', async () => {
    const metadata = `filename ${Buffer.from('a.pdf').toString('base64')}`
    for (const asked of [
      { 'upload-concat': 'partial', 'upload-length': '10' },
      { 'upload-concat': 'final;/media/uploads/a /media/uploads/b' },
      { 'upload-defer-length': '1' },
    ]) {
      const headers = { ...bearer(), 'tus-resumable': '1.0.0', 'upload-metadata': metadata, ...asked }
      const response = await fetch(`${origin}/media/uploads`, {
        method: 'POST',
        headers: headers as Record<string, string>,
      })
      assert.deepEqual([response.status, ((await response.json()) as Answer).code], [400, 'malformed'])
    }
  })

  it('rejects keys that lead outside the store', async () => {
    for (const key of ['../a', '/etc/passwd', 'a/../../b', '', 'A', 'a//b']) {
      await assert.rejects(() => made.context.files.read(key), /not a key/)
    }
  })
})
