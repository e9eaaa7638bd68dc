// spec: MP 3
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Scope } from '@atrium/contract/access/scopes.ts'
import { fileProblems } from '@atrium/contract/files/problems.ts'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { profileTexts } from '@atrium/contract/members/texts.ts'
import type { FastifyInstance } from 'fastify'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import { type Caller, callerOf } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addMedia, addTerms } from '../../tests/fixtures/requests.ts'
import { makeExif, makeJpeg, makePdf, makePng } from '../../tests/fixtures/sample-files.ts'
import {
  addMember,
  addStaff,
  addWorkspace,
  memberActor,
  openTestSession,
  staffActor,
} from '../../tests/fixtures/workspaces.ts'
import { sweepUploads } from '../files/sweep.ts'
import type { System } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { setMemberPicture } from './picture.ts'

let made: MadeContext
let close: () => Promise<void>
let system: System
let app: FastifyInstance
let caller: Caller
let memberId: string
let session: { token: string; fileToken: string }

before(async () => {
  ;({ made, app, caller, close } = await openAppFixture())
  system = await addWorkspace(made.context, { isDefault: true })
})
after(() => close())
beforeEach(async () => {
  memberId = (await addMember(system)).memberId
  session = await openTestSession(system, { kind: 'member', id: memberId })
})

const square = makePng({ width: 64, height: 64 })

async function upload(name: string, content: Buffer) {
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(content)]), name)
  const request = new Request('http://localhost', { method: 'POST', body })
  return caller.send({
    method: 'POST',
    url: '/media/cp-upload-image?purpose=picture',
    payload: Buffer.from(await request.arrayBuffer()),
    headers: {
      authorization: `Bearer ${session.token}`,
      'content-type': request.headers.get('content-type') ?? '',
    },
  })
}

const uploaded = async (name = 'me.png', content = square) =>
  ((await upload(name, content)).body.image as { _id: string })._id
const wear = (media: unknown, token = session.token) => caller.post('/members/profile/picture', { media }, token)
const takeOff = () => caller.post('/members/profile/picture/remove', {}, session.token)

async function shown(token = session.token): Promise<{ _id: string; url: string } | null> {
  const { body } = await caller.post('/graph', { query: '{ current_member { profile_pic { _id url } } }' }, token)
  return (body.data as { current_member: { profile_pic: { _id: string; url: string } | null } }).current_member
    .profile_pic
}

const actions = () =>
  reading(system, (tx) =>
    tx
      .selectFrom('audit_log')
      .where(here)
      .select(['action', 'before', 'after'])
      .where('subject_id', '=', memberId)
      .orderBy('audit_id')
      .execute(),
  )

describe('a picture of one’s own', () => {
  test('is set, changed and removed with an audit entry each, and readable by its owner and staff only', async () => {
    const first = await uploaded()
    const answer = await wear(first)
    assert.deepEqual([answer.status, answer.body.msg], [200, [profileTexts.pictureSaved]])
    const picture = await shown()
    assert.equal(picture?._id, first)

    const other = await openTestSession(system, { kind: 'member', id: (await addMember(system)).memberId })
    const staff = await openTestSession(system, { kind: 'staff', id: (await addStaff(system)).staffId })
    const read = (cookie: string) => caller.send({ method: 'GET', url: `/cp${picture?.url}`, headers: { cookie } })
    assert.equal((await read(`atrium_files=${session.fileToken}`)).status, 200)
    assert.equal((await read(`atrium_desk_files=${staff.fileToken}`)).status, 200)
    assert.equal((await read(`atrium_files=${other.fileToken}`)).status, 404)
    assert.equal((await read('')).status, 401)

    const second = await uploaded('other.jpg', makeJpeg({ width: 512, height: 512 }))
    await wear(second)
    assert.equal((await shown())?._id, second)
    assert.equal((await takeOff()).status, 200)
    assert.equal(await shown(), null)
    assert.deepEqual(await actions(), [
      { action: 'picture.changed', before: { picture: null }, after: { picture: first } },
      { action: 'picture.changed', before: { picture: first }, after: { picture: second } },
      { action: 'picture.removed', before: { picture: second }, after: { picture: null } },
    ])
  })

  test('stays shown while terms block the profile, and not while they block the whole portal', async () => {
    const own = await addWorkspace(made.context, { subdomain: 'terms' })
    const wearer = (await addMember(own)).memberId
    const { fileToken } = await openTestSession(own, { kind: 'member', id: wearer })
    const media = await addMedia(own, {
      memberId: wearer,
      purpose: 'picture',
      kind: 'image',
      extension: 'png',
      content: square,
    })
    await setMemberPicture(await memberActor(own, wearer), media)
    const staff = staffActor(own, await addStaff(own))
    const statusWithTermsOf = async (section: Scope) => {
      await addTerms(staff, { blocked_portal_sections: [section] })
      const [url, headers] = [`/cp/private/files/${media}/a.png`, { cookie: `atrium_files=${fileToken}` }]
      return (await callerOf(app, 'terms.localhost').send({ method: 'GET', url, headers })).status
    }
    assert.equal(await statusWithTermsOf('profile'), 200)
    assert.equal(await statusWithTermsOf('all'), 403)
  })

  test('treats a repeated save as one change and a repeated removal as none', async () => {
    const media = await uploaded()
    await Promise.all([wear(media), wear(media), wear(media)])
    await takeOff()
    await takeOff()
    assert.equal((await actions()).length, 2)
  })

  test('rejects another member’s file, a receipt and an unknown id', async () => {
    const foreign = await addMedia(system, {
      memberId: (await addMember(system)).memberId,
      purpose: 'picture',
      kind: 'image',
    })
    const receipt = await addMedia(system, { memberId, kind: 'image' })
    const answers = []
    for (const media of [foreign, receipt, newId()]) {
      const { status, body } = await wear(media)
      answers.push([status, body.errors])
    }
    assert.deepEqual(
      answers,
      Array.from({ length: 3 }, () => [422, { media: [profileTexts.pictureUnknown] }]),
    )
    assert.equal((await wear('me.png')).status, 422)
    assert.equal(await shown(), null)
  })

  test('keeps the picture in use and sweeps it a day after its removal', async () => {
    const media = await uploaded()
    await wear(media)
    made.context.clock.advance(25 * 3_600_000)
    await sweepUploads(system)
    session = await openTestSession(system, { kind: 'member', id: memberId })
    assert.equal((await shown())?._id, media)
    await takeOff()
    assert.equal((await sweepUploads(system)).uploads, 1)
  })
})

describe('the check of a picture', () => {
  const notSquare = profileTexts.pictureNotSquare.replace('{{count}}', String(limits.pictureSidePixelsMax))
  const types = fileTexts.fileTypes.replace('{{types}}', 'png, jpg, jpeg')
  for (const [name, file, content, sentence] of [
    ['a picture that is not square', 'me.png', makePng({ width: 64, height: 65 }), notSquare],
    ['a picture that is too large', 'me.png', makePng({ width: 2_049, height: 2_049 }), notSquare],
    ['a document', 'me.pdf', makePdf(), `${types} This is a PDF.`],
    ['a document named as a picture', 'me.png', makePdf(), `${types} This is a PDF.`],
    [
      'an SVG with a script',
      'me.svg',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      `${types} This is an SVG drawing. Save it as JPEG or PNG and upload that file.`,
    ],
    [
      'a picture with a web page appended',
      'me.png',
      Buffer.concat([square, Buffer.from('<script>')]),
      fileProblems['picture-mixed'],
    ],
  ] as const) {
    test(`rejects ${name}`, async () => {
      const answer = await upload(file, content)
      assert.deepEqual([answer.status, answer.body.errors], [422, { file: [sentence] }])
    })
  }

  test('rejects a file one byte over the limit', async () => {
    const { status } = await upload('me.png', Buffer.alloc(limits.pictureSizeKbMax * 1_000 + 1))
    assert.equal(status, 413)
  })

  test('strips the camera metadata', async () => {
    const content = makeJpeg({ width: 32, height: 32, segments: [[0xe1, makeExif(6)]] })
    const media = await uploaded('me.jpg', content)
    await wear(media)
    const picture = await shown()
    const headers = { cookie: `atrium_files=${session.fileToken}` }
    const { raw } = await caller.send({ method: 'GET', url: `/cp${picture?.url}`, headers })
    assert.ok(raw.length > 0 && !raw.includes('GPS'))
  })
})
