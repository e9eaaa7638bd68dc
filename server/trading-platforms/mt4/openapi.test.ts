import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import type { Exchange } from '../../../simulators/mt4/server.ts'
import {
  activeLogin,
  type Bench,
  callNames,
  group,
  login,
  startBench,
  token,
} from '../../../tests/fixtures/trading/mt4-platform.ts'
import { collect } from '../../../tests/fixtures/trading/trading-platforms.ts'
import { makeIntentTag } from '../intent-tag.ts'

/** The parts of the OpenAPI document that this test reads. */
type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: AnySchema }
type Content = { content?: { 'application/json'?: { schema: AnySchema } } }
type Response = Content & { headers?: Record<string, { required?: boolean; schema: AnySchema }> }
type Operation = { parameters?: unknown[]; requestBody?: Content; responses: Record<string, unknown> }
type Document = { paths: Record<string, Record<string, unknown>>; components: object }

const address = new URL('../../../docs/operators/platforms/mt4-bridge.openapi.yaml', import.meta.url)
const document = parse(readFileSync(address, 'utf8')) as Document
const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true, strictRequired: false })
// References in the document start at its root, so the whole document is registered under a name.
ajv.addVocabulary(['openapi', 'info', 'servers', 'security', 'paths', 'components'])
ajv.addSchema(document as unknown as AnySchema, 'bridge')

function follow<Part>(part: unknown): Part {
  const reference = (part as { $ref?: string }).$ref
  if (reference === undefined) return part as Part
  const names = reference.replace(/^#\//, '').split('/')
  return names.reduce<unknown>((inside, name) => (inside as Record<string, unknown>)[name], document) as Part
}

/** Makes references inside a schema absolute, since they start at the document's root. */
function compile(schema: AnySchema): ValidateFunction {
  const rooted = JSON.stringify(schema).replaceAll('"#/', '"bridge#/')
  return ajv.compile(JSON.parse(rooted) as AnySchema)
}

const compiled = new Map<AnySchema, ValidateFunction>()
function assertFits(schema: AnySchema, value: unknown, what: string): void {
  const validate = compiled.get(schema) ?? compile(schema)
  compiled.set(schema, validate)
  assert.ok(validate(value), `${what}: ${JSON.stringify(validate.errors)}`)
}

function find({ asked }: { asked: Pick<Exchange['asked'], 'method' | 'path'> }) {
  const template = asked.path.replace(/^\/v1\/accounts\/[^/]+/, '/v1/accounts/{login}')
  const path = document.paths[template]
  const operation = path?.[asked.method.toLowerCase()] as Operation | undefined
  assert.ok(operation, `${asked.method} ${template} is not in the document`)
  const shared = (path?.parameters ?? []) as unknown[]
  const parameters = [...shared, ...(operation.parameters ?? [])].map((one) => follow<Parameter>(one))
  return { name: `${asked.method} ${template}`, operation, parameters }
}

/** Query values are text on the wire, while a numeric schema describes their parsed value. */
function readValue(parameter: Parameter, text: string): unknown {
  const { type } = follow<{ type?: string }>(parameter.schema)
  return type === 'integer' ? Number(text) : text
}

function assertAskedRightly(exchange: Exchange): void {
  const { asked, headers } = exchange
  const { name, operation, parameters } = find(exchange)
  assert.equal(headers.authorization === `Bearer ${token}`, exchange.reply.status !== 401)
  const given: Record<Parameter['in'], (one: string) => string | undefined> = {
    path: () => /^\/v1\/accounts\/([^/]+)/.exec(asked.path)?.[1],
    query: (one) => asked.query.get(one) ?? undefined,
    header: (one) => headers[one.toLowerCase()]?.toString(),
  }
  for (const parameter of parameters) {
    const text = given[parameter.in](parameter.name)
    if (text !== undefined) assertFits(parameter.schema, readValue(parameter, text), `${name} ${parameter.name}`)
    else assert.ok(parameter.required !== true, `${name} lacks ${parameter.name}`)
  }
  const known = parameters.filter((one) => one.in === 'query').map((one) => one.name)
  for (const one of asked.query.keys()) assert.ok(known.includes(one), `${name} has no ${one}`)
  const schema = operation.requestBody?.content?.['application/json']?.schema
  if (schema === undefined) assert.equal(asked.text, '')
  else assertFits(schema, JSON.parse(asked.text), `${name} body`)
}

function assertAnsweredRightly(exchange: Exchange): void {
  const { reply } = exchange
  const { name, operation } = find(exchange)
  const listed = operation.responses[String(reply.status)]
  assert.ok(listed, `${name} answers ${reply.status}, which the document does not know`)
  const { content, headers = {} } = follow<Response>(listed)
  for (const [header, { required, schema }] of Object.entries(headers)) {
    const value = reply.headers?.[header.toLowerCase()]
    if (value !== undefined) assertFits(schema, value, `${name} ${header}`)
    else assert.ok(required !== true, `${name} ${reply.status} lacks ${header}`)
  }
  const schema = content?.['application/json']?.schema
  if (schema === undefined) assert.equal(reply.body, undefined)
  else assertFits(schema, reply.body, `${name} ${reply.status}`)
}

let bench: Bench
const exchanges: Exchange[] = []
before(async () => {
  bench = await startBench({ watch: (exchange) => exchanges.push(exchange) })
})
after(() => bench.stop())

const money = (amount = '10') => ({
  tag: makeIntentTag(),
  login,
  kind: 'balance' as const,
  amount,
  currency: 'USD',
  note: 'Deposit',
  refuseIfMarginTooLow: true,
})
const opening = {
  kind: 'live',
  group,
  leverage: 100,
  mainPassword: 'Qa7mPz2x',
  investorPassword: 'v9TxR4kLw2',
  firstName: 'Žofia',
  lastName: 'Łęcka',
  email: 'zofia@example.test',
  phone: '+356 2100 9876',
  country: 'Malta',
  city: 'Ħamrun',
  state: 'Malta',
  zip: 'HMR 1000',
  address: 'Triq il-Kbira 7',
} as const

async function useEverything({ gateway, time }: Bench): Promise<void> {
  const now = Math.floor(time.now() / 1000)
  await gateway.health()
  await gateway.capabilities()
  await gateway.serverClock()
  await gateway.listGroups()
  const wanted = { ...opening, tag: makeIntentTag() }
  const { login: opened } = await gateway.openAccount(wanted)
  await gateway.findAccountByTag(wanted.tag, { group })
  await gateway.readAccount(activeLogin)
  await gateway.readAccounts([login, activeLogin, opened])
  await gateway.listPositions(activeLogin)
  await collect(gateway.listDeals(activeLogin, now - 90 * 86_400, now))
  const deposit = money()
  await gateway.changeBalance(deposit)
  await gateway.findBalanceByTag(login, deposit.tag, now)
  await gateway.setPassword(opened, 'main', 'Nw5qLz8x')
  await gateway.checkPassword(opened, 'investor', 'v9TxR4kLw2')
  await collect(gateway.listAccounts([group]))
  await gateway.changePerson(opened, { ...opening, email: `${'long-'.repeat(10)}@example.test` })
  await gateway.setAccess(opened, { enabled: false, tradingAllowed: false, passwordChangeAllowed: false })
}

async function meetEveryRefusal({ gateway, simulator, connect }: Bench): Promise<void> {
  const { control } = simulator
  const refused = (work: Promise<unknown>) => assert.rejects(work)
  const deposit = money()
  await gateway.changeBalance(deposit)
  await refused(gateway.changeBalance({ ...deposit, amount: '11' }))
  await refused(gateway.changeBalance(money('-999999')))
  await refused(gateway.setPassword(login, 'main', 'weak'))
  await refused(gateway.readAccount('499998'))
  await refused(gateway.openAccount({ ...opening, tag: makeIntentTag(), login }))
  await refused(gateway.openAccount({ ...opening, tag: makeIntentTag(), group: 'nowhere' }))
  await refused(connect({ token: 'another-token-of-length' }).readAccount(login))
  for (const code of [2, 7, 8, 64, 133, 134, 141]) {
    control.addFault({ path: callNames.changeBalance, times: 1, kind: 'answer-code', code })
    await refused(gateway.changeBalance(money()))
  }
  control.addFault({ path: callNames.changeBalance, times: 1, kind: 'close-session' })
  await refused(gateway.changeBalance(money()))
}

/** The parts of the document not used above, called directly. */
async function useTheRest({ simulator }: Bench): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const accounts = `${simulator.url}/v1/accounts`
  const first = await fetch(`${accounts}?group=${group}&limit=2`, { headers })
  const { items, next_cursor } = (await first.json()) as { items: unknown[]; next_cursor: string }
  assert.equal(items.length, 2)
  const second = await fetch(`${accounts}?group=${group}&limit=2&cursor=${next_cursor}`, { headers })
  assert.equal(((await second.json()) as { items: unknown[] }).items.length, 2)
  const body = JSON.stringify({ enable_read_only: true })
  const changed = await fetch(`${accounts}/${login}/access`, { method: 'PATCH', headers, body })
  assert.equal(((await changed.json()) as { enable_read_only: boolean }).enable_read_only, true)
  assert.equal((await bench.gateway.readAccount(login)).tradingAllowed, false)
}

test('adapter and simulator follow the document, and together use all of it', async () => {
  await useEverything(bench)
  await meetEveryRefusal(bench)
  await useTheRest(bench)
  for (const exchange of exchanges) {
    assertAskedRightly(exchange)
    assertAnsweredRightly(exchange)
  }
  const used = new Set(exchanges.map((exchange) => find(exchange).name))
  const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((method) => method !== 'parameters')
      .map((method) => `${method.toUpperCase()} ${path}`),
  )
  assert.deepEqual([...used].sort(), documented.sort())
})

test('the simulator refuses requests that the document does not allow', async () => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const tag = makeIntentTag()
  const right = { tag, kind: 'balance', amount: '1', comment: tag, check_margin: true }
  const post = async (change: object, more: Record<string, string> = {}) => {
    const address = `${bench.simulator.url}/v1/accounts/${login}/balance-operations`
    const body = JSON.stringify({ ...right, ...change })
    return (await fetch(address, { method: 'POST', headers: { ...headers, ...more }, body })).status
  }
  const key = () => ({ 'idempotency-key': makeIntentTag() })
  assert.equal(await post({}), 400, 'without a key')
  assert.equal(await post({ surprise: 1 }, key()), 400)
  assert.equal(await post({ amount: 1 }, key()), 400)
  assert.equal(await post({ amount: '1.001' }, key()), 422)
  assert.equal(await post({ comment: 'x'.repeat(32) }, key()), 422)
  assert.equal(await post({}, key()), 201)
  const status = async (path: string) => (await fetch(`${bench.simulator.url}${path}`, { headers })).status
  assert.equal(await status('/v1/accounts'), 400)
  assert.equal(await status(`/v1/accounts?group=${group}&tag=${tag}`), 400)
  assert.equal(await status(`/v1/accounts?group=${group}&cursor=never.given`), 400)
  assert.equal(await status(`/v1/accounts?group=${group}&limit=501`), 400)
  assert.equal(await status('/v1/nothing'), 404)
})

test('the schema rejects examples that the document does not allow', () => {
  const { operation } = find({ asked: { method: 'POST', path: '/v1/accounts/1/balance-operations' } })
  const balance = operation.requestBody?.content?.['application/json']?.schema
  assert.ok(balance)
  const tag = makeIntentTag()
  const right = { tag, kind: 'balance', amount: '-10.50', comment: `${tag} Withdrawal`, check_margin: true }
  assertFits(balance, right, 'a withdrawal')
  for (const wrong of [{ amount: -10.5 }, { kind: 'bonus' }, { comment: 'Hello' }, { tag: 'x' }, { more: 1 }]) {
    assert.throws(() => assertFits(balance, { ...right, ...wrong }, 'wrong'))
  }
})
