// spec: AO 2.6, AO 3, DK platforms
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../../tests/doubles/child-server.ts'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import type { Answered, Caller } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { addAccount, addDownload, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, addStaff, addWorkspace, openTestSession, setPermissions } from '../../tests/fixtures/workspaces.ts'
import { sweepUploads } from '../files/sweep.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'

let made: MadeContext
let close: () => Promise<void>
let system: System
let caller: Caller
let platformId: string
let staffToken: string
let memberId: string
let token: string

type Body = Record<string, unknown>
type Download = { _id: string; system: string; name: string; link: string | null; file: Body | null; archived: boolean }
type Platform = { _id: string; version: number; downloads: Download[] }

before(async () => {
  ;({ made, caller, close } = await openAppFixture())
  system = await addWorkspace(made.context, { isDefault: true })
  platformId = await addPlatform(system)
  const staff = await addStaff(system)
  staffToken = (await openTestSession(system, { kind: 'staff', id: staff.staffId })).token
  memberId = (await addMember(system)).memberId
  token = (await openTestSession(system, { kind: 'member', id: memberId })).token
  await addAccount(system, { memberId, platformId, platform_login: '600001' })
  await addAccount(system, { memberId, platformId, platform_login: '600002' })
})
after(() => close())

const query = `{ current_member { accounts { platform_login trading_platform { _id
  downloads { _id platform name link file { _id url } } } } } }`
type Seen = {
  _id: string
  platform: string
  name: string
  link: string | null
  file: { _id: string; url: string } | null
}

async function seenBy(bearer: string): Promise<Seen[][]> {
  const answer = await caller.get(`/graph?q=${Buffer.from(query).toString('base64url')}`, bearer)
  assert.equal(answer.status, 200, answer.raw)
  const data = answer.body.data as { current_member: { accounts: { trading_platform: { downloads: Seen[] } }[] } }
  return data.current_member.accounts.map(({ trading_platform }) => trading_platform.downloads)
}

async function readPlatform(): Promise<Platform> {
  return (await caller.get(`/desk/api/platforms/${platformId}`, staffToken)).body.platform as Platform
}
const save = (downloads: Body[], version: number, id = platformId): Promise<Answered> =>
  caller.post(`/desk/api/platforms/${id}/downloads`, { version, downloads }, staffToken)
const entryOf = ({ _id, system, name, link, file, archived }: Download): Body => ({
  ...{ _id, system, name, link, archived },
  file_id: file?._id ?? null,
})
const link = (given: Body = {}): Body => ({
  ...{ _id: null, system: 'windows', name: 'MetaTrader 5', link: 'https://downloads.example.com/mt5.exe' },
  ...{ file_id: null, archived: false },
  ...given,
})

const headOf = (name: string) => `--x\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
const end = '\r\n--x--\r\n'
const sendForm = (payload: Buffer | Readable, bearer: string | undefined): Promise<Answered> =>
  caller.send({
    method: 'POST',
    url: '/desk/api/platforms/files',
    headers: { 'content-type': 'multipart/form-data; boundary=x', authorization: `Bearer ${bearer}` },
    payload,
  })
const upload = (name: string, content: Buffer, bearer: string | undefined = staffToken): Promise<Answered> =>
  sendForm(Buffer.concat([Buffer.from(headOf(name)), content, Buffer.from(end)]), bearer)
const program = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(2_000, 7)])

describe('downloads', () => {
  test('are empty for every account until the brokerage adds some', async () => {
    assert.deepEqual(await seenBy(token), [[], []])
  })

  test('are added, reordered, renamed and archived at the desk, and members see the rest in that order', async () => {
    const first = await save([link(), link({ system: 'android', name: 'Phones' })], (await readPlatform()).version)
    assert.equal(first.status, 200, first.raw)
    const [windows, android] = (await readPlatform()).downloads as [Download, Download]
    const web = link({ system: 'web', name: 'Browser', link: 'http://web.example.com/' })
    const changed = [{ ...entryOf(android), name: 'Android' }, web, { ...entryOf(windows), archived: true }]
    assert.equal((await save(changed, (await readPlatform()).version)).status, 200)
    const [ofFirst, ofSecond] = await seenBy(token)
    assert.deepEqual(
      ofFirst?.map(({ platform, name }) => [platform, name]),
      [
        ['android', 'Android'],
        ['web', 'Browser'],
      ],
    )
    assert.deepEqual(ofSecond, ofFirst)
    const logged = await reading(system, (tx) =>
      tx
        .selectFrom('audit_log')
        .select(['after', 'actor_kind'])
        .where('workspace_id', '=', system.workspaceId)
        .where('action', '=', 'platform.downloads-changed')
        .orderBy('audit_id', 'desc')
        .executeTakeFirst(),
    )
    assert.match(JSON.stringify(logged?.after), /MetaTrader 5.*archived/)
  })

  test('are saved once when sent twice, refuse an outdated list, and cannot lose a saved entry', async () => {
    const { version, downloads } = await readPlatform()
    const list = [...downloads.map(entryOf), link({ system: 'ios', name: 'iPhone' })]
    assert.equal((await save(list, version)).status, 200)
    assert.equal((await save(list, version)).status, 200)
    const saved = await readPlatform()
    assert.deepEqual([saved.version, saved.downloads.length], [version + 1, downloads.length + 1])
    assert.equal((await save([link({ name: 'Late' })], version)).status, 409)
    assert.equal((await save(saved.downloads.slice(1).map(entryOf), saved.version)).status, 422)
  })

  for (const [what, wrong] of [
    ['a script', { link: 'javascript:alert(1)' }],
    ['data', { link: 'data:text/html,<script>alert(1)</script>' }],
    ['a file URL', { link: 'file:///etc/passwd' }],
    ['an address with a password', { link: 'https://user:secret@example.com/' }],
    ['a text that is not a URL', { link: 'setup.exe' }],
    ['neither link nor file', { link: null }],
    ['an unknown operating system', { system: 'amiga' }],
    ['no name', { name: '  ' }],
    ['an unknown file', { link: null, file_id: '018f0000-0000-7000-8000-000000000000' }],
  ] as const)
    test(`refuse ${what}`, async () => {
      const { version, downloads } = await readPlatform()
      assert.equal((await save([...downloads.map(entryOf), link(wrong)], version)).status, 422)
      assert.equal((await readPlatform()).version, version)
    })

  test('cannot be changed without a fresh proof of identity', async () => {
    const { downloads, version } = await readPlatform()
    const start = made.context.clock.now()
    made.context.clock.advance(16 * 60_000)
    const refused = await save([...downloads.map(entryOf), link({ link: 'https://elsewhere.example/setup' })], version)
    made.context.clock.set(start)
    assert.deepEqual([refused.status, refused.body.code], [403, 'proof_required'])
    assert.equal((await readPlatform()).version, version)
  })

  test('cannot be changed through another platform', async () => {
    const other = await addPlatform(system)
    const { id } = await addDownload(system, { platformId: other })
    const { version, downloads } = await readPlatform()
    const answer = await save([...downloads.map(entryOf), link({ _id: id, name: 'Taken over' })], version)
    assert.equal(answer.status, 422)
  })

  test('are refused without the permission, also as a field of accounts', async () => {
    await setPermissions(system, memberId, ['downloads-'])
    const answer = await caller.get(`/graph?q=${Buffer.from(query).toString('base64url')}`, token)
    assert.match(answer.raw, /not_permitted/)
    await setPermissions(system, memberId, [])
  })
})

describe('a file of a download', () => {
  let file: { _id: string; url: string }
  const fetchWith = (url: string, bearer: string | undefined) =>
    caller.send({ method: 'GET', url: `/cp${url}`, headers: bearer ? { authorization: `Bearer ${bearer}` } : {} })

  test('is accepted only if its content matches its type', async () => {
    const good = await upload('setup.exe', program)
    assert.equal(good.status, 200, good.raw)
    file = good.body.file as typeof file
    for (const [name, content] of [
      ['setup.exe', Buffer.from('<html>')],
      ['setup.zip', program],
      ['setup.html', Buffer.from('<html>')],
      ['setup.dmg', Buffer.alloc(2_000)],
      ['setup', program],
      ['setup.exe', Buffer.alloc(0)],
    ] as const)
      assert.equal((await upload(name, content)).status, 422, name)
    const image = Buffer.concat([Buffer.alloc(1_000), Buffer.from('koly'), Buffer.alloc(508)])
    assert.equal((await upload('setup.dmg', image)).status, 200)
  })

  test('is received while that of a slow connection still arrives', async () => {
    const body = new Readable({ read: () => undefined })
    for (const part of [headOf('slow.exe'), program.subarray(0, 20)]) body.push(part)
    const slow = sendForm(body, staffToken)
    await eventually('it arrives', async () => readdirSync(join(made.folder, 'incoming')).length === 1)
    let isAnswered = false
    const quick = upload('quick.exe', program).finally(() => {
      isAnswered = true
    })
    try {
      await eventually('the quick one is answered', async () => isAnswered, 100)
    } finally {
      for (const part of [program.subarray(20), end, null]) body.push(part)
      assert.deepEqual([(await slow).status, (await quick).status], [200, 200])
    }
  })

  test('is not kept once its sender has another role or is locked, which a slow connection gives time for', async () => {
    for (const change of [{ role: 'viewer' }, { status: 'locked' }]) {
      const sender = await addStaff(system)
      const { token } = await openTestSession(system, { kind: 'staff', id: sender.staffId })
      const body = new Readable({ read: () => undefined })
      for (const part of [headOf('slow.exe'), program.subarray(0, 20)]) body.push(part)
      const slow = sendForm(body, token)
      await eventually('it arrives', async () => readdirSync(join(made.folder, 'incoming')).length === 1)
      const before = readdirSync(join(made.folder, 'files', system.workspaceId)).length
      await inTransaction(system, (tx) =>
        tx
          .updateTable('staff_users')
          .set(change)
          .where('workspace_id', '=', system.workspaceId)
          .where('staff_id', '=', sender.staffId)
          .execute(),
      )
      for (const part of [program.subarray(20), end, null]) body.push(part)
      const { status } = await slow
      assert.ok([401, 403].includes(status), `${JSON.stringify(change)}: ${status}`)
      assert.equal(readdirSync(join(made.folder, 'files', system.workspaceId)).length, before)
    }
  })

  test('can be uploaded by administrators only', async () => {
    const viewer = await addStaff(system, { role: 'viewer' })
    const other = await openTestSession(system, { kind: 'staff', id: viewer.staffId })
    assert.equal((await upload('setup.exe', program, other.token)).status, 403)
    assert.equal((await upload('setup.exe', program, token)).status, 401)
  })

  test('is served once a download refers to it, as an attachment that no browser opens', async () => {
    assert.equal((await fetchWith(file.url, token)).status, 404)
    const { version, downloads } = await readPlatform()
    await save([...downloads.map(entryOf), link({ link: null, file_id: file._id, name: 'Installer' })], version)
    const answer = await fetchWith(file.url, token)
    assert.equal(answer.status, 200)
    assert.match(String(answer.headers['content-disposition']), /^attachment; filename="setup.exe"/)
    assert.equal(answer.headers['content-type'], 'application/octet-stream')
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    const seen = (await seenBy(token))[0]?.at(-1)
    assert.equal(seen?.file?.url, file.url)
  })

  test('needs a session of this brokerage and the downloads permission', async () => {
    assert.equal((await fetchWith(file.url, undefined)).status, 401)
    const elsewhere = await addWorkspace(made.context)
    const foreign = await addDownload(elsewhere, {
      ...{ platformId: await addPlatform(elsewhere), content: Buffer.from('%PDF-1.4\n') },
    })
    assert.equal((await fetchWith(`/private/files/${foreign.fileId}/guide.pdf`, token)).status, 404)
    await setPermissions(system, memberId, ['downloads-'])
    assert.equal((await fetchWith(file.url, token)).status, 404)
    await setPermissions(system, memberId, [])
  })

  test('cannot be used by another brokerage', async () => {
    const elsewhere = await addWorkspace(made.context)
    const foreign = await addDownload(elsewhere, {
      ...{ platformId: await addPlatform(elsewhere), content: Buffer.from('%PDF-1.4\n') },
    })
    const { version, downloads } = await readPlatform()
    const list = [...downloads.map(entryOf), link({ link: null, file_id: foreign.fileId })]
    assert.equal((await save(list, version)).status, 422)
  })

  test('is no longer served once its download is archived, and stays stored while one refers to it', async () => {
    const { version, downloads } = await readPlatform()
    const unnamed = (await upload('forgotten.exe', program)).body.file as { url: string }
    made.context.clock.advance(3 * 86_400_000)
    await sweepUploads(system)
    const staff = await addStaff(system)
    staffToken = (await openTestSession(system, { kind: 'staff', id: staff.staffId })).token
    token = (await openTestSession(system, { kind: 'member', id: memberId })).token
    assert.equal((await fetchWith(file.url, token)).status, 200)
    assert.equal((await fetchWith(unnamed.url, staffToken)).status, 404)
    await save(
      downloads.map((entry) => ({ ...entryOf(entry), archived: entry.archived || entry.file !== null })),
      version,
    )
    assert.equal((await fetchWith(file.url, token)).status, 404)
    assert.equal((await fetchWith(file.url, staffToken)).status, 200)
  })
})
