import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type DocumentNode, type ExecutionResult, execute, isObjectType, parse } from 'graphql'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addBankAccount, addCompanyBankAccount, addTransaction } from '../../tests/fixtures/payments/money.ts'
import { addMedia, addRequest, addRequestType } from '../../tests/fixtures/requests.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, addWorkspace, memberActor } from '../../tests/fixtures/workspaces.ts'
import * as generated from '../../web/api/generated/graphql.ts'
import { columnsOfAccountFields } from '../accounts/queries.ts'
import type { Member, System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { columnsOfFields } from '../funding/queries.ts'
import { schema } from '../schema.ts'
import { executeCompiled } from './compiled.ts'
import { makeContext } from './context.ts'

describe('a compiled document', () => {
  let made: MadeContext
  let system: System
  let member: Member
  let variables: Record<string, unknown>

  before(async () => {
    made = await makeTestContext()
    system = await addWorkspace(made.context, { isDefault: true })
    const { memberId } = await addMember(system)
    const platformId = await addPlatform(system)
    const accountId = await addAccount(system, { memberId, platformId, balance: '10' })
    const beneficiaries = [await addCompanyBankAccount(system), await addBankAccount(system, { memberId })]
    for (const destination_id of beneficiaries)
      await addTransaction(system, { memberId, accountId, destination_id, comment: 'x', platform_ticket: '7001' })
    await addTransaction(system, { memberId, accountId, payment_method: 'psp:zotapay', destination: 'psp:zotapay' })
    const rejected = { state: 'rejected', rejection_reason: 'other', rejection_note: 'No receipt' }
    const transactionId = await addTransaction(system, { memberId, accountId, ...rejected })
    const mediaId = await addMedia(system, { memberId })
    await inTransaction(system, (tx) =>
      tx
        .insertInto('transaction_attachments')
        .values({
          workspace_id: system.workspaceId,
          member_id: memberId,
          transaction_id: transactionId,
          media_id: mediaId,
          created_at: new Date(),
        })
        .execute(),
    )
    const type = await addRequestType(system)
    const request = await addRequest(system, { memberId, requestTypeId: type })
    member = await memberActor(system, memberId)
    variables = { _id: accountId, sync: false, trading_account: accountId, request, type, limit: 10, page: 1 }
  })
  after(() => made.close())

  async function askBoth(document: DocumentNode): Promise<[ExecutionResult, ExecutionResult]> {
    const ask = async (by: typeof execute) => {
      const contextValue = makeContext(member)
      const { data, errors } = await by({ schema, document, contextValue, variableValues: variables })
      // Without the null prototypes of graphql-js, which clients never see.
      return JSON.parse(JSON.stringify({ data, errors, extra: contextValue.counts }))
    }
    return [await ask(executeCompiled), await ask(execute)]
  }

  type Lists = Record<string, Record<string, unknown>[]>
  const memberOf = ({ data }: ExecutionResult) => (data?.current_member ?? {}) as Lists
  const accountsOf = (answer: ExecutionResult) => memberOf(answer).accounts ?? []

  const documents = Object.entries(generated).flatMap(([name, value]) =>
    name.endsWith('Document') ? [[name, String(value)] as const] : [],
  )

  it('gives the answers of the general executor for every document of our pages', async () => {
    assert.ok(documents.length > 20)
    for (const [name, text] of documents) {
      const [compiled, general] = await askBoth(parse(text))
      assert.deepEqual(compiled, general, name)
    }
  })

  const root = () => schema.getQueryType()?.getFields() ?? {}

  it('gives the answers of the general executor for each field of the schema', async () => {
    for (const [name, field] of Object.entries(root())) {
      const type = schema.getType(String(field.type).replace(/[[\]!]/g, ''))
      const given = field.args.filter((arg) => String(arg.type).endsWith('!')).map((arg) => `${arg.name}: "x"`)
      const inner = isObjectType(type) ? Object.keys(type.getFields()) : []
      for (const each of inner) {
        const deeper = isObjectType(type)
          ? schema.getType(String(type.getFields()[each]?.type).replace(/[[\]!]/g, ''))
          : null
        const selected = isObjectType(deeper) || (deeper && 'getTypes' in deeper) ? `${each} { __typename }` : each
        const text = `{ ${name}${given.length > 0 ? `(${given.join(', ')})` : ''} { again: ${selected} ...F } } fragment F on ${type?.name} { ${selected} }`
        const [compiled, general] = await askBoth(parse(text))
        assert.deepEqual(compiled, general, text)
      }
    }
  })

  it('answers under every name that a document may give to a field', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'then', '__defineGetter__']) {
      const [compiled, general] = await askBoth(
        parse(`{ ${name}: current_member { _id ${name}: first_name } current_member { ${name}: accounts { _id } } }`),
      )
      assert.deepEqual(compiled, general, name)
      assert.ok(Object.hasOwn(compiled.data?.current_member as object, name), name)
    }
  })

  it('reports errors with their paths as the general executor does', async () => {
    const refused = await memberActor(system, member.memberId)
    const texts = [
      '{ balance_transactions(limit: 2) { _id } requests { _id } }',
      'query ($limit: Int!) { balance_transactions(limit: $limit) { _id @skip(if: true) ticket } }',
      '{ trading_account(_id: "nobody") { _id } }',
    ]
    member = { ...refused, permissions: ['transactions-'] }
    try {
      for (const text of texts) {
        const [compiled, general] = await askBoth(parse(text))
        assert.deepEqual(compiled, general, text)
      }
    } finally {
      member = refused
    }
  })

  it('reads for each transaction the columns of the selected fields, and every field declares its columns', async () => {
    const type = schema.getType('BalanceTransaction')
    assert.ok(isObjectType(type))
    const names = Object.keys(type.getFields())
    assert.deepEqual(Object.keys(columnsOfFields).sort(), ['__typename', ...names].sort())
    const written = names.map((name) => {
      const inner = schema.getType(String(type.getFields()[name]?.type).replace(/[[\]!]/g, ''))
      if (!isObjectType(inner)) return name
      const leaves = Object.values(inner.getFields()).filter(
        (field) => !isObjectType(schema.getType(String(field.type).replace(/[[\]!]/g, ''))) && field.args.length === 0,
      )
      return `${name} { ${leaves.map((field) => field.name).join(' ')} }`
    })
    const [whole] = await askBoth(parse(`{ balance_transactions { ${written.join(' ')} } }`))
    const all = whole.data?.balance_transactions as Record<string, unknown>[]
    assert.equal(all.length, 4)
    for (const [at, name] of names.entries()) {
      const [alone] = await askBoth(parse(`{ balance_transactions { ${written[at]} } }`))
      const rows = (alone.data?.balance_transactions ?? []) as Record<string, unknown>[]
      assert.deepEqual(
        rows.map((row) => row[name]),
        all.map((row) => row[name]),
        name,
      )
    }
  })

  it('reads for the account of each transaction the columns of the selected fields', async () => {
    const type = schema.getType('TradingAccount')
    assert.ok(isObjectType(type))
    const names = Object.keys(columnsOfAccountFields).filter((name) => name !== '__typename')
    const others = Object.keys(type.getFields()).filter((name) => !names.includes(name))
    // These tables are read by the account's id, whatever else is selected.
    assert.deepEqual(others.sort(), ['balance_transactions', 'psps', 'trade_records'])
    const written = names.map((name) => {
      const inner = schema.getType(String(type.getFields()[name]?.type).replace(/[[\]!]/g, ''))
      if (!isObjectType(inner)) return name
      const leaves = Object.values(inner.getFields()).filter((field) => !/downloads/.test(field.name))
      return `${name} { ${leaves.map((field) => field.name).join(' ')} }`
    })
    const [whole] = await askBoth(parse(`query ($_id: ID!) { trading_account(_id: $_id) { ${written.join(' ')} } }`))
    const all = whole.data?.trading_account as Record<string, unknown>
    for (const [at, name] of names.entries()) {
      const [alone] = await askBoth(parse(`{ balance_transactions { trading_account { ${written[at]} } } }`))
      const rows = (alone.data?.balance_transactions ?? []) as { trading_account: Record<string, unknown> }[]
      assert.ok(rows.length > 0, JSON.stringify(alone.errors))
      assert.deepEqual(rows[0]?.trading_account[name], all[name], name)
      const [listed] = await askBoth(parse(`{ current_member { accounts { ${written[at]} } } }`))
      assert.deepEqual(accountsOf(listed)[0]?.[name], all[name], name)
    }
    const further = '{ currency psps { __typename } balance_transactions { _id } }'
    const [there] = await askBoth(parse(`query ($_id: ID!) { trading_account(_id: $_id) ${further} }`))
    const [here] = await askBoth(parse(`{ balance_transactions(limit: 1) { trading_account ${further} } }`))
    const [row] = (here.data?.balance_transactions ?? []) as { trading_account: unknown }[]
    assert.deepEqual(row?.trading_account, there.data?.trading_account)
    const [listed] = await askBoth(parse(`{ current_member { accounts ${further} } }`))
    assert.deepEqual(accountsOf(listed)[0], there.data?.trading_account)
  })

  it("reads the member's accounts once for several fields", async () => {
    const context = makeContext(member)
    const { read } = context
    let reads = 0
    context.read = (work) => {
      reads += 1
      return read(work)
    }
    const text = '{ current_member { one: accounts { _id currency } other: accounts { leverage customer { name } } } }'
    const answer = await executeCompiled({ schema, document: parse(text), contextValue: context })
    const { one, other } = memberOf(answer)
    const [whole] = await askBoth(parse('{ current_member { accounts { _id currency leverage customer { name } } } }'))
    assert.deepEqual([{ ...one?.[0], ...other?.[0] }], accountsOf(whole))
    assert.equal(reads, 2, 'the member and the accounts')
  })
})
