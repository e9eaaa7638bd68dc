/** The batches that a sign-in sends to the database, each a round trip. They are counted, because times depend on the machine. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { PostgresQueryCompiler } from 'kysely'
import { type Caller, callerOf } from '../../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../../tests/fixtures/context.ts'
import { messagesDuring } from '../../../tests/fixtures/database/messages.ts'
import { addMember, addWorkspace, testPassword } from '../../../tests/fixtures/workspaces.ts'
import { buildApp } from '../../app.ts'
import type { System } from '../../foundation/actor.ts'

let made: MadeContext
let system: System
let app: FastifyInstance
let caller: Caller
/** Excludes the queue's own connections. */
const connections = new WeakSet<object>()

before(async () => {
  made = await makeTestContext()
  made.context.database.pool.on('acquire', (client) => void connections.add(client))
  system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  app = await buildApp(made.context)
  caller = callerOf(app)
})
after(async () => {
  await app.close()
  await made.close()
})

/** The table of a statement, or its command. */
function nameOf(text: string): string {
  if (text.includes('set_config')) return 'scope'
  return /^(?:insert into|update|delete from|select\b.*?\bfrom) "?(\w+)/s.exec(text.trim())?.[1] ?? text
}

/** A busy database is asked once more before a hash. */
const isProbe = (names: string[]) => names.join() === 'scope,select 1'

/** What each message names, sorted. */
async function messagesOf(email: string, password: string, { status = 200, cookie = '' } = {}): Promise<string[][]> {
  const sent = await messagesDuring(async () => {
    const payload = { email, password }
    const answer = await caller.send({ method: 'POST', url: '/members/login', payload, headers: { cookie } })
    assert.equal(answer.status, status)
  }, connections)
  return sent.map((texts) => texts.map(nameOf).toSorted()).filter((names) => !isProbe(names))
}

async function deviceCookieOf(email: string): Promise<string> {
  const { headers } = await caller.post('/members/login', { email, password: testPassword })
  return /atrium_device=[\w-]{43}/.exec(String(headers['set-cookie']))?.[0] ?? ''
}

const counting = [['begin', 'rate_limits', 'scope'], ['commit']]
const lookUp = ['members', 'scope', 'workspaces']

/** The statements that Kysely builds during the work instead of remembering them, without that of a busy database. */
async function builtDuring(work: () => Promise<unknown>): Promise<string[]> {
  const { compileQuery } = PostgresQueryCompiler.prototype
  const built: string[] = []
  PostgresQueryCompiler.prototype.compileQuery = function (...call) {
    const query = Reflect.apply(compileQuery, this, call)
    built.push(query.sql)
    return query
  }
  const sent = await messagesDuring(work, connections).finally(() => {
    PostgresQueryCompiler.prototype.compileQuery = compileQuery
  })
  const texts = new Set(sent.flat())
  return built.filter((text) => texts.has(text) && text !== 'select 1').map(nameOf)
}

describe('the messages of a sign-in', () => {
  test('a known browser: two to count the try, one to find the person, two to open the session', async () => {
    const { email } = await addMember(system)
    await messagesOf(email, testPassword)
    assert.deepEqual(await messagesOf(email, testPassword), [
      ...counting,
      lookUp,
      ['begin', 'members', 'passkeys', 'rate_limits', 'scope', 'sessions', 'totp_factors', 'workspaces'],
      ['audit_log', 'commit', 'known_devices', 'rate_limits', 'sessions'],
    ])
  })

  test('a browser with a key: one more to find it, whose key is replaced', async () => {
    const { email } = await addMember(system)
    const sent = await messagesOf(email, testPassword, { cookie: await deviceCookieOf(email) })
    assert.deepEqual(sent, [
      ['known_devices', 'scope'],
      ...counting,
      lookUp,
      ['begin', 'members', 'passkeys', 'rate_limits', 'scope', 'sessions', 'totp_factors', 'workspaces'],
      ['audit_log', 'commit', 'known_devices', 'known_devices', 'rate_limits', 'sessions'],
    ])
  })

  test('a wrong password: two to count the try, one to find the person, for every email', async () => {
    const { email } = await addMember(system)
    for (const tried of [email, 'nobody@harbour.test'])
      assert.deepEqual(await messagesOf(tried, 'Wrong-2026', { status: 401 }), [...counting, lookUp], tried)
  })

  test('only the reads of the second factors are built anew for each', async () => {
    const { email } = await addMember(system)
    const signIn = () => messagesOf(email, testPassword)
    await signIn()
    await signIn()
    assert.deepEqual(await builtDuring(signIn), ['totp_factors', 'passkeys'])
  })
})
