import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { getIntrospectionQuery, Kind, parse } from 'graphql'
import { type GraphMember, openGraphMember } from '../../tests/fixtures/app-fixture.ts'
import { schema } from '../schema.ts'
import { graphLimits, measureDocument } from './limits.ts'

const repeat = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join(' ')

/** A document whose one operation selects almost nothing. */
const beside = (...definitions: string[]) => `{ __typename } ${definitions.join(' ')}`
const onAccount = (inner: string, name = 'A') => `fragment ${name} on TradingAccount { ${inner} }`
const customers = (count: number) => repeat(count, () => 'customer { _id }')
const many = repeat(13, (at) => `a${at}: _id`)
const deep = `${'customer { accounts { '.repeat(6)}_id ${'} }'.repeat(6)}`

/** Documents that would be expensive to validate; a limit must refuse each before validation. */
const attacks: [name: string, document: string, variables?: object][] = [
  ['480 equal fields in an unused fragment', beside(onAccount(customers(480)))],
  ['as many as the field limit allows', beside(onAccount(customers(190)))],
  ['as many under other types', beside(onAccount(repeat(190, () => '... on TradingAccount { customer { _id } }')))],
  ['as many, in an operation', `{ requests { ${repeat(190, () => 'request_type { _id }')} } }`],
  ['equal fields spread over fragments', beside(...spread(20, (at) => onAccount(customers(9), `F${at}`)))],
  ['equal fields that are used, by fragments', usedByAll(20, 9)],
  ['equal fields one level further down', beside(onAccount(`customer { ${repeat(190, () => 'accounts { _id }')} }`))],
  ['few equal fields on each of many levels', beside(onAccount(twice(7)))],
  ['one after another of the same name', beside(onAccount(customers(480)), onAccount('_id'))],
  ['one before another of the same name', beside(onAccount('_id'), onAccount(customers(480)))],
  ['an unused fragment on an unknown type', beside(`fragment A on Nothing { ${customers(480)} }`)],
  ['an unused circle', beside(onAccount('...B'), onAccount('...A', 'B'))],
  ['an unused fragment in itself', beside(onAccount('_id ...A'))],
  ['an unused circle through fields', beside(onAccount('customer { accounts { ...A } }'))],
  ['unused fragments that double', beside(...ladder(20))],
  ['unused fragments that refer to each other', beside(...ladder(23), onAccount('...F0 ...F1', 'G'))],
  ['more fragments than allowed', beside(...spread(25, (at) => onAccount('_id', `F${at}`)))],
  ['300 fragments', beside(...spread(220, (at) => onAccount('_id', `F${at}`)))],
  ['aliases in an unused fragment', beside(onAccount(many))],
  ['aliases in two unused fragments', beside(onAccount(repeat(7, (at) => `a${at}: _id`)), onAccount(many, 'B'))],
  ['depth in an unused fragment', beside(onAccount(deep))],
  [
    'lists in an unused fragment',
    beside('fragment A on Query { tickets(limit: 100) { conversation { a b c d e f g h i j k l m n } } }'),
  ],
  [
    'reads in an unused fragment',
    beside(`fragment A on Query { ${repeat(12, (at) => `b${at}: bank_accounts { _id }`)} }`),
  ],
  ['directives in an unused fragment', beside(onAccount(repeat(13, () => '_id @skip(if: false)')))],
  [
    'repeated directives on an unused fragment',
    beside(`fragment A on Query ${'@skip(if: true) '.repeat(13)}{ __typename }`),
  ],
  ['directives on unused spreads', beside(onAccount(repeat(13, () => '...B @skip(if: true)')), onAccount('_id', 'B'))],
  ['spreads of unknown fragments', beside(onAccount(`${repeat(500, () => '...Nobody')} ${customers(62)}`))],
  ['inline fragments in an unused fragment', beside(onAccount(repeat(200, () => '... { customer { _id } }')))],
  ['nested inline fragments', beside(onAccount(`${'... { '.repeat(300)}${customers(190)}${' }'.repeat(300)}`))],
  ['huge variable definitions', `query (${repeat(480, (at) => `$v${at}: ID`)}) { __typename }`],
  ['huge defaults', `query ($v: [Int] = [${repeat(2_000, () => '1')}]) { __typename }`],
  ['hundreds of operations', repeat(300, (at) => `query Q${at} { __typename }`)],
  ['an operation of every kind', 'query A { __typename } mutation B { __typename } subscription C { __typename }'],
  ['types beside the query', beside(`type A { ${repeat(400, (at) => `f${at}: B`)} }`)],
  ['a schema alone', repeat(300, (at) => `scalar A${at}`)],
  ['introspection over and over', `{ __schema { types { ${repeat(450, () => 'fields { name }')} } } }`],
  ['introspection of one type', `{ __type(name: "Query") { ${repeat(150, () => 'fields { name }')} } }`],
  ['block strings', `{ tickets(q: """${'a "quoted" line\n'.repeat(1_400)}""") { _id } }`],
  ['hundreds of block strings', `{ tickets(q: [${'"""""" '.repeat(2_000)}]) { _id } }`],
  ['comments around them', beside('#c\n'.repeat(400), onAccount(customers(480)))],
  ['comments alone', `{ __typename } ${'# nothing here\n'.repeat(1_400)}`],
]

function spread(count: number, make: (at: number) => string): string[] {
  return Array.from({ length: count }, (_, at) => make(at))
}

function usedByAll(count: number, each: number): string {
  const fragments = spread(count, (at) => `fragment F${at} on Customer { ${repeat(each, () => 'accounts { _id }')} }`)
  return `{ current_member { ${repeat(count, (at) => `...F${at}`)} } } ${fragments.join(' ')}`
}

/** The same field twice, on each level below itself. */
function twice(levels: number): string {
  if (levels === 0) return '_id'
  const name = levels % 2 ? 'customer' : 'accounts'
  const inner = twice(levels - 1)
  return `${name} { ${inner} } ${name} { ${inner} }`
}

function ladder(count: number): string[] {
  const inner = (at: number) => `customer { accounts { ...F${at + 1} } } customer { accounts { ...F${at + 1} } }`
  return [...spread(count, (at) => onAccount(inner(at), `F${at}`)), onAccount('_id', `F${count}`)]
}

describe('the work of validation', () => {
  let member: GraphMember
  before(async () => {
    member = await openGraphMember()
  })
  after(() => member.close())

  async function ask(query: string, variables: object = {}) {
    const response = await member.post({ query, variables })
    const { errors = [] } = response.json<{ errors?: { message: string; extensions?: { code?: string } }[] }>()
    return {
      status: response.statusCode,
      messages: errors.map((one) => one.message),
      code: errors[0]?.extensions?.code,
    }
  }

  for (const [name, document, variables] of attacks)
    it(`is avoided by a limit: ${name}`, async () => {
      const { status, messages, code } = await ask(document, variables)
      assert.deepEqual([status, code, messages.length], [400, 'too_expensive', 1], `${messages}`)
    })

  it('counts an unused fragment like a used one', () => {
    const fragment = 'fragment A on Customer { _id accounts { a: _id account_name } }'
    const given = ['fields', 'aliases', 'directives', 'cost', 'fragments'] as const
    const more = (text: string, than: string) => given.map((name) => measure(text)[name] - measure(than)[name])
    const counted = more(beside(fragment), beside())
    assert.deepEqual(counted, more(`{ current_member { ...A } } ${fragment}`, '{ current_member }'))
    assert.deepEqual(counted, [4, 1, 0, 2 + 20 * 2, 1])
  })

  it('leaves a small unused fragment to validation', async () => {
    const { messages } = await ask(beside(onAccount('_id')))
    assert.deepEqual(messages, ['Fragment "A" is never used.'])
  })

  it('counts a response name repeated through fragments', () => {
    const fragments = 'fragment A on Customer { _id name } fragment B on Customer { _id ... on Customer { _id } }'
    assert.equal(measure(`{ current_member { _id ...A ...A ...B } } ${fragments}`).repeatedFields, 3)
    assert.equal(measure('{ current_member { a: _id b: _id _id } }').repeatedFields, 0)
  })

  it('leaves room for the introspection query of common tools', async () => {
    const text = getIntrospectionQuery()
    for (const [name, value] of Object.entries(measure(text)))
      assert.ok(value <= graphLimits[name as keyof typeof graphLimits], `${name}: ${value}`)
    assert.equal((await ask(text)).status, 200)
  })

  function measure(text: string) {
    const document = parse(text)
    assert.equal(document.definitions[0]?.kind, Kind.OPERATION_DEFINITION)
    return measureDocument({ document, schema, variables: {} }) ?? assert.fail()
  }
})
