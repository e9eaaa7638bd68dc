import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Call } from '@atrium/contract/call.ts'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { System } from '../../server/foundation/actor.ts'
import { newId } from '../../server/foundation/ids.ts'
import { type Answered, type Caller, callerOf } from '../fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../fixtures/context.ts'
import { addOffered, addressAnswers } from '../fixtures/forms.ts'
import { answerResetRequests, mailsTo } from '../fixtures/mailbox.ts'
import { addPlatform } from '../fixtures/trading/platforms.ts'
import { addMember, addStaff, addWorkspace, type MadeMember, openTestSession } from '../fixtures/workspaces.ts'
import { type LiveRoute, openWithRoutes } from './routes.ts'

/**
 * Sends secret values through every call, and then searches everything that is written for them. A new call is covered
 * automatically.
 */
const password = 'Canary-Word-71'
const typed = {
  password: 'Canary-Typed-72',
  current_password: 'Canary-Current-73',
  code: 'canary-code-0123456789-0123456789',
  totp: 'canary-918273',
  token: 'canary-token-0123456789-0123456789-0123456',
}
const personal = { iban: 'GB33CANARY20201555555555', passport: 'CANARYP1234567' }
const providerSecret = 'canary-provider-secret'

/** Never in plain text: neither in the database nor in any output. */
const secrets: string[] = [password, ...Object.values(typed), providerSecret]
const logLines: string[] = []
const refusals: Answered[] = []

let made: MadeContext
let system: System
let app: FastifyInstance
let caller: Caller
let routes: LiveRoute[]
let owner: pg.Client
let member: MadeMember
let staff: { email: string; staffId: string; password: string }

before(async () => {
  made = await makeTestContext({ logLines })
  system = await addWorkspace(made.context, { isDefault: true })
  const opened = await openWithRoutes(made.context)
  app = opened.app
  routes = opened.routes.filter(({ method }) => method !== 'HEAD')
  caller = callerOf(app)
  member = await addMember(system)
  staff = await addStaff(system)
  const connection = { settings: { baseUrl: 'https://mt5.invalid' }, secret: { managerPassword: providerSecret } }
  await addPlatform(system, { connection })
  owner = await made.openOwner()
})
after(async () => {
  await app.close()
  await made.close()
})

async function tokenFor(access: Call['access']): Promise<string> {
  if (access === 'anyone') return typed.token
  const id = access === 'member' ? member.memberId : staff.staffId
  const { token, fileToken } = await openTestSession(system, { kind: access, id })
  secrets.push(token, fileToken)
  return token
}

/** All fields that a client might send by mistake, at the top level and nested. */
const sent = {
  email: 'somebody@harbour.test',
  ...typed,
  password_confirmation: typed.password,
  new_password: typed.password,
  recovery_code: typed.code,
  totp_code: typed.totp,
  nonce_token: typed.token,
  secret: providerSecret,
  managerPassword: providerSecret,
  comment: `${personal.iban} ${personal.passport}`,
  origin: personal.iban,
  iban_number: personal.iban,
  reason: personal.passport,
  note: personal.passport,
  message: personal.iban,
  text: personal.iban,
  files: [personal.passport],
  settings: { secret: providerSecret, password: typed.password },
}

async function drive({ method, url, call }: LiveRoute): Promise<void> {
  const path = url.replace(/:\w+/g, newId()).replace('*', 'x')
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${await tokenFor(call?.access ?? 'member')}`,
    cookie: `atrium_files=${typed.token}; atrium_device=${typed.token}; other=${typed.code}`,
    'user-agent': 'Mozilla/5.0',
  }
  const query = new URLSearchParams({
    token: typed.token,
    password: typed.password,
    code: typed.code,
    q: personal.iban,
  })
  const bodies = [sent, { ...sent, email: 7, _id: typed.token, amount: personal.iban, token_key: typed.code }]
  for (const body of method === 'POST' ? bodies : [null]) {
    const answer = await caller.send({
      method: method as 'GET' | 'POST',
      url: `${path}?${query}`,
      headers,
      ...(body && { payload: JSON.stringify(body) }),
    })
    assert.ok(answer.status < 500, `${method} ${path}: ${answer.status} ${answer.raw}`)
    if (answer.status >= 400) refusals.push(answer)
  }
}

/** Form answers are personal data: drafts, refused submissions, sent ones and comments. */
async function answerForms(): Promise<void> {
  const { formId: form, typeId: request_type } = await addOffered(system)
  const token = await tokenFor('member')
  const street = `${personal.iban} ${personal.passport}`
  const draft = { form, version: 1, answers: { street, is_true: personal.iban }, step: 0, revision: null }
  const begun = await caller.post('/forms/drafts/save', draft, token)
  const wrong = { ...addressAnswers, street, has_moved: personal.iban, proofs: [personal.passport] }
  const refused = await caller.post('/form/submit', { form, data: wrong }, token)
  refusals.push(refused)
  const form_submit = { form, data: { ...addressAnswers, street } }
  const taken = await caller.post('/requests/send-customer-request', { request: { request_type }, form_submit }, token)
  const { _id } = taken.body.request as { _id: string }
  const body = { _id, new_status: 'canceled', comment: street }
  const cancelled = await caller.post('/requests/cp-change-status', body, token)
  assert.deepEqual(
    [begun, refused, taken, cancelled].map(({ status }) => status),
    [200, 422, 200, 200],
  )
}

const dump = async (schemas: string[]) => {
  const tables = await owner.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema = any($1) and table_type = 'BASE TABLE'`,
    [schemas],
  )
  const rows: { table: string; row: string }[] = []
  for (const { name } of tables.rows) {
    const found = await owner.query<{ row: string }>(
      `select t::text || encode(convert_to(t::text, 'utf8'), 'hex') as row from ${name} t`,
    )
    rows.push(...found.rows.map(({ row }) => ({ table: name, row })))
  }
  return rows
}

function assertFree(where: string, text: string, words: string[]): void {
  for (const word of words) {
    assert.ok(!text.includes(word), `${where} holds ${word.slice(0, 12)}…`)
    const hex = Buffer.from(word).toString('hex')
    assert.ok(!text.includes(hex), `${where} holds ${word.slice(0, 12)}… as bytes`)
  }
}

describe('canaries', () => {
  before(async () => {
    for (const route of routes.filter(({ method }) => method === 'GET' || method === 'POST')) await drive(route)
    await answerForms()
    // Also the successful flow: a password set by mail, used to sign in, then changed.
    await caller.post('/members/reset-password/request', { email: member.email })
    await answerResetRequests(system)
    const text = (await mailsTo(system, member.email)).find(({ subject }) => subject === 'Set a new password')?.text
    const code = /\/reset-password\/([\w-]+)/.exec(text ?? '')?.[1] ?? ''
    assert.ok(code.length > 20)
    secrets.push(code)
    await caller.get(`/reset-password/${code}`)
    const reset = await caller.post('/members/reset-password/process', {
      code,
      password,
      password_confirmation: password,
    })
    assert.equal(reset.status, 200, reset.raw)
    const signedIn = await caller.post('/members/login', { email: member.email, password })
    secrets.push(String(signedIn.body.token))
    for (const cookie of signedIn.headers['set-cookie'] as string[])
      secrets.push(/=([\w-]{20,})/.exec(cookie)?.[1] ?? '-'.repeat(9))
    assert.ok(routes.length > 30 && refusals.length > 30 && logLines.length > 50 && secrets.length > 30)
  })

  test('are in no log line, and neither is personal data', () => {
    for (const line of logLines) assertFree('a log line', line, [...secrets, ...Object.values(personal), member.email])
  })

  test('are in no error response', () => {
    for (const { raw, headers } of refusals) {
      assertFree('an answer', `${raw}${JSON.stringify(headers)}`, [...secrets, ...Object.values(personal)])
    }
  })

  test('are in no job', async () => {
    const rows = await dump(['pgboss'])
    assert.ok(rows.length > 0)
    for (const { table, row } of rows) assertFree(table, row, [...secrets, ...Object.values(personal), member.email])
  })

  test('are in no database column in plain text; the audit log and mail subjects contain no personal data either', async () => {
    const rows = await dump(['public'])
    for (const { table, row } of rows) assertFree(table, row, secrets)
    const spoken = rows.filter(({ table }) => /audit_log|rate_limits/.test(table))
    assert.ok(spoken.length > 0)
    for (const { table, row } of spoken) assertFree(table, row, Object.values(personal))
    const { rows: mails } = await owner.query<{ subject: string }>('select subject from mails')
    for (const { subject } of mails)
      assertFree('a subject', subject, [...secrets, ...Object.values(personal), member.email])
  })
})

describe('a fault', () => {
  test('returns only an apology and its request id, whatever failed; row values stay out of the log', async () => {
    const lines = logLines.length
    let faults = 0
    const mangled = ['members', 'staff_users', 'sessions', 'workspaces', 'rate_limits']
    for (const table of mangled) {
      await owner.query(`alter table ${table} rename to ${table}_away`)
      try {
        for (const route of routes.filter(({ call, method }) => call && (method === 'GET' || method === 'POST'))) {
          const answer = await caller.send({
            method: route.method as 'GET' | 'POST',
            url: route.url.replace(/:\w+/g, newId()),
            headers: { 'content-type': 'application/json', authorization: `Bearer ${typed.token}` },
            ...(route.method === 'POST' && { payload: JSON.stringify({ ...sent, email: member.email }) }),
          })
          if (answer.status < 500) continue
          faults += 1
          const { request_id: _, ...rest } = answer.body
          assert.deepEqual(Object.keys(rest).sort(), ['code', 'error', 'errors', 'status'], answer.raw)
          assert.deepEqual(rest.errors, { form: [rest.error] })
          assert.ok(['fault', 'unavailable'].includes(String(rest.code)), answer.raw)
          assert.ok(!/relation|select|_away|\.ts|node_modules|42P01|kysely|pg\b/i.test(answer.raw), answer.raw)
        }
      } finally {
        await owner.query(`alter table ${table}_away rename to ${table}`)
      }
    }
    assert.ok(faults > 20, String(faults))
    for (const line of logLines.slice(lines))
      assertFree('a log line', line, [...secrets, ...Object.values(personal), member.email])
  })
})
