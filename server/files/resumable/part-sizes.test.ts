import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { uploadPurposeNames, uploadPurposes } from '@atrium/contract/files/calls.ts'
import { firstPartBytes, nextPartBytes, partBytesMax, partBytesMin } from '@atrium/contract/files/part-size.ts'
import type { FastifyInstance } from 'fastify'
import { openAppFixture } from '../../../tests/fixtures/app-fixture.ts'
import type { MadeContext } from '../../../tests/fixtures/context.ts'
import { messagesDuring } from '../../../tests/fixtures/database/messages.ts'
import { here } from '../../../tests/fixtures/on-this-machine.ts'
import * as sample from '../../../tests/fixtures/sample-files.ts'
import { addMember, addWorkspace, openTestSession } from '../../../tests/fixtures/workspaces.ts'
import type { System } from '../../foundation/actor.ts'
import { reading } from '../../foundation/database/database.ts'
import { partsMax } from './uploads.ts'

let made: MadeContext
let close: () => Promise<void>
let system: System
let app: FastifyInstance
let authorization: string

before(async () => {
  ;({ made, app, close } = await openAppFixture())
  system = await addWorkspace(made.context, { isDefault: true })
  const { memberId } = await addMember(system)
  authorization = `Bearer ${(await openTestSession(system, { kind: 'member', id: memberId })).token}`
})
after(() => close())

const protocol = () => ({ authorization, 'tus-resumable': '1.0.0' })
/** A document of 20 MB, the largest that a member may upload. */
const content = sample.makePdf(
  Array.from({ length: 833_000 }, (_, at) => `% line ${at.toString().padStart(15, '0')}\n`).join(''),
)

async function start(): Promise<string> {
  const metadata = `filename ${Buffer.from('document.pdf').toString('base64')}`
  const headers = { ...protocol(), 'upload-length': String(content.length), 'upload-metadata': metadata }
  const { headers: answered } = await app.inject({ method: 'POST', url: '/media/uploads', headers })
  return String(answered.location)
}

async function send(url: string, from: number, to: number): Promise<void> {
  const offset = { 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream' }
  const payload = content.subarray(from, to)
  const answer = await app.inject({ method: 'PATCH', url, headers: { ...protocol(), ...offset }, payload })
  assert.deepEqual([answer.statusCode, answer.headers['upload-offset']], [204, String(to)])
}

async function finish(url: string): Promise<string | undefined> {
  const id = url.split('/').at(-1) ?? ''
  const headers = { authorization }
  const answer = await app.inject({ method: 'POST', url: '/media/finish-upload', headers, payload: { upload: id } })
  assert.equal(answer.statusCode, 200, answer.body)
  const row = await reading(system, (tx) =>
    tx.selectFrom('media').where(here).select('sha256').where('media_id', '=', id).executeTakeFirst(),
  )
  return row?.sha256.toString('hex')
}

test('the parts of one upload have any size', async () => {
  const grown = nextPartBytes({ sizeBytes: firstPartBytes, tookMs: 20 })
  const shrunk = nextPartBytes({ sizeBytes: grown, tookMs: null })
  const sent = [firstPartBytes, grown, shrunk, partBytesMin, 1, partBytesMax]
  const url = await start()
  let from = 0
  for (const sizeBytes of sent) {
    const to = Math.min(from + sizeBytes, content.length)
    await send(url, from, to)
    from = to
  }
  assert.equal(await finish(url), createHash('sha256').update(content).digest('hex'))
})

test('the largest file needs fewer of the smallest parts than an upload may have', () => {
  const largest = Math.max(...uploadPurposeNames.map((name) => uploadPurposes[name].sizeBytesMax))
  assert.ok(partBytesMin * partsMax > 2 * largest, `${largest}`)
  assert.ok(partBytesMin < firstPartBytes && firstPartBytes < partBytesMax)
})

test('counts a part in one round trip', async () => {
  const url = await start()
  await send(url, 0, partBytesMin)
  const sent = await messagesDuring(() => send(url, partBytesMin, 2 * partBytesMin))
  const counting = sent.filter((texts) => texts.some((text) => text.startsWith('update "uploads"')))
  assert.deepEqual(
    counting.map((texts) => [texts[0], texts.at(-1)]),
    [['begin', 'commit']],
  )
})
