import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isObjectType, Lexer, parse, Source, TokenKind, validate } from 'graphql'
import { type GraphMember, openGraphMember } from '../../tests/fixtures/app-fixture.ts'
import * as generated from '../../web/api/generated/graphql.ts'
import { schema } from '../schema.ts'
import { graphLimits, type LimitName, measureDocument } from './limits.ts'

const repeat = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join(' ')

/** A document of the given depth with few reads: requests and their types refer to each other, and a form is read whole. */
function nested(depth: number): string {
  const levels = Array.from({ length: depth - 5 }, (_, at) => ((depth - at) % 2 ? 'last_request' : 'request_type'))
  const inner = [...levels, 'form', 'steps', 'fields'].map((level) => `${level} { `).join('')
  return `{ ${depth % 2 ? 'requests_types' : 'requests'} { ${inner}name ${'} '.repeat(depth - 2)} } }`
}

function countTokens(text: string): number {
  const lexer = new Lexer(new Source(text))
  let count = 0
  while (lexer.advance().kind !== TokenKind.EOF) count += 1
  return count
}

/** Documents with exactly the given count. */
const documentsOf: Record<
  'operations' | 'fragments' | 'variables' | 'rootFields' | 'aliases' | 'directives' | 'fields' | 'repeatedFields',
  (count: number) => string
> = {
  operations: (count) => repeat(count, (at) => `query Q${at} { __typename }`),
  fragments: (count) =>
    `{ current_member { ${repeat(count, (at) => `...F${at}`)} } } ${repeat(count, (at) => `fragment F${at} on Customer { _id }`)}`,
  variables: (count) => `query (${repeat(count, (at) => `$v${at}: ID`)}) { __typename }`,
  rootFields: (count) => `{ ${repeat(count, () => '__typename')} }`,
  aliases: (count) => `{ current_member { ${repeat(count, (at) => `a${at}: _id`)} } }`,
  directives: (count) => `{ current_member { ${repeat(count, () => '_id @skip(if: false)')} } }`,
  fields: (count) => `{ current_member { ${repeat(count - 1, (at) => `f${at}`)} } }`,
  repeatedFields: (count) => `{ current_member { ${repeat(count + 1, () => '_id')} } }`,
}

describe('the limits of a document', () => {
  let member: GraphMember
  before(async () => {
    member = await openGraphMember()
  })
  after(() => member.close())

  async function ask(query: string, variables: object = {}) {
    const response = await member.post({ query, variables })
    return { status: response.statusCode, body: response.body }
  }

  async function refusedFor(query: string, variables: object = {}): Promise<string | null> {
    const { status, body } = await ask(query, variables)
    const found = /"This query is too expensive \((\w+),/.exec(body)?.[1] ?? null
    if (found) {
      assert.equal(status, 400)
      assert.match(body, /"code":"too_expensive"/)
      assert.doesNotMatch(body, /"data"/)
    }
    return found
  }

  const measured = (query: string, variables: Record<string, unknown> = {}) =>
    measureDocument({ document: parse(query), schema, variables })

  it('accept a document at a limit, and refuse one over it', async () => {
    for (const [name, make] of Object.entries(documentsOf)) {
      const limit = graphLimits[name as LimitName]
      assert.equal(await refusedFor(make(limit)), null, name)
      assert.equal(await refusedFor(make(limit + 1)), name)
    }
    const banks = (count: number) => repeat(count, (at) => `a${at}: bank_accounts { _id }`)
    const most = `{ ${banks(7)} current_member { accounts { _id } addresses { city } } }`
    assert.equal(measured(most)?.reads, graphLimits.reads)
    assert.equal(await refusedFor(most), null)
    assert.equal(await refusedFor(most.replace('addresses', 'bank_accounts { _id } addresses')), 'reads')
  })

  it('are exact for depth, cost, tokens and lengths', async () => {
    const tickets = (inner: string) => `{ tickets(limit: 100) { conversation { ${inner} } } }`
    const cost = (fields: number, more = 0) =>
      `{ tickets(limit: 100) { conversation { ${repeat(fields, () => 'uid')} } ${repeat(more, () => '_id')} } }`
    assert.equal(measured(tickets('uid'))?.cost, 1 + 100 * (1 + 20))
    assert.equal(measured(cost(12, 8))?.cost, 1 + 100 * (1 + 20 * 12 + 8))
    assert.equal(await refusedFor(cost(12, 8)), null)
    assert.equal(await refusedFor(cost(12, 9)), 'cost')
    assert.equal(measured(nested(graphLimits.depth))?.depth, graphLimits.depth)
    assert.equal(await refusedFor(nested(graphLimits.depth)), null)
    assert.equal(await refusedFor(nested(graphLimits.depth + 1)), 'depth')
    const values = (count: number) => `{ tickets(q: [${repeat(count - 12, () => '1')}]) { _id } }`
    assert.equal(countTokens(values(graphLimits.tokens)), graphLimits.tokens)
    assert.equal(await refusedFor(values(graphLimits.tokens)), null)
    assert.equal(await refusedFor(values(graphLimits.tokens + 1)), 'tokens')
    const padded = (bytes: number) => `{ __typename }${' '.repeat(bytes - 14)}`
    assert.equal((await ask(padded(graphLimits.textBytes))).status, 200)
    assert.equal(await refusedFor(padded(graphLimits.textBytes + 1)), 'textBytes')
    const variables = (bytes: number) => ({ a: 'x'.repeat(bytes - 8) })
    assert.equal(await refusedFor('{ __typename }', variables(graphLimits.variablesBytes)), null)
    assert.equal(await refusedFor('{ __typename }', variables(graphLimits.variablesBytes + 1)), 'variablesBytes')
  })

  it('detect disguised documents', async () => {
    const ladder = repeat(20, (at) => `fragment F${at} on Query { ...F${at + 1} ...F${at + 1} }`)
    const wide = `${ladder} fragment F20 on Query { __typename }`
    const big = repeat(200, () => '_id')
    const tricks: [name: string, document: string, variables?: object][] = [
      ['a circle of fragments', 'query { ...A } fragment A on Query { ...B } fragment B on Query { ...A }'],
      [
        'a fragment in itself',
        'query { current_member { ...A } } fragment A on Customer { accounts { ...B } } fragment B on TradingAccount { balance_transactions { trading_account { ...B } } }',
      ],
      ['an unused circle beside', 'query { ...A } fragment A on Query { __typename ...A }'],
      ['a million fields by doubling', `query { ...F0 } ${wide}`],
      ['doubling through inline fragments', `query { ... { ...F0 } ... on Query { ...F0 } } ${wide}`],
      [
        'one fragment used three times',
        `query { current_member { ...F ...F ...F } } fragment F on Customer { ${big} }`,
      ],
      ['a thousand equal fields', `{ ${repeat(1_000, () => '__typename')} }`],
      ['a thousand equal fields inside', `{ current_member { ${repeat(1_000, () => '_id')} } }`],
      ['a thousand aliases', `{ ${repeat(600, (at) => `a${at}: __typename`)} }`],
      ['aliases in a fragment', `query { ...F } fragment F on Query { ${repeat(13, (at) => `a${at}: __typename`)} }`],
      ['aliases under inline fragments', `{ ${repeat(13, (at) => `... { a${at}: __typename }`)} }`],
      ['directives repeated', `{ __typename ${repeat(13, () => '@include(if: true)')} }`],
      ['directives on inline fragments', `{ ${repeat(13, () => '... @include(if: true) { __typename }')} }`],
      ['unknown directives', `{ __typename ${repeat(13, (at) => `@d${at}`)} }`],
      ['directives on the operation', `query ${repeat(13, (at) => `@d${at}`)} { __typename }`],
      ['directives on variables', `query ($a: ID ${repeat(13, (at) => `@d${at}`)}) { __typename }`],
      [
        'directives on a fragment nobody uses',
        `{ __typename } fragment F on Query ${repeat(13, (at) => `@d${at}`)} { __typename }`,
      ],
      ['many operations', repeat(2, (at) => `query Q${at} { __typename }`)],
      ['a hidden second operation', 'query A { __typename } mutation B { __typename }'],
      [
        'a list at its longest by a variable',
        `query ($l: Int) { tickets(limit: $l) { conversation { ${repeat(13, () => 'uid')} } } }`,
        { l: 100 },
      ],
      [
        'a list at its longest by a default',
        `query ($l: Int = 100) { tickets(limit: $l) { conversation { ${repeat(13, () => 'uid')} } } }`,
      ],
      ['a list beyond its longest', `{ tickets(limit: 2147483647) { conversation { ${repeat(13, () => 'uid')} } } }`],
      [
        'a length that is no number',
        `query ($l: Int) { tickets(limit: $l) { conversation { ${repeat(13, () => 'uid')} } } }`,
        { l: '1' },
      ],
      ['skipped fields, which are read all the same', `{ ${repeat(9, () => '__typename @skip(if: true)')} }`],
      [
        'reads in fragments',
        `query { ...A ...B } fragment A on Query { ${repeat(3, (at) => `a${at}: balance_transactions(withCount: true) { timeline { at } }`)} } fragment B on Query { b: balance_transactions(withCount: true) { _id } }`,
      ],
      [
        'depth by fragments',
        `query { current_member { accounts { ...A } } } fragment A on TradingAccount { balance_transactions { trading_account { ...B } } } fragment B on TradingAccount { balance_transactions { trading_account { ...C } } } fragment C on TradingAccount { balance_transactions { trading_account { balance_transactions { trading_account { balance_transactions { trading_account { _id } } } } } } } `,
      ],
      [
        'every account synced, many times',
        `{ ${repeat(4, (at) => `a${at}: trading_account(_id: "x", sync: true) { _id }`)} }`,
      ],
      ['comments and commas', `{ ${repeat(9, () => ',,,__typename #c\n')} }`],
      ['brackets upon brackets', `{ ${repeat(1_500, () => '{')} }`],
      ['a value nested without end', `{ tickets(q: ${'['.repeat(1_990)}1${']'.repeat(1_990)}) { _id } }`],
    ]
    assert.ok(tricks.length >= 20)
    for (const [name, document, variables] of tricks) {
      const { status, body } = await ask(document, variables)
      const isRefused = (await refusedFor(document, variables)) !== null || /"code":"malformed"/.test(body)
      assert.ok(isRefused, `${name}: ${status} ${body.slice(0, 200)}`)
    }
    const batch = await member.post([{ query: '{ __typename }' }, { query: '{ __typename }' }])
    assert.equal(batch.statusCode, 400)
  })

  it('measure the worst document quickly, without expanding fragments', () => {
    const ladder = repeat(90, (at) => `fragment F${at} on Query { ...F${at + 1} ...F${at + 1} }`)
    const measures = measured(`query { ...F0 } ${ladder} fragment F90 on Query { __typename }`)
    assert.equal(measures?.fields, 2 ** 90)
  })

  it("leave a quarter of room over the portal's own documents", () => {
    const documents = Object.entries(generated).flatMap(([name, value]) =>
      name.endsWith('Document') ? [String(value)] : [],
    )
    assert.ok(documents.length >= 20)
    for (const text of documents) {
      assert.deepEqual(validate(schema, parse(text)), [])
      assertRoom(text, { limit: 100 })
    }
  })

  it('leave the same room over all fields of each root field', () => {
    for (const [name, field] of Object.entries(schema.getQueryType()?.getFields() ?? {})) {
      const required = field.args.filter((arg) => String(arg.type).endsWith('!'))
      const given = required.map((arg) => `${arg.name}: "x"`).join(', ')
      const text = `{ ${name}${given && `(${given})`} ${everythingOf(String(field.type).replace(/[[\]!]/g, ''), 2)} }`
      assert.deepEqual(validate(schema, parse(text)), [], text)
      assertRoom(text, {})
    }
  })

  /** All scalar fields, and those of the objects directly below. */
  function everythingOf(typeName: string, levels: number): string {
    const type = schema.getType(typeName)
    if (!isObjectType(type)) return type && 'getTypes' in type ? '{ __typename }' : ''
    const fields = Object.values(type.getFields()).map((field) => {
      const inner = String(field.type).replace(/[[\]!]/g, '')
      if (!isObjectType(schema.getType(inner)) && !/Model$/.test(inner)) return field.name
      return levels > 1 ? `${field.name} ${everythingOf(inner, levels - 1)}` : ''
    })
    return `{ ${fields.join(' ')} }`
  }

  function assertRoom(text: string, variables: Record<string, unknown>): void {
    const measures = measured(text, variables) ?? assert.fail()
    const all = { ...measures, tokens: countTokens(text), textBytes: Buffer.byteLength(text) }
    for (const [name, value] of Object.entries(all)) {
      const limit = graphLimits[name as LimitName]
      assert.ok(value <= limit * 0.75, `${name} ${value} of ${limit}: ${text.replace(/\s+/g, ' ').slice(0, 80)}`)
    }
  }
})
