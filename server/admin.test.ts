import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildApp } from './app.ts'
import { callerOf } from './testing/caller.ts'
import { enrolTotp, enterPassword } from './testing/factors.ts'
import { type MadeGround, makeGround } from './testing/ground.ts'

let made: MadeGround
const folder = mkdtempSync(join(tmpdir(), 'atrium-admin-'))
before(async () => {
  made = await makeGround()
})
after(async () => {
  await made.close()
  rmSync(folder, { recursive: true, force: true })
})

function admin(...args: string[]): Promise<{ code: number; out: string }> {
  const env = { ...process.env, NODE_ENV: 'test', DATABASE_URL: made.ownerUrl, ATRIUM_DATA: folder }
  return new Promise((resolve) => {
    const script = fileURLToPath(new URL('./admin.ts', import.meta.url))
    execFile(process.execPath, [script, ...args], { env }, (problem, stdout, stderr) => {
      resolve({ code: Number(problem?.code ?? 0), out: stdout + stderr })
    })
  })
}

test('a brokerage, its staff and a member are made from the command line, and can sign in', async () => {
  assert.equal((await admin('workspace', 'add', 'north', 'North Harbour')).code, 0)
  const listed = await admin('workspace', 'list', '--json')
  assert.deepEqual(
    JSON.parse(listed.out).map((row: { subdomain: string }) => row.subdomain),
    ['north'],
  )
  const staff = JSON.parse(
    (await admin('staff', 'add', 'north', 'sela@north.test', 'Sela', '--role', 'finance', '--json')).out,
  )
  const member = JSON.parse((await admin('member', 'add', 'north', 'mara@north.test', 'Mara', 'Member', '--json')).out)
  const app = await buildApp(made.ground)
  const caller = callerOf(app, 'north.localhost')
  await caller.signIn(staff, 'desk')
  await caller.signIn(member)
  await app.close()
})

test('staff get another role, are locked out and let in again, and the last administrator stays', async () => {
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
  assert.match(refused.out, /last administrator/)
})

test('an administrator whom nobody else can help gets the second factors removed, and signs in by password again', async () => {
  const app = await buildApp(made.ground)
  const caller = callerOf(app, 'north.localhost')
  const added = await admin('staff', 'add', 'north', 'ada@north.test', 'Ada', '--json')
  const staff = JSON.parse(added.out)
  const token = await caller.signIn(staff, 'desk')
  await enrolTotp(caller, made.ground, token, 'desk')
  await enterPassword(caller, staff, 'desk')
  assert.equal((await admin('staff', 'reset-factors', 'north', 'nobody@north.test')).code, 1)
  assert.equal((await admin('staff', 'reset-factors', 'north', 'ADA@north.test')).code, 0)
  assert.equal((await admin('staff', 'reset-factors', 'north', 'ada@north.test')).code, 1)
  assert.equal((await caller.get('/desk/api/security', token)).status, 401)
  await caller.signIn(staff, 'desk')
  await app.close()
})

test('a wrong call says how it is meant, and changes nothing', async () => {
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
})
