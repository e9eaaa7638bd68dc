// spec: MP 6, AO 2.5, AO 3, AO 6, AO 7, AO 9
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addBankAccount, addCompanyBankAccount, addTransaction } from '../../tests/fixtures/payments/money.ts'
import { addMedia } from '../../tests/fixtures/requests.ts'
import { type GraphFixture, openGraphFixture, type Row } from '../../tests/fixtures/trading/graph-fixture.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, addWorkspace } from '../../tests/fixtures/workspaces.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'

describe('the GraphQL queries of members about their money', () => {
  let fixture: GraphFixture
  let made: GraphFixture['made']
  let app: GraphFixture['app']
  let system: GraphFixture['system']
  let memberId: string
  let platformId: string
  let accountId: string
  let signIn: GraphFixture['signIn']
  let ask: GraphFixture['ask']
  let newMember: GraphFixture['newMember']
  let statements = 0

  before(async () => {
    fixture = await openGraphFixture()
    ;({ made, app, system, memberId, platformId, accountId, signIn, ask, newMember } = fixture)
    const counted = new WeakSet()
    made.context.database.pool.on('acquire', (client) => {
      if (counted.has(client)) return
      counted.add(client)
      const run = client.query.bind(client) as (...given: unknown[]) => unknown
      client.query = ((...given: unknown[]) => {
        statements += 1
        return run(...given)
      }) as typeof client.query
    })
  })
  after(() => fixture.close())
  it('answers every field of a transaction', async () => {
    const company = await addCompanyBankAccount(system, { bank_name: 'Harbour Bank', bank_account: '42' })
    const media = await addMedia(system, { memberId, name: 'my receipt.pdf' })
    const own = await newMember()
    const place = { memberId: own.memberId, accountId: own.account }
    const transaction = await addTransaction(system, {
      ...place,
      state: 'approved',
      amount: '1250.5',
      destination: 'Harbour Bank, 42',
      destination_id: company,
      platform_ticket: '88',
    })
    const receipt = await addMedia(system, { memberId: own.memberId, name: 'my receipt.pdf' })
    const created_at = made.context.clock.now()
    const key = { workspace_id: system.workspaceId, member_id: own.memberId, transaction_id: transaction }
    await inTransaction(system, async (tx) => {
      await tx
        .insertInto('transaction_attachments')
        .values({ ...key, media_id: receipt, created_at })
        .execute()
      for (const event of ['deposit.requested', 'deposit.credited']) {
        const entry = { ...key, event_id: newId(), at: created_at, event, actor_kind: 'member' }
        await tx.insertInto('transaction_events').values(entry).execute()
      }
    })
    const { data, errors } = await ask(
      `{ balance_transactions { amount currency status state platform_ticket account_id created_at
        destination_bank_account { bank_name bank_account currency } trade_record { _id deal trade_record_type }
        timeline { event by } attachments { media_type image { url } document { url } file { title url } }
        rejection { reason } trading_account { _id currency customer { _id name } trading_platform { type } } } }`,
      own.token,
    )
    assert.equal(errors, undefined)
    assert.deepEqual(data.balance_transactions, [
      {
        amount: '1250.50',
        currency: 'USD',
        status: 'approved',
        state: 'approved',
        platform_ticket: '88',
        account_id: own.account,
        created_at: created_at.getTime(),
        destination_bank_account: { bank_name: 'Harbour Bank', bank_account: '42', currency: 'USD' },
        trade_record: { _id: '88', deal: '88', trade_record_type: 'balance' },
        timeline: [
          { event: 'deposit.requested', by: 'member' },
          { event: 'deposit.credited', by: 'member' },
        ],
        attachments: [
          {
            media_type: 'file',
            image: null,
            document: null,
            file: { title: 'my receipt.pdf', url: `/private/files/${receipt}/my%20receipt.pdf` },
          },
        ],
        rejection: null,
        trading_account: {
          _id: own.account,
          currency: 'USD',
          customer: { _id: own.memberId, name: 'Mara Member' },
          trading_platform: { type: 'mt5' },
        },
      },
    ])
    assert.ok(media)
  })

  it('filters by every argument, and returns nothing for an impossible value', async () => {
    const own = await newMember()
    const second = await addAccount(system, { memberId: own.memberId, platformId, platform_login: '77123' })
    const start = made.context.clock.now().getTime()
    const ids: string[] = []
    const states = ['pending', 'crediting', 'checking', 'approved', 'rejected', 'cancelled']
    for (const [at, state] of states.entries()) {
      const id = await addTransaction(system, {
        memberId: own.memberId,
        accountId: at === 3 ? second : own.account,
        state,
        ticket: 5_000 + at,
        amount: `${at + 1}.00`,
        type: at === 4 ? 'withdrawal' : 'deposit',
        destination: at === 0 ? 'psp:zotapay' : null,
        created_at: new Date(start + at * 1_000),
      })
      ids.push(id)
    }
    const cases: [args: string, tickets: string[]][] = [
      ['', ['5004', '5003', '5002', '5001', '5000']],
      ['status: "pending"', ['5002', '5001', '5000']],
      ['status: "approved"', ['5003']],
      ['status: "rejected"', ['5004']],
      ['status: "cancelled"', ['5005']],
      ['with_cancelled: true, limit: 2', ['5005', '5004']],
      ['with_cancelled: true, ticket: "5005"', ['5005']],
      ['with_cancelled: true, status: "approved"', ['5003']],
      ['with_cancelled: false, ticket: "5005"', []],
      ['status: "constructor"', []],
      [`_id: "${ids[1]}"`, ['5001']],
      [`_id: "${ids[1]?.toUpperCase()}"`, ['5001']],
      [`_id: "${ids[1]}", status: "approved"`, []],
      [`_id: "${ids[5]}"`, []],
      [`_id: "${newId()}"`, []],
      ['_id: "5001"', []],
      ['ticket: "5001"', ['5001']],
      ['ticket: " 5001 "', ['5001']],
      ['ticket: "5001", account_number: "", type: "", status: " ", destination: "", trading_account: ""', ['5001']],
      ['ticket: "5005"', []],
      ['ticket: "5001\' or 1=1"', []],
      ['ticket: "99999999999999999999"', []],
      ['type: "withdrawal"', ['5004']],
      ['type: "%"', []],
      ['account_number: "77123"', ['5003']],
      ['account_number: "77001"', []],
      [`trading_account: "${second}"`, ['5003']],
      [`trading_account: "${accountId}"`, []],
      ['trading_account: "nonsense"', []],
      ['amount: 2', ['5001']],
      ['amount: "2.000"', ['5001']],
      ['subtotal: "3"', ['5002']],
      ['amount: "2", subtotal: "3"', []],
      ['destination: "zotapay"', ['5000']],
      ['destination: "psp:zotapay"', ['5000']],
      [`created_at_from: ${start + 3_000}`, ['5004', '5003']],
      [`created_at_to: ${start + 1_000}`, ['5001', '5000']],
      [`created_at_from: ${start + 1_000}, created_at_to: ${start + 2_000}`, ['5002', '5001']],
      [`customer: "${own.memberId}", limit: 1`, ['5004']],
      [`customer: "${memberId}"`, []],
      ['customer: "nobody"', []],
      ['limit: 2, page: 2', ['5002', '5001']],
      ['limit: 2, page: 3', ['5000']],
      ['limit: 2, page: 4', []],
      ['limit: -1', ['5004']],
      ['limit: 0, page: 0', ['5004']],
      ['page: -5', ['5004', '5003', '5002', '5001', '5000']],
      ['limit: 1000000000', ['5004', '5003', '5002', '5001', '5000']],
      ['limit: 100, page: 2000000000', []],
      ['created_at_from: 8640000000000000', []],
      ['created_at_to: -8640000000000000', []],
    ]
    for (const [args, tickets] of cases) {
      const { data, errors, extra } = await ask(
        `{ balance_transactions${args && `(${args}, withCount: false)`} { ticket } }`,
        own.token,
      )
      assert.equal(errors, undefined, `${args} ${JSON.stringify(errors)}`)
      assert.deepEqual(
        data.balance_transactions?.map((row) => row.ticket),
        tickets,
        args,
      )
      assert.deepEqual(extra, {})
    }
    const counted = await ask(
      '{ balance_transactions(limit: 1, withCount: true) { _id } in_progress: balance_transactions(status: "pending", withCount: true, limit: 1) { _id } }',
      own.token,
    )
    assert.deepEqual(counted.extra, { countBalancetransactions: 5, countInprogress: 3 })
    const none = await ask(
      '{ pending_deposits(withCount: true) { _id } requests(withCount: true) { _id } open: tickets(withCount: true) { _id } balance_transactions(customer: "x", withCount: true) { _id } }',
      own.token,
    )
    assert.deepEqual(none.extra, { countOrders: 0, countRequests: 0, countOpen: 0, countBalancetransactions: 0 })
  })

  it('returns at most a hundred rows, fifteen by default, in as many round trips as for one', async () => {
    const own = await newMember()
    const whole = (limit: string) => `{
      current_member { name accounts { _id balance } }
      balance_transactions(withCount: true ${limit}) { _id trading_account { _id } timeline { at } attachments { created_at } }
      bank_accounts { _id } system_bank_accounts { _id } }`
    const run = async (query: string) => {
      statements = 0
      const { data, errors, extra } = await ask(query, own.token)
      assert.equal(errors, undefined)
      return { rows: data.balance_transactions?.length, statements, extra }
    }
    await addTransaction(system, { memberId: own.memberId, accountId: own.account })
    await run(whole(''))
    const one = await run(whole(''))
    await Promise.all(
      Array.from({ length: 119 }, () => addTransaction(system, { memberId: own.memberId, accountId: own.account })),
    )
    const many = await run(whole(', limit: 1000000000'))
    assert.deepEqual([one.rows, many.rows], [1, 100])
    assert.deepEqual(many.extra, { countBalancetransactions: 120 })
    assert.equal((await run(whole(''))).rows, 15)
    assert.equal(many.statements, one.statements)
    // The authentication is sent with the first, the related rows with the second.
    assert.equal(many.statements, 2)
    const deep =
      '{ current_member { accounts { balance_transactions { timeline { at } attachments { created_at } trading_account { _id } } } } }'
    await addAccount(system, { memberId: own.memberId, platformId })
    statements = 0
    const { data } = await ask(deep, own.token)
    assert.ok(statements <= 4, `${statements} round trips`)
    const [newest, older] = (data.current_member as unknown as { accounts: { balance_transactions: Row[] }[] }).accounts
    assert.deepEqual([newest?.balance_transactions.length, older?.balance_transactions.length], [0, 15])
  })

  it('never shows rows of another member or another workspace', async () => {
    const first = await newMember()
    const second = await newMember()
    const elsewhere = await addWorkspace(made.context, { subdomain: 'elsewhere' })
    const foreignMember = await addMember(elsewhere)
    const there = await signIn(foreignMember.memberId, elsewhere)
    const place = { memberId: first.memberId, accountId: first.account }
    const transaction = await addTransaction(system, { ...place, ticket: 6_000 })
    await addBankAccount(system, { memberId: first.memberId })
    const query = `{ balance_transactions(ticket: "6000") { _id } trading_account(_id: "${first.account}") { _id }
      by_id: balance_transactions(_id: "${transaction}") { _id }
      current_member { accounts { _id } bank_accounts { _id } } bank_accounts { _id } system_bank_accounts { _id } }`
    const seen = await ask(query, first.token)
    assert.deepEqual(seen.data.by_id, [{ _id: transaction }])
    assert.equal(seen.data.balance_transactions?.length, 1)
    for (const [bearer, host] of [
      [second.token, 'localhost'],
      [there, 'elsewhere.localhost'],
    ] as const) {
      const { data } = await ask(query, bearer, host)
      assert.doesNotMatch(JSON.stringify(data), new RegExp(`${first.account}|${transaction}|6000`))
      assert.deepEqual([data.balance_transactions, data.by_id], [[], []])
      assert.deepEqual([data.trading_account, data.bank_accounts], [null, []])
    }
    assert.deepEqual((await ask(query, there, 'elsewhere.localhost')).data.system_bank_accounts, [])
    const crossed = await app.inject({
      url: '/graph?q=eyBfX3R5cGVuYW1lIH0',
      headers: { authorization: `Bearer ${there}`, host: 'localhost' },
    })
    assert.equal(crossed.statusCode, 401)
    const unknown = await ask(`{ a: trading_account(_id: "${newId()}") { _id } b: trading_account(_id: "x") { _id } }`)
    assert.deepEqual(unknown.data, { a: null, b: null })
  })

  it('refuses fields whose feature or permission is off, without data beside the error', async () => {
    const closed = await addWorkspace(made.context, {
      subdomain: 'closed',
      features: { balance_transactions: false, accounts: false, deposits: false, withdraw: false, downloads: false },
    })
    const off = await signIn((await addMember(closed)).memberId, closed)
    const denied = await newMember({
      permissions: [
        'transactions-',
        'my_accounts-',
        'deposit-',
        'withdraw-',
        'bank-accounts-',
        'support-',
        'downloads-',
      ],
    })
    const fields = [
      'balance_transactions { _id }',
      'trading_account(_id: "x") { _id }',
      'bank_accounts { _id }',
      'system_bank_accounts { _id }',
      'trade_records(trading_account: "x") { _id }',
      'current_member { accounts { _id } }',
      'current_member { bank_accounts { _id } }',
    ]
    for (const field of fields) {
      const first = await ask(`{ ${field} }`, off, 'closed.localhost')
      assert.equal(first.errors?.[0]?.extensions.code, 'feature_off', field)
      const second = await ask(`{ ${field} }`, denied.token)
      assert.equal(second.errors?.[0]?.extensions.code, 'not_permitted', field)
      for (const { data } of [first, second]) assert.doesNotMatch(JSON.stringify(data), /"_id"/)
    }
    assert.equal((await ask('{ tickets { _id } }', denied.token)).errors?.[0]?.extensions.code, 'not_permitted')
    const nested = await newMember({ permissions: ['transactions-'] })
    const { errors } = await ask('{ current_member { accounts { balance_transactions { _id } } } }', nested.token)
    assert.equal(errors?.[0]?.extensions.code, 'not_permitted')
    assert.equal((await ask('{ current_member { accounts { _id } } }', nested.token)).errors, undefined)
  })

  it('lists the transactions of an account even where the list of all transactions is disabled', async () => {
    const open = await addWorkspace(made.context, { subdomain: 'unlisted', features: { balance_transactions: false } })
    const { memberId } = await addMember(open)
    const accountId = await addAccount(open, { memberId, platformId: await addPlatform(open) })
    await addTransaction(open, { memberId, accountId })
    const by = await signIn(memberId, open)
    const listed = await ask('{ balance_transactions { _id } }', by, 'unlisted.localhost')
    assert.equal(listed.errors?.[0]?.extensions.code, 'feature_off')
    const query = `{ trading_account(_id: "${accountId}") { balance_transactions { _id } } }`
    const { data, errors } = await ask(query, by, 'unlisted.localhost')
    assert.equal(errors, undefined)
    assert.equal((data.trading_account as unknown as { balance_transactions: Row[] }).balance_transactions.length, 1)
  })

  it('gives the reason of a rejected deposit and the next step', async () => {
    const own = await newMember()
    const place = { memberId: own.memberId, accountId: own.account }
    await addTransaction(system, {
      ...place,
      state: 'rejected',
      rejection_reason: 'amount_differs',
      rejection_note: '10, not 100',
    })
    const { data } = await ask('{ balance_transactions { status rejection { reason sentence next note } } }', own.token)
    assert.deepEqual(data.balance_transactions, [
      {
        status: 'rejected',
        rejection: {
          reason: 'amount_differs',
          sentence: 'The receipt shows a different amount.',
          next: 'Create a new deposit with the amount on the receipt.',
          note: '10, not 100',
        },
      },
    ])
  })
})
