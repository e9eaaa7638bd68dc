import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { eicar, startClamd } from '../../simulators/clamd/server.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import * as sample from '../../tests/fixtures/sample-files.ts'
import { addMember, addStaff, addWorkspace, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import type { System } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import { openClamd } from './clamd.ts'
import { fileJobs } from './jobs.ts'

type Answer = { status: string; code?: string; error?: string; file: { _id: string; url: string; is_waiting: boolean } }
const word = 'word/document.xml'

describe('virus scanning of uploads', () => {
  let made: MadeContext
  let app: FastifyInstance
  let system: System
  let clamd: Awaited<ReturnType<typeof startClamd>>
  let memberId: string
  let token: string
  let desk: string

  before(async () => {
    clamd = await startClamd()
    made = await makeTestContext()
    made.context.scanner = openClamd(clamd.address, 3_000)
    app = await buildApp(made.context)
    system = await addWorkspace(made.context, { isDefault: true })
    memberId = (await addMember(system)).memberId
    token = (await openTestSession(system, { kind: 'member', id: memberId })).token
    desk = (await openTestSession(system, { kind: 'staff', id: (await addStaff(system)).staffId })).token
  })
  after(async () => {
    await app.close()
    await made.close()
    await clamd.close()
  })

  async function upload(name: string, content: Buffer, { url = '/media/cp-upload-file', bearer = token } = {}) {
    const head = `--x\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
    const answer = await app.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'multipart/form-data; boundary=x' },
      payload: Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--x--\r\n')]),
    })
    return { status: answer.statusCode, answer: answer.json<Answer>() }
  }
  const read = async (url: string, bearer = token) =>
    (await app.inject({ url: `/cp${url}`, headers: { authorization: `Bearer ${bearer}` } })).statusCode
  const openPage = (url: string, bearer = token) =>
    app.inject({ url: `/cp${url}`, headers: { authorization: `Bearer ${bearer}`, accept: 'text/html,*/*;q=0.8' } })
  const scanOf = async (media: string) =>
    (
      await reading(system, (tx) =>
        tx.selectFrom('media').where(here).select('scan').where('media_id', '=', media).executeTakeFirst(),
      )
    )?.scan
  const stored = async () => {
    const keys: string[] = []
    for await (const { key } of made.context.files.list(system.workspaceId)) keys.push(key)
    return keys.length
  }
  const scanJob = (id: string) => fileJobs(made.context)['files.scan']?.({ workspaceId: system.workspaceId, id })
  const infectedOffice = () => sample.makeOffice(word, [{ name: 'word/notes.xml', content: Buffer.from(eicar) }])

  it('refuses an infected file, plain, in a document and in a zip, and stores none of it', async () => {
    const before = await stored()
    for (const [name, content] of [
      ['list.csv', Buffer.from(eicar)],
      ['document.docx', infectedOffice()],
    ] as const) {
      const { status, answer } = await upload(name, content)
      assert.deepEqual([status, answer.error], [422, 'A virus was found in this file. Nobody can open it.'], name)
    }
    const program = await upload('setup.zip', sample.makeZip([{ name: 'setup.txt', content: Buffer.from(eicar) }]), {
      url: '/desk/api/platforms/files',
      bearer: desk,
    })
    assert.equal(program.status, 422)
    assert.equal(await stored(), before)
  })

  it('accepts a clean file and serves it', async () => {
    const { status, answer } = await upload('a.pdf', sample.makePdf())
    assert.equal(status, 200)
    assert.equal(await scanOf(answer.file._id), 'clean')
    assert.equal(answer.file.is_waiting, false)
    assert.equal(await read(answer.file.url), 200)
    assert.equal((await openPage(answer.file.url)).headers['content-type'], 'application/pdf')
  })

  it('stores a file while the scanner is unavailable, serves it to nobody, and scans it later', async () => {
    const uploads: string[] = []
    for (const fault of ['silent', 'garbage', 'error'] as const) {
      clamd.misbehave(fault)
      const { status, answer } = await upload('a.pdf', sample.makePdf())
      assert.equal(status, 200, fault)
      assert.equal(await scanOf(answer.file._id), 'waiting', fault)
      assert.equal(answer.file.is_waiting, true)
      for (const bearer of [token, desk]) {
        assert.equal(await read(answer.file.url, bearer), 409)
        const page = await openPage(answer.file.url, bearer)
        assert.deepEqual([page.statusCode, page.headers['content-type']], [409, 'text/html; charset=utf-8'])
        assert.match(page.body, /<p>This file is still being checked for viruses\..*<a href="">Try again<\/a>/)
        assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-/)
      }
      await assert.rejects(async () => scanJob(answer.file._id), /does not answer/)
      uploads.push(answer.file._id)
      clamd.misbehave(null)
      await scanJob(answer.file._id)
      assert.equal(await scanOf(answer.file._id), 'clean')
      assert.equal(await read(answer.file.url), 200)
      const scans = clamd.scans()
      await scanJob(answer.file._id)
      assert.equal(clamd.scans(), scans)
    }
    assert.equal(uploads.length, 3)
  })

  it('does not serve a file found infected later', async () => {
    clamd.misbehave('error')
    const { answer } = await upload('document.docx', infectedOffice())
    clamd.misbehave(null)
    await scanJob(answer.file._id)
    assert.equal(await scanOf(answer.file._id), 'infected')
    for (const bearer of [token, desk]) assert.equal(await read(answer.file.url, bearer), 409)
    const page = await openPage(answer.file.url)
    assert.match(page.body, /A virus was found in this file/)
    assert.doesNotMatch(page.body, /Try again/)
    const entries = await reading(system, (tx) =>
      tx.selectFrom('audit_log').where(here).select('action').where('action', '=', 'file.found-infected').execute(),
    )
    assert.equal(entries.length, 1)
  })

  it('refuses programs for members while the scanner is unavailable', async () => {
    clamd.misbehave('garbage')
    const program = await upload('setup.zip', sample.makeZip([{ name: 'setup.txt' }]), {
      url: '/desk/api/platforms/files',
      bearer: desk,
    })
    clamd.misbehave(null)
    assert.equal(program.status, 503)
  })
})

it('reports unknown for an unreachable scanner', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-scan-'))
  const path = join(folder, 'a')
  writeFileSync(path, 'a')
  const gone = await startClamd()
  await gone.close()
  assert.equal(await openClamd(gone.address).scan(path), 'unknown')
  assert.equal(await openClamd(gone.address).scan(join(folder, 'absent')), 'unknown')
  rmSync(folder, { recursive: true, force: true })
})
