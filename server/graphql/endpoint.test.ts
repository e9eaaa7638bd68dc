// spec: MP 7
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { serverAudits } from 'graphql-http'
import { GraphQLClient } from 'graphql-request'
import { type MadeContext, makeTestContext, productionMode } from '../../tests/fixtures/context.ts'
import { addMember, addWorkspace, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import type { System } from '../foundation/actor.ts'

type Answer = {
  data?: Record<string, unknown> | null
  errors?: { message: string; extensions?: { code?: string }; path?: unknown[] }[]
  extra?: Record<string, number>
}

const encode = (text: string) => Buffer.from(text).toString('base64url')

describe('the query endpoint', () => {
  let made: MadeContext
  let app: FastifyInstance
  let origin: string
  let system: System
  let token: string
  let fileToken: string

  before(async () => {
    made = await makeTestContext()
    app = await buildApp(made.context)
    origin = await app.listen({ port: 0, host: '127.0.0.1' })
    system = await addWorkspace(made.context, { isDefault: true })
    const { memberId } = await addMember(system)
    const session = await openTestSession(system, { kind: 'member', id: memberId })
    token = session.token
    fileToken = session.fileToken
  })
  after(async () => {
    await app.close()
    await made.close()
  })

  async function get(search: string, headers: Record<string, string> = { authorization: `Bearer ${token}` }) {
    const response = await app.inject({ url: `/graph${search}`, headers })
    return {
      status: response.statusCode,
      answer: response.json<Answer>(),
      headers: response.headers,
      body: response.body,
    }
  }

  const ask = (query: string, variables?: object) =>
    get(`?q=${encode(query)}${variables ? `&v=${encode(JSON.stringify(variables))}` : ''}`)

  async function post(body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) {
    const all = { authorization: `Bearer ${token}`, ...headers }
    const response = await app.inject({ method: 'POST', url: '/graph', headers: all, payload: body })
    return { status: response.statusCode, body: response.body }
  }

  it('passes the audits of GraphQL over HTTP', async () => {
    const fetchFn = (address: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers)
      headers.set('authorization', `Bearer ${token}`)
      return fetch(address, { ...init, headers })
    }
    const tally = { MUST: [0, 0], SHOULD: [0, 0], MAY: [0, 0] }
    const failed: string[] = []
    for (const audit of serverAudits({ url: `${origin}/graph`, fetchFn })) {
      const result = await audit.fn()
      const level = audit.name.split(' ')[0] as keyof typeof tally
      tally[level][1] = (tally[level][1] ?? 0) + 1
      if (result.status === 'ok') tally[level][0] = (tally[level][0] ?? 0) + 1
      else if (level !== 'MAY') failed.push(`${audit.id} ${audit.name}: ${result.reason}`)
    }
    assert.deepEqual(failed, [])
    assert.deepEqual(
      [tally.MUST, tally.SHOULD],
      [
        [13, 13],
        [23, 23],
      ],
    )
  })

  it('answers data, counts and the build version', async () => {
    const { status, answer, headers } = await ask('{ current_member { first_name } }')
    assert.equal(status, 200)
    assert.deepEqual(answer, { data: { current_member: { first_name: 'Mara' } }, extra: {} })
    assert.match(String(headers['x-app-version']), /^[0-9a-f]{12}$/)
  })

  it('requires the bearer token and accepts no cookie in its place', async () => {
    const q = `?q=${encode('{ __typename }')}`
    const cases = [
      {},
      { cookie: `atrium_files=${fileToken}` },
      { authorization: `Bearer ${fileToken}` },
      { authorization: 'Bearer x' },
    ]
    for (const headers of cases) {
      const { status, body } = await get(q, headers as Record<string, string>)
      assert.equal(status, 401)
      assert.match(body, /"code":"unauthenticated"/)
    }
  })

  it('reads base64 and base64url, padded or not, and POST alike', async () => {
    const query = '{ balance_transactions(ticket: "~~~???>>>") { _id } current_member { first_name } }'
    const plain = Buffer.from(query).toString('base64')
    const expected = (await ask(query)).body
    for (const q of [
      encodeURIComponent(plain),
      plain.replaceAll('/', '%2F'),
      plain.replace(/=+$/, ''),
      encode(query),
    ]) {
      assert.equal((await get(`?q=${q}`)).body, expected)
    }
    assert.equal((await post(JSON.stringify({ query }))).body, expected)
    assert.equal((await post(JSON.stringify({ query, variables: null, operationName: null }))).body, expected)
    // By GET as in GraphQL over HTTP, and by POST as a form or under the short names.
    assert.equal((await get(`?query=${encodeURIComponent(query)}&variables=`)).body, expected)
    assert.equal((await post(JSON.stringify({ q: plain }))).body, expected)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    assert.equal((await post(`query=${encodeURIComponent(query)}`, form)).body, expected)
    assert.equal((await post(`q=${encodeURIComponent(plain)}`, form)).body, expected)
    for (const body of ['', 'q=!!!', 'query=a&query=b']) assert.equal((await post(body, form)).status, 400, body)
  })

  it('refuses the name of an operation that the document does not have', async () => {
    const query = 'query Mine { current_member { first_name } }'
    const expected = (await post(JSON.stringify({ query }))).body
    for (const operationName of ['Mine', '', null])
      assert.equal((await post(JSON.stringify({ query, operationName }))).body, expected)
    assert.equal((await get(`?query=${encodeURIComponent(query)}&operationName=`)).body, expected)
    for (const other of [
      await post(JSON.stringify({ query, operationName: 'Theirs' })),
      await get(`?query=${encodeURIComponent(query)}&operationName=Theirs`),
    ]) {
      const { data, errors } = JSON.parse(other.body)
      assert.deepEqual([data, errors?.length, errors?.[0].extensions.code], [undefined, 1, 'malformed'])
    }
  })

  const byTicket =
    'query Ticket($ticket: String!) { balance_transactions(ticket: $ticket) { _id } current_member { first_name } }'

  it('answers the npm client graphql-request, by POST and by GET, with variables and errors', async () => {
    for (const method of ['POST', 'GET'] as const) {
      const headers = { authorization: `Bearer ${token}` }
      const client = new GraphQLClient(`${origin}/graph`, { headers, method, jsonSerializer: JSON })
      const answer = await client.request(byTicket, { ticket: 'none + "such" ☼' })
      assert.deepEqual(answer, { balance_transactions: [], current_member: { first_name: 'Mara' } }, method)
      await assert.rejects(client.request('{ nothing }'), (problem: { response?: { errors?: unknown[] } }) => {
        assert.equal(problem.response?.errors?.length, 1, method)
        return true
      })
    }
  })

  it('answers the requests of Apollo and urql, by POST and by GET', async () => {
    const variables = { ticket: 'none' }
    const asked = { operationName: 'Ticket', query: byTicket, variables, extensions: {} }
    const accepts = {
      apollo: 'application/graphql-response+json,application/json;q=0.9',
      urql: 'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
    }
    for (const [name, accept] of Object.entries(accepts)) {
      const headers = { authorization: `Bearer ${token}`, accept }
      const search = new URLSearchParams()
      for (const [field, value] of Object.entries(asked))
        search.set(field, typeof value === 'string' ? value : JSON.stringify(value))
      const json = { ...headers, 'content-type': 'application/json' }
      const answers = [
        await fetch(`${origin}/graph`, { method: 'POST', headers: json, body: JSON.stringify(asked) }),
        await fetch(`${origin}/graph?${search}`, { headers }),
      ]
      for (const answer of answers) {
        assert.equal(answer.status, 200, name)
        assert.match(answer.headers.get('content-type') ?? '', /^application\/graphql-response\+json/, name)
        const { data } = (await answer.json()) as Answer
        assert.deepEqual(data, { balance_transactions: [], current_member: { first_name: 'Mara' } }, name)
      }
    }
  })

  it('refuses malformed requests with 400 and a message', async () => {
    const good = encode('{ __typename }')
    const deep = `{"a":${'['.repeat(6_000)}${']'.repeat(6_000)}}`
    assert.equal((await post(`{"query":"{ __typename }","variables":${deep}}`)).status, 400)
    const searches = [
      '',
      '?q=',
      '?q=!!!',
      '?q=abcde',
      `?q=${good}&q=${good}`,
      `?q[]=${good}`,
      '?query=%7B__typename%7D&query=%7B__typename%7D',
      `?query=${encodeURIComponent('{ __typename }')}&variables=x`,
      `?query=${encodeURIComponent('{ __typename }')}&variables=[1]`,
      `?q=${Buffer.from([0xff, 0xfe, 0xfd]).toString('base64url')}`,
      `?q=${'A'.repeat(1_000_000)}`,
      `?q=${good}&v=!!!`,
      `?q=${good}&v=${encode('not json')}`,
      `?q=${good}&v=${encode('[1]')}`,
      `?q=${good}&v=${encode('null')}`,
      `?q=${good}&v=${encode('{}')}&v=${encode('{}')}`,
      `?q=${good}&v=${encode(JSON.stringify({ a: 'x'.repeat(20_000) }))}`,
      `?q=${good}&v=${encode(JSON.stringify({ a: 'x\u0000' }))}`,
      `?q=${good}&v=${encode(deep)}`,
      `?q=${encode('{ balance_transactions(account_number: "\\u0000") { _id } }')}`,
    ]
    for (const search of searches) {
      const { status, answer, body } = await get(search)
      assert.equal(status, 400, `${search.slice(0, 60)}: ${body.slice(0, 200)}`)
      assert.ok(answer.errors?.[0]?.message)
    }
    for (const query of ['', '\u0000', encode('{ __typename }'), '{', 'hello', '\u202e{ __typename }']) {
      const { status, answer } = await get(`?q=${encode(query)}`, {
        authorization: `Bearer ${token}`,
        accept: 'application/graphql-response+json',
      })
      assert.equal(status, 400, JSON.stringify(query))
      assert.ok(!('data' in answer))
    }
  })

  it('refuses other content types, methods and body shapes', async () => {
    const query = JSON.stringify({ query: '{ __typename }' })
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/graphql']) {
      assert.equal((await post(query, { 'content-type': type })).status, 415, type)
    }
    for (const body of [
      '',
      '[]',
      `[${query}]`,
      'null',
      '"x"',
      '{"query":1}',
      '{"query":"{ __typename }","variables":[]}',
      '{',
    ])
      assert.ok([400, 415].includes((await post(body)).status), body)
    for (const method of ['PUT', 'DELETE', 'PATCH'] as const) {
      const { statusCode } = await app.inject({ method, url: '/graph', headers: { authorization: `Bearer ${token}` } })
      assert.equal(statusCode, 404)
    }
    for (const document of ['mutation { __typename }', 'subscription { __typename }']) {
      const sent = await ask(document)
      assert.ok(sent.answer.errors)
      assert.ok(!sent.answer.data)
      assert.doesNotMatch((await post(JSON.stringify({ query: document }))).body, /"data":\{/)
    }
  })

  it('reports errors of a document and no internals', async () => {
    const documents = [
      '{ nothing }',
      '{ current_member { passwordhash } }',
      '{ current_member { password_hash } }',
      'query ($a: Money) { balance_transactions(amount: $a) { _id } }',
    ]
    for (const document of documents) {
      const { body, answer } = await ask(document, { a: 'ten' })
      assert.equal(answer.errors?.[0]?.extensions?.code, 'malformed')
      assert.doesNotMatch(body, /stack|node_modules|select |\.ts/)
    }
  })

  it('answers a fault without its cause', async () => {
    const owner = await made.openOwner()
    await owner.query('alter table bank_accounts rename to bank_accounts_away')
    try {
      const { status, answer, body } = await ask('{ bank_accounts { _id } current_member { bank_accounts { _id } } }')
      assert.equal(status, 200)
      assert.equal(answer.errors?.[0]?.extensions?.code, 'fault')
      assert.doesNotMatch(body, /relation|bank_accounts_away|does not exist|select/)
    } finally {
      await owner.query('alter table bank_accounts_away rename to bank_accounts')
    }
    assert.equal((await ask('{ bank_accounts { _id } }')).answer.errors, undefined)
  })

  describe('in production', () => {
    let production: MadeContext
    let closed: FastifyInstance
    let bearer: string

    before(async () => {
      production = await makeTestContext({ environment: productionMode })
      closed = await buildApp(production.context)
      const here = await addWorkspace(production.context, { isDefault: true })
      const { memberId } = await addMember(here)
      bearer = (await openTestSession(here, { kind: 'member', id: memberId })).token
    })
    after(async () => {
      await closed.close()
      await production.close()
    })

    it('reveals nothing about the schema, through introspection or suggestions', async () => {
      const documents = [
        '{ __schema { types { name } } }',
        '{ __type(name: "Customer") { fields { name } } }',
        '{ current_member { ... on Customer { __typename } } a: __schema { queryType { name } } }',
        'query Q { ...F } fragment F on Query { __schema { directives { name } } }',
        '{ curent_member { _id } }',
        '{ current_member { frst_name } }',
        '{ balance_transactions(tiket: "1") { _id } }',
        'query ($a: Customr) { current_member { _id } }',
        '{ current_member { _id @skp(if: true) } }',
        '{ current_member { ... on Custome { _id } } }',
      ]
      for (const document of documents) {
        const headers = { authorization: `Bearer ${bearer}` }
        const response = await closed.inject({ url: `/graph?q=${encode(document)}`, headers })
        const answer = response.json<Answer>()
        if (document.includes('... on Customer {')) assert.ok(!JSON.stringify(answer).includes('"queryType"'))
        assert.ok(answer.errors, document)
        assert.doesNotMatch(response.body, /did you mean|stack|extensions":\{"(?!code)/i, document)
      }
      const traced = await closed.inject({
        url: `/graph?q=${encode('{ __typename }')}`,
        headers: { authorization: `Bearer ${bearer}`, 'x-apollo-tracing': '1' },
      })
      assert.deepEqual(traced.json(), { data: { __typename: 'Query' }, extra: {} })
      const console = await closed.inject({
        url: '/graph',
        headers: { accept: 'text/html', authorization: `Bearer ${bearer}` },
      })
      assert.equal(console.statusCode, 406)
    })
  })
})
