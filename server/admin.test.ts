// spec: DK members, OP factors, OP operation
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { callerOf } from '../tests/fixtures/caller.ts'
import { commandLine } from '../tests/fixtures/command-line.ts'
import { type MadeContext, makeTestContext } from '../tests/fixtures/context.ts'
import { addProvider } from '../tests/fixtures/payments/payment-providers.ts'
import { enrolTotp, enterPassword } from '../tests/fixtures/second-factors.ts'
import { addPlatform } from '../tests/fixtures/trading/platforms.ts'
import { addMember, addStaffUser, addWorkspace } from './admin/administration.ts'
import { buildApp } from './app.ts'
import type { System } from './foundation/actor.ts'
import { inTransaction, reading } from './foundation/database/database.ts'
import { findWorkspace } from './workspaces/workspace.ts'

let made: MadeContext
const folder = mkdtempSync(join(tmpdir(), 'atrium-admin-'))
before(async () => {
  made = await makeTestContext()
})
after(async () => {
  await made.close()
  rmSync(folder, { recursive: true, force: true })
})

const { admin, adminWith } = commandLine(() => ({ databaseUrl: made.ownerUrl, folder }))

test('prints the release version without a database', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const nowhere = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere' }
  assert.deepEqual(await adminWith(nowhere, '--version'), { code: 0, out: `${version}\n`, err: '' })
  assert.deepEqual(await adminWith(nowhere, '--version', '--json'), {
    code: 0,
    out: `{"version":"${version}"}\n`,
    err: '',
  })
})

test('creates a brokerage, staff and a member from the command line, and they can sign in', async () => {
  assert.equal((await admin('workspace', 'add', 'north', 'North Harbour')).code, 0)
  const listed = await admin('workspace', 'list', '--json')
  assert.deepEqual(
    JSON.parse(listed.out).map((row: { subdomain: string }) => row.subdomain),
    ['north'],
  )
  const staff = JSON.parse(
    (await admin('staff', 'add', 'north', 'sela@north.test', 'Sela', '--role', 'finance', '--json')).out,
  )
  const member = JSON.parse(
    (await admin('member', 'add', 'north', 'mara@north.test', 'Mara', 'Member', '--password', 'print', '--json')).out,
  )
  const app = await buildApp(made.context)
  const caller = callerOf(app, 'north.localhost')
  await caller.signIn(staff, 'desk')
  await caller.signIn(member)
  await app.close()
})

test('sends a member created from the command line a link to set the first password, and prints none', async () => {
  const answer = await admin('member', 'add', 'north', 'ines@north.test', 'Ines', 'Invited', '--json')
  assert.deepEqual(JSON.parse(answer.out), { email: 'ines@north.test', invited: true })
  const north = await northOf(made)
  const links = await reading(north, (tx) =>
    tx
      .selectFrom('members')
      .innerJoin('password_resets as link', 'link.member_id', 'members.member_id')
      .innerJoin('mails', 'mails.member_id', 'members.member_id')
      .select(['members.status', 'link.purpose', 'mails.recipient', 'mails.has_link'])
      .where('members.workspace_id', '=', north.workspaceId)
      .where('members.email', '=', 'ines@north.test')
      .execute(),
  )
  const recipient = 'ines@north.test'
  assert.deepEqual(links, [{ status: 'invited', purpose: 'invitation', recipient, has_link: true }])
  const again = await admin('member', 'add', 'north', 'INES@north.test', 'Ines', 'Again', '--json')
  assert.deepEqual([again.code, JSON.parse(again.out).code], [1, 'conflict'])
  assert.equal((await admin('member', 'add', 'north', 'x@north.test', 'X', 'Y', '--password', 'secret')).code, 2)
  assert.equal((await admin('member', 'add', 'north', 'nobody', 'X', 'Y')).code, 2)
})

test('a new brokerage takes changes of name and email by request, as the profile offers', async () => {
  const north = await northOf(made)
  const types = await reading(north, (tx) =>
    tx
      .selectFrom('request_types')
      .select(['name', 'changes', 'is_quick_link'])
      .where('workspace_id', '=', north.workspaceId)
      .orderBy('position')
      .execute(),
  )
  assert.deepEqual(types, [
    { name: 'Change of legal name', changes: 'legal_name', is_quick_link: true },
    { name: 'Change of email', changes: 'email', is_quick_link: true },
  ])
})

test('explains a malformed or taken address in one sentence, with its error code', async () => {
  const wrong = await admin('workspace', 'add', 'North!', 'Other')
  assert.equal(wrong.code, 2)
  assert.match(
    wrong.err,
    /^North! cannot be a subdomain: it may have lowercase letters, digits and hyphens between them/,
  )
  const taken = await admin('workspace', 'add', 'north', 'Again', '--json')
  const expected = { error: 'The workspace north already exists.', code: 'conflict' }
  assert.deepEqual([taken.code, JSON.parse(taken.out)], [1, expected])
  const north = await northOf(made)
  for (const subdomain of ['-north', 'north-', 'no.rth', '', 'x'.repeat(64)])
    await assert.rejects(addWorkspace(made.context, { subdomain, name: 'Other' }), { code: 'invalid_input' })
  await assert.rejects(addWorkspace(made.context, { subdomain: 'other', name: 'x'.repeat(121) }), /120 characters/)
  const again = { email: 'SELA@north.test', name: 'Again', role: 'viewer' }
  await assert.rejects(addStaffUser(north, again), { code: 'conflict', message: deskTexts.staffEmailTaken })
  const twice = { email: 'MARA@north.test', first_name: 'Again', last_name: 'Again' }
  await assert.rejects(addMember(north, twice), /A member with this address already exists/)
})

test('refuses a name that the desk and the profile would refuse, as a wrong call', async () => {
  const before = JSON.parse((await admin('staff', 'list', 'north', '--json')).out) as object[]
  for (const name of ['x'.repeat(300), 'Nina\nNews', 'Nina\u0007']) {
    assert.equal((await admin('staff', 'add', 'north', 'nina@north.test', name)).code, 2, name)
    const member = ['member', 'add', 'north', 'nina@north.test']
    assert.equal((await admin(...member, name, 'News', '--password', 'print')).code, 2, name)
    assert.equal((await admin(...member, 'Nina', name, '--password', 'print')).code, 2, name)
  }
  assert.equal(JSON.parse((await admin('staff', 'list', 'north', '--json')).out).length, before.length)
})

test('changes the role of staff, locks and unlocks them, and refuses to lose the last administrator', async () => {
  await admin('staff', 'add', 'north', 'first@north.test', 'First')
  await admin('staff', 'add', 'north', 'second@north.test', 'Second', '--role', 'support')
  assert.equal((await admin('staff', 'role', 'north', 'second@north.test', '--role', 'finance')).code, 0)
  assert.equal((await admin('staff', 'lock', 'north', 'Second@north.test')).code, 0)
  const listed = JSON.parse((await admin('staff', 'list', 'north', '--json')).out) as Record<string, string>[]
  const second = listed.find(({ email }) => email === 'second@north.test')
  assert.deepEqual([second?.role, second?.status], ['finance', 'locked'])
  assert.match((await admin('staff', 'unlock', 'north', 'second@north.test')).out, /state: active/)
  const refused = await admin('staff', 'lock', 'north', 'first@north.test')
  assert.equal(refused.code, 1)
  assert.match(refused.err, /last administrator/)
})

test('removes the second factors of the only administrator, who then signs in by password', async () => {
  const app = await buildApp(made.context)
  const caller = callerOf(app, 'north.localhost')
  const added = await admin('staff', 'add', 'north', 'ada@north.test', 'Ada', '--json')
  const staff = JSON.parse(added.out)
  const token = await caller.signIn(staff, 'desk')
  await enrolTotp(caller, made.context, token, 'desk')
  await enterPassword(caller, staff, 'desk')
  assert.equal((await admin('staff', 'reset-factors', 'north', 'nobody@north.test')).code, 1)
  assert.equal((await admin('staff', 'reset-factors', 'north', 'ADA@north.test')).code, 0)
  assert.equal((await admin('staff', 'reset-factors', 'north', 'ada@north.test')).code, 1)
  assert.equal((await caller.get('/desk/api/security', token)).status, 401)
  await caller.signIn(staff, 'desk')
  await app.close()
})

test('answers a wrong call with its usage and changes nothing', async () => {
  for (const args of [
    ['workspace', 'add', 'only-one'],
    ['staff', 'add', 'nowhere', 'a@b.test', 'A'],
    ['fly'],
    ['staff', 'role', 'north', 'sela@north.test', '--role', 'king'],
    ['staff', 'add', 'north', 'b@b.test', 'B', '--role', 'king'],
  ]) {
    assert.equal((await admin(...args)).code, 2, args.join(' '))
  }
  assert.equal((await admin('--help')).code, 0)
  assert.match((await admin('staff', 'add', '--help')).out, /^npm run admin -- staff add <subdomain>/m)
})

test('exports all data of a member and then erases the member, who can no longer sign in', async () => {
  const signIn = JSON.parse(
    (await admin('member', 'add', 'north', 'lena@north.test', 'Lena', 'Leaving', '--password', 'print', '--json')).out,
  )
  const exported = JSON.parse((await admin('member', 'export', 'north', 'LENA@north.test')).out)
  const [row] = exported.tables.members
  assert.deepEqual([row.last_name, row.password_hash], ['Leaving', undefined])
  assert.ok(exported.withheld.includes('members.password_hash'))
  assert.equal((await admin('member', 'erase', 'north', row.customer_number)).code, 2)
  assert.equal((await admin('member', 'erase', 'north', row.customer_number, '--reason', 'Asked for it')).code, 0)
  assert.equal((await admin('member', 'erase', 'north', row.customer_number, '--reason', 'Again')).code, 1)
  const app = await buildApp(made.context)
  const caller = callerOf(app, 'north.localhost')
  assert.equal((await caller.post('/members/login', signIn)).status, 401)
  await app.close()
  const left = await admin('member', 'export', 'north', row.customer_number)
  assert.ok(!(left.out + left.err).includes('Leaving'))
})

test('checks platforms: none configured is fine, one that cannot be connected raises an alarm', async () => {
  assert.match((await admin('platform', 'check', 'north')).out, /No platform yet/)
  assert.equal((await admin('platform', 'check', 'north', 'MetaTrader 5')).code, 2)
  assert.equal((await admin('platform', 'check', 'nowhere')).code, 2)
  await addPlatform(await northOf(made), { name: 'MetaTrader 5' })
  const alarmed = await admin('platform', 'check', 'north', 'metatrader 5')
  assert.equal(alarmed.code, 3)
  assert.match(alarmed.err, /NO {2}Connection {8}There is no connection/)
  const asJson = await admin('platform', 'check', 'north', '--json')
  const { error, code, found } = JSON.parse(asJson.out)
  assert.deepEqual([asJson.code, code, /There is no connection/.test(error)], [3, 'alarm', true])
  assert.equal(found.reports[0].findings[0].verdict, 'wrong')
  const north = await northOf(made)
  await addPlatform(north, { name: 'MetaTrader 4', type: 'mt4' })
  await inTransaction(north, (tx) =>
    tx
      .updateTable('trading_platforms')
      .where('workspace_id', '=', north.workspaceId)
      .where('name', '=', 'MetaTrader 4')
      .set({ enabled: false })
      .execute(),
  )
  const { reports } = JSON.parse((await admin('platform', 'check', 'north', 'metatrader 4', '--json')).out)
  assert.deepEqual([reports[0].workspace, reports[0].state, reports[0].findings[0].verdict], ['north', 'off', 'look'])
})

test('reseals secrets with a new key, and raises an alarm for those that no key opens', async () => {
  const key = 'changed-0123456789-abcdefghijklmnopqrst'
  await addProvider(await northOf(made), 'safecharge', {
    ...{ merchantId: '1000000001', siteId: '200001', secretKey: 'safecharge-secret-0001' },
  })
  const alarmed = await adminWith({ ATRIUM_SECRET_KEY: key }, 'secrets', 'reseal')
  assert.equal(alarmed.code, 3)
  assert.match(alarmed.err, /none of the keys can decrypt/)
  const asJson = await adminWith({ ATRIUM_SECRET_KEY: key }, 'secrets', 'reseal', '--json')
  const { error, code, found } = JSON.parse(asJson.out)
  assert.deepEqual([asJson.code, code, /none of the keys can decrypt/.test(error)], [3, 'alarm', true])
  assert.deepEqual([found.length, found[0].workspace, found[0].unreadable > 0], [1, 'north', true])
  // The tests above sealed with the key in the command line's own folder.
  const earlier = [made.context.config.secretKey, readFileSync(join(folder, 'secret.key'), 'utf8').trim()].join(',')
  const every = { ATRIUM_SECRET_KEY: key, ATRIUM_SECRET_KEYS_OTHER: earlier }
  const [north] = JSON.parse((await adminWith(every, 'secrets', 'reseal', '--json')).out)
  assert.equal(north.unreadable, 0)
  assert.ok(north.sealed_anew >= 1)
  const again = await adminWith({ ATRIUM_SECRET_KEY: key }, 'secrets', 'reseal', '--json')
  const nothing = { sealed_anew: 0, unreadable: 0 }
  const [ofNorth, ofBuilds] = [
    { workspace: 'north', ...nothing },
    { workspace: '(web builds)', ...nothing },
  ]
  assert.deepEqual(JSON.parse(again.out), [ofNorth, ofBuilds])
})

async function northOf({ context }: MadeContext): Promise<System> {
  const system = await findWorkspace(context, 'north')
  assert.ok(system)
  return system
}

test('raises an alarm with a machine-readable code for an edited audit log', async () => {
  const well = await admin('audit', 'verify', '--json')
  assert.equal(well.code, 0)
  const [{ head, entries }] = JSON.parse(well.out)
  assert.ok(entries > 3)
  assert.equal((await admin('audit', 'verify', 'north', '--head', head)).code, 0)
  // A slip in copying is a wrong call, and no alarm.
  for (const slip of [head.slice(0, -1), `${head} `, head.replace(':', ' '), `head: ${head}`, '7'])
    assert.equal((await admin('audit', 'verify', 'north', '--head', slip)).code, 2, slip)
  const other = `${head.slice(0, -2)}${head.endsWith('00') ? '11' : '00'}`
  assert.equal((await admin('audit', 'verify', 'north', '--head', other)).code, 3)
  const owner = await made.openOwner()
  await owner.query(`update audit_log set after = '{"role": "viewer"}' where action = 'staff.added'`)
  const alarmed = await admin('audit', 'verify')
  assert.equal(alarmed.code, 3)
  assert.match(alarmed.err, /the details of the entry were changed/)
  const asJson = await admin('audit', 'verify', '--json')
  const { code, found } = JSON.parse(asJson.out)
  assert.deepEqual([asJson.code, code], [3, 'alarm'])
  assert.match(found[0].findings[0].what, /the details of the entry were changed/)
})
