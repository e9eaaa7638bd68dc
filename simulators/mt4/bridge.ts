import { createHash } from 'node:crypto'
import {
  checkPassword,
  leverageRange,
  listAccounts,
  openAccount,
  passwordPolicy,
  readAccount,
  setAccess,
  setPassword,
  setPerson,
} from './accounts.ts'
import { type Call, cursorOf, limitOf, pageOf } from './calls.ts'
import { allGroups } from './groups.ts'
import { errorReply, Refusal, type Reply } from './refusal.ts'
import type { KeyRow } from './state.ts'
import { AMOUNT_MAX, changeBalance, findBalanceOperations, listHistory, listTrades } from './trades.ts'
import { platformNow, utcText, type World } from './world.ts'

/** `comment` replaces the sent one, as a faulty plugin of the platform would. */
type Command = (world: World, call: Call, comment?: string) => Reply
type Route = { run: Command; needsKey?: boolean }

function readHealth(world: World): Reply {
  // A ping revives an idle connection.
  if (world.switches.connected) world.switches.stale = false
  const { connected } = world.switches
  return { status: 200, body: { connected, server: 'HarbourMarkets-MT4', build: '1420' } }
}

function readTime(world: World): Reply {
  const now = platformNow(world)
  const offset = Math.round((world.time.ofUtc(world.clock.now()) - world.clock.now()) / 1000)
  const platform_time = new Date(now * 1000).toISOString().slice(0, 19)
  return { status: 200, body: { platform_time, utc: utcText(world, now), utc_offset_seconds: offset } }
}

function readCapabilities(): Reply {
  const body = {
    password_policy: passwordPolicy,
    investor_password_required: true,
    comment_chars: 31,
    account_comment_chars: 63,
    amount_max: AMOUNT_MAX,
    leverage: leverageRange,
  }
  return { status: 200, body }
}

function listGroups(world: World, call: Call): Reply {
  const [after = 0] = cursorOf(call, 1) ?? []
  const numbered = (world.switches.stale ? [] : allGroups(world)).map((group, index) => ({ group, place: index + 1 }))
  const rest = numbered.filter(({ place }) => place > after)
  const { page, next_cursor } = pageOf(rest, limitOf(call), ({ place }) => [place])
  return { status: 200, body: { items: page.map(({ group }) => group), next_cursor } }
}

const routes: Readonly<Record<string, Route>> = {
  'GET /v1/health': { run: readHealth },
  'GET /v1/capabilities': { run: readCapabilities },
  'GET /v1/time': { run: readTime },
  'GET /v1/groups': { run: listGroups },
  'GET /v1/accounts': { run: listAccounts },
  'POST /v1/accounts': { run: openAccount, needsKey: true },
  'GET /v1/accounts/{login}': { run: readAccount },
  'PUT /v1/accounts/{login}/password': { run: setPassword, needsKey: true },
  'POST /v1/accounts/{login}/password-check': { run: checkPassword },
  'PATCH /v1/accounts/{login}/access': { run: setAccess },
  'PATCH /v1/accounts/{login}/person': { run: setPerson },
  'POST /v1/accounts/{login}/balance-operations': { run: changeBalance, needsKey: true },
  'GET /v1/accounts/{login}/balance-operations': { run: findBalanceOperations },
  'GET /v1/accounts/{login}/trades': { run: listTrades },
  'GET /v1/accounts/{login}/history': { run: listHistory },
}

export type Asked = { method: string; path: string; query: URLSearchParams; text: string; key: string | undefined }

/** The call's name, such as `PUT /v1/accounts/{login}/password`: the key for planned faults. */
export function routeOf({ method, path }: Pick<Asked, 'method' | 'path'>): { name: string; login: string } {
  const login = /^\/v1\/accounts\/([^/]+)/.exec(path)?.[1] ?? ''
  return { name: `${method} ${path.replace(/^\/v1\/accounts\/[^/]+/, '/v1/accounts/{login}')}`, login }
}

export function perform(world: World, asked: Asked, comment?: string): Reply {
  try {
    const { name, login } = routeOf(asked)
    const route = routes[name]
    if (route === undefined) throw new Refusal('not_found')
    const call = { login, query: asked.query, body: readBody(asked.text) }
    const run = () => route.run(world, call, comment)
    return world.state.atOnce(() => (route.needsKey === true ? performOnce(world, asked, run) : run()))
  } catch (error) {
    if (error instanceof Refusal) return errorReply(error, world.switches.retryAfterSeconds)
    throw error
  }
}

/** A completed call is answered from its idempotency key; a refused one is rolled back and frees its key. */
function performOnce(world: World, asked: Asked, run: () => Reply): Reply {
  const { key } = asked
  if (key === undefined || !/^[A-Za-z0-9-]{16,64}$/.test(key)) throw new Refusal('bad_request')
  const digest = createHash('sha256').update(`${asked.method} ${asked.path}\n${asked.text}`).digest('hex')
  const known = world.state.one<KeyRow>('select digest, status, answer from keys where key = ?', key)
  if (known !== undefined) {
    if (known.digest !== digest) throw new Refusal('key_reused')
    return { status: known.status, ...(known.answer !== '' && { body: JSON.parse(known.answer) as unknown }) }
  }
  const reply = run()
  if (world.switches.forgetsKeys) return reply
  const answer = reply.body === undefined ? '' : JSON.stringify(reply.body)
  world.state.insert('keys', { key, digest, status: reply.status, answer, at: world.clock.now() })
  return reply
}

const KEYS_KEPT_MS = 7 * 86_400_000

export function forgetOldKeys(world: World): void {
  world.state.run('delete from keys where at < ?', world.clock.now() - KEYS_KEPT_MS)
}

function readBody(text: string): Call['body'] {
  if (text === '') return {}
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Call['body']
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new Refusal('bad_request')
}
