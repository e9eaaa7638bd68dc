// spec: DK reconciliation
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addAmounts } from '@atrium/contract/money/money.ts'
import { statementTexts } from '@atrium/contract/statements/calls.ts'
import Big from 'big.js'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addTransaction } from '../../tests/fixtures/payments/money.ts'
import { readPdf } from '../../tests/fixtures/pdf-text.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addHistory, dealOf } from '../../tests/fixtures/trading/trade-history.ts'
import {
  addMember,
  addWorkspace,
  memberActor,
  openTestSession,
  setFeatures,
  setPermissions,
} from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { keepDeals } from '../trades/deals.ts'
import { entriesMax, periodOf } from './queries.ts'
import { splitByFont } from './script-fonts.ts'
import { linesOf, monthBefore, monthOf, writeStatement } from './statement.ts'

const at = (day: number, hour = 12) => Date.UTC(2026, 9, day, hour) / 1000

/** The fields of a deal that moves money without a trade. */
const money = { symbol: '', entry: 0, swap: '0', commission: '0', fee: '0', isTrade: false } as const

describe('account statement of a month', () => {
  let made: MadeContext
  let app: FastifyInstance
  let system: System
  let memberId: string
  let token: string
  let platformId: string
  let accountId: string

  const signIn = async (id: string) => (await openTestSession(system, { kind: 'member', id })).token
  const path = (id = accountId) => `/members/trading-accounts/${id}/statement`
  const months = async (id = accountId, bearer = token) => callerOf(app).get(`${path(id)}s`, bearer)
  const ask = (month: string, id = accountId, bearer = token) =>
    app.inject({ method: 'GET', url: `${path(id)}?month=${month}`, headers: { authorization: `Bearer ${bearer}` } })
  const textOf = async (month: string) => {
    const answer = await ask(month)
    assert.equal(answer.statusCode, 200, answer.body)
    return readPdf(answer.rawPayload)
  }

  before(async () => {
    made = await makeTestContext()
    app = await buildApp(made.context)
    system = await addWorkspace(made.context, { isDefault: true, name: 'Harbour Markets' })
    const person = await addMember(system, {
      first_name: 'Māra Ωμέγα',
      last_name: '山田 สมชาย محمد',
      time_zone: 'America/New_York',
    })
    memberId = person.memberId
    token = await signIn(memberId)
    platformId = await addPlatform(system)
    accountId = await addAccount(system, { memberId, platformId, platform_login: '700123' })
    await addHistory(system, { memberId, accountId, platformId }, [
      dealOf({ id: '1', cmd: 'OP_BALANCE', at: Date.UTC(2026, 8, 15) / 1000, profit: '1000.10', ...money }),
      // Two in the morning in Malta is the last evening of September in New York.
      dealOf({ id: '2', cmd: 'OP_BALANCE', at: at(1, 2), profit: '0.20', ...money }),
      dealOf({ id: '3', cmd: 'OP_BALANCE', at: at(2), profit: '250.00', ...money }),
      dealOf({ id: '4', at: at(3), profit: '90.10', swap: '-0.40', commission: '-2.00', fee: '0' }),
      dealOf({ id: '5', at: at(3, 18), profit: '-10.05', swap: '0', commission: '0', fee: '0' }),
      dealOf({ id: '6', cmd: 'OP_CREDIT', at: at(4), profit: '500.00', ...money }),
      dealOf({ id: '7', cmd: 'OP_BALANCE', at: at(5), profit: '-100.00', ...money }),
      dealOf({ id: '8', cmd: 'OP_CHARGE', at: at(6), profit: '-1.15', ...money }),
      // A cancelled order of MetaTrader 4, in the history without moving money.
      dealOf({ id: '10', cmd: 'OP_BUY_LIMIT', at: at(7), profit: '0', ...money }),
      dealOf({ id: '9', cmd: 'OP_BALANCE', at: Date.UTC(2026, 10, 2) / 1000, profit: '7.00', ...money }),
    ])
    await setHistory({ is_complete: true, read_to: made.context.clock.now() })
    await addTransaction(system, { memberId, accountId, state: 'approved', platform_ticket: '3', ticket: 4711 })
  })
  after(async () => {
    await app.close()
    await made.close()
  })

  function setHistory(values: {
    is_complete?: boolean
    read_to?: Date
    failing_since?: Date | null
    queued_at?: null
  }) {
    return inTransaction(system, (tx) =>
      tx
        .updateTable('trade_histories')
        .set(values)
        .where('workspace_id', '=', system.workspaceId)
        .where('account_id', '=', accountId)
        .execute(),
    )
  }

  const queuedAt = async () => {
    const history = await reading(system, (tx) =>
      tx
        .selectFrom('trade_histories')
        .select('queued_at')
        .where('workspace_id', '=', system.workspaceId)
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow(),
    )
    return history.queued_at
  }

  it('adds up from opening to closing balance to the cent, in the member\u2019s time zone', async () => {
    const { text, pages } = await textOf('2026-10')
    const lines = text.split('\n')
    assert.equal(pages, 1)
    assert.match(text, /Harbour Markets/)
    assert.match(text, /#700123 · MetaTrader 5 · Live/)
    assert.match(text, /01 Oct 2026 – 31 Oct 2026/)
    assert.match(text, /America\/New_York/)
    const after = (name: string) => lines[lines.indexOf(name) + 1]
    assert.equal(after('Opening balance'), '1,000.30')
    assert.equal(after('Paid in'), '250.00')
    assert.equal(after('Paid out'), '-101.15')
    // 90.10 - 0.40 - 2.00 - 10.05: a day's trades are one line. Credit is not part of the balance.
    assert.equal(after('Trading result'), '77.65')
    assert.equal(after('Closing balance'), '1,226.80')
    assert.match(text, /Deposit\n4711\n250\.00\n1,250\.30/)
    assert.match(text, /2 closed trades\n77\.65\n1,327\.95/)
    assert.match(text, /Withdrawal\n7\n-100\.00\n1,227\.95/)
    assert.match(text, /Charge\n8\n-1\.15\n1,226\.80/)
    assert.doesNotMatch(text, /Other operation/)
    assert.match(text, /Page 1 of 1/)
    const before = await textOf('2026-09')
    assert.match(before.text, /Closing balance\n1,000\.30/)
    const next = await textOf('2026-11')
    assert.match(next.text, /Opening balance\n1,226\.80/)
    assert.match(next.text, /As of/)
  })

  it('reports a difference from the platform\u2019s balance, and none where both agree or it is unknown', async () => {
    const now = made.context.clock.now().getTime()
    const disagrees = async (balance: string, sinceMs: number) => {
      await inTransaction(system, (tx) =>
        tx
          .updateTable('trading_accounts')
          .where(here)
          .set({ balance, synced_at: new Date(now - sinceMs) })
          .where('account_id', '=', accountId)
          .execute(),
      )
      const { text } = await textOf('2026-11')
      if (!text.includes('differs from the trading platform')) return false
      assert.match(text, /showed a balance of 1,233\.79, and its operations add up to 1,233\.80\./)
      return true
    }
    assert.equal(await disagrees('1233.80', 60_000), false)
    assert.equal(await disagrees('1233.79', 60_000), true)
    // Newer than the last read of the ledger, so it may include an unread deal.
    assert.equal(await disagrees('1233.79', -60_000), false)
    await disagrees('1233.80', 60_000)
    assert.doesNotMatch((await textOf('2026-10')).text, /differs from the trading platform/)
  })

  it('shows every digit of an amount, however long', async () => {
    const account = { memberId, platformId }
    const largeId = await addAccount(system, { ...account, currency: 'IDR' })
    const booked = { ...money, cmd: 'OP_BALANCE' } as const
    await addHistory(system, { ...account, accountId: largeId }, [
      dealOf({ id: '21', at: Date.UTC(2026, 8, 15) / 1000, profit: '1250000000000.25', ...booked }),
      dealOf({ id: '22', at: at(2), profit: '150000000.75', ...booked }),
      dealOf({ id: '23', at: at(3), profit: '-12345678901.50', ...booked }),
    ])
    const { text } = readPdf((await ask('2026-10', largeId)).rawPayload)
    assert.match(
      text,
      /Opening balance\n1,250,000,000,000\.25\nPaid in\n150,000,000\.75\nPaid out\n-12,345,678,901\.50/,
    )
    assert.match(text, /Closing balance\n1,237,804,321,099\.50\n/)
    assert.match(text, /Deposit\n22\n150,000,000\.75\n1,250,150,000,001\.00/)
    assert.match(text, /Withdrawal\n23\n-12,345,678,901\.50\n1,237,804,321,099\.50/)
  })

  it('writes every script of a name', async () => {
    const { text } = await textOf('2026-10')
    for (const word of ['Māra Ωμέγα', '山田', 'สมชาย'])
      assert.ok(text.includes(word), `${word} in ${text.slice(0, 200)}`)
    assert.doesNotMatch(text, /\u25a1/)
  })

  it('offers the months since the account is known, latest first', async () => {
    const { body } = await months()
    assert.deepEqual((body as { months: string[] }).months.slice(-3), ['2026-11', '2026-10', '2026-09'])
    for (const month of ['2026-08', '2027-05']) {
      const answer = await ask(month)
      assert.deepEqual([answer.statusCode, answer.json().error], [404, statementTexts.noSuchMonth])
    }
    assert.equal((await ask('2026-13')).statusCode, 422)
    assert.equal((await ask("2026-11';--")).statusCode, 422)
  })

  for (const zone of ['IST', 'ACT'])
    it(`is of a month in ${zone}, which the database does not know as the program does`, async () => {
      const { from, to } = await reading(system, (tx) => periodOf(tx, '2026-10', zone))
      const months = [from, new Date(to.getTime() - 1), to].map((moment) => monthOf(moment, zone))
      assert.deepEqual(months, ['2026-10', '2026-10', '2026-11'])
    })

  it('is refused while the ledger is incomplete', async () => {
    await setHistory({ is_complete: false })
    const answer = await ask('2026-10')
    assert.deepEqual([answer.statusCode, answer.json().error], [503, statementTexts.beingRead])
    await setHistory({ is_complete: true })
  })

  it('is refused while the ledger was read up to the middle of an ended month, unless the platform does not answer', async () => {
    const now = made.context.clock.now()
    await setHistory({ read_to: new Date(at(20) * 1000) })
    const answer = await ask('2026-10')
    assert.deepEqual([answer.statusCode, answer.json().error], [503, statementTexts.beingRead])
    await setHistory({ failing_since: now, queued_at: null })
    assert.match((await textOf('2026-10')).text, /As of/)
    // The platform may have come back since: the rest of the month is asked for.
    assert.notEqual(await queuedAt(), null)
    await setHistory({ read_to: now, failing_since: null })
  })

  it('is offered for no month after the last reading of an archived account, which the platform no longer has', async () => {
    const now = made.context.clock.now()
    const setArchived = (archived: boolean) =>
      inTransaction(system, (tx) =>
        tx.updateTable('trading_accounts').where(here).set({ archived }).where('account_id', '=', accountId).execute(),
      )
    await setArchived(true)
    await setHistory({ read_to: new Date(at(20) * 1000), failing_since: now })
    assert.deepEqual((await months()).body.months, ['2026-10', '2026-09'])
    const answer = await ask('2026-11')
    assert.deepEqual([answer.statusCode, answer.json().error], [404, statementTexts.noSuchMonth])
    assert.match((await textOf('2026-10')).text, /As of/)
    await setArchived(false)
    await setHistory({ read_to: now, failing_since: null })
  })

  it('adds up also with more bookings than it lists', async () => {
    const account = { memberId, platformId }
    const busyId = await addAccount(system, account)
    // A payment for every trade of a client, as introducing brokers get.
    const booked = { ...money, cmd: 'OP_AGENT' } as const
    const deals = Array.from({ length: entriesMax + 3 }, (_, index) =>
      dealOf({ id: String(10_000 + index), ...booked, at: at(2) + index, profit: index % 2 === 0 ? '0.07' : '-0.01' }),
    )
    await addHistory(system, { ...account, accountId: busyId }, deals)
    const statement = await writeStatement(await memberActor(system, memberId), busyId, '2026-10')
    const { opening, paidIn, paidOut, traded, closing, lines } = statement
    assert.deepEqual([lines.length, lines.at(-1)?.what], [entriesMax + 1, 'Further operations'])
    assert.equal([opening, paidIn, paidOut, traded].reduce(addAmounts), new Big(closing).toFixed())
    assert.deepEqual([paidIn, paidOut, traded], ['175.14', '-25.01', '0.00'])
  })

  it('adds up also while deals are stored', async () => {
    const account = { memberId, platformId }
    const accountId = await addAccount(system, account)
    const booked = { ...money, cmd: 'OP_BALANCE' } as const
    await addHistory(system, { ...account, accountId }, [dealOf({ id: '100', at: at(1), profit: '100.00', ...booked })])
    let count = 0
    const storeDeal = () => {
      count += 1
      const deal = dealOf({ id: String(100 + count), at: at(2) + count, profit: '10.00', ...booked })
      return inTransaction(system, (tx) =>
        keepDeals(tx, system, { account_id: accountId, member_id: memberId }, [deal]),
      )
    }
    const { database } = made.context
    const connect = async () => {
      const client = await database.pool.connect()
      const query = async (sent: { statements?: { text: string }[] }, ...rest: unknown[]) => {
        if (sent.statements?.some(({ text }) => text.includes('trade_deals'))) await storeDeal()
        return Reflect.apply(client.query, client, [sent, ...rest])
      }
      return new Proxy(client, {
        get: (target, name) => {
          const value: unknown = name === 'query' ? query : Reflect.get(target, name)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    }
    const pool = new Proxy(database.pool, {
      get: (target, name) => (name === 'connect' ? connect : Reflect.get(target, name)),
    })
    const member = await memberActor(system, memberId)
    const beside = { ...member, context: { ...made.context, database: { ...database, pool } } }
    const { opening, paidIn, paidOut, traded, closing, lines } = await writeStatement(beside, accountId, '2026-10')
    assert.ok(count > 0)
    assert.equal([opening, paidIn, paidOut, traded].reduce(addAmounts), new Big(closing).toFixed())
    assert.deepEqual([lines.filter(({ what }) => what !== 'Deposit'), lines.at(-1)?.balance], [[], closing])
  })

  it('needs access to accounts and the permission of transactions, whose own list may be off', async () => {
    for (const [features, permissions, expected] of [
      [{ balance_transactions: false }, [], 200],
      [{ accounts: false }, [], 404],
      [{}, ['my_accounts-'], 403],
      [{}, ['transactions-'], 403],
    ] as const) {
      await setFeatures(system, features)
      await setPermissions(system, memberId, [...permissions])
      const statuses = [(await months()).status, (await ask('2026-10')).statusCode]
      assert.deepEqual(statuses, [expected, expected], JSON.stringify([features, permissions]))
    }
    await setFeatures(system, {})
    await setPermissions(system, memberId, [])
  })

  it('is the owner\u2019s only, is downloaded as a file, and is rate-limited', async () => {
    const other = await addMember(system)
    const theirs = await signIn(other.memberId)
    const [foreign, unknown] = [await ask('2026-10', accountId, theirs), await ask('2026-10', newId(), theirs)]
    assert.deepEqual([foreign.statusCode, foreign.json().error], [404, unknown.json().error])
    assert.equal((await months(accountId, theirs)).status, 404)
    const own = await ask('2026-10')
    assert.equal(own.headers['content-type'], 'application/pdf')
    assert.equal(own.headers['content-disposition'], 'attachment; filename="statement-700123-2026-10.pdf"')
    assert.equal(own.headers['x-content-type-options'], 'nosniff')
    let last = 200
    for (let tries = 1; tries < 40 && last === 200; tries += 1) last = (await ask('2026-10')).statusCode
    assert.equal(last, 429)
  })
})

it('lines end at the closing balance for any sums and decimals', () => {
  const cents = fc.integer({ min: -10_000_000, max: 10_000_000 })
  fc.assert(
    fc.property(
      cents,
      fc.array(cents, { maxLength: 60 }),
      fc.constantFrom(0, 2, 3, 8, 18),
      (first, moves, decimals) => {
        const text = (units: number | bigint) => {
          const digits = String(units)
            .replace('-', '')
            .padStart(decimals + 1, '0')
          const cut = digits.length - decimals
          return `${Number(units) < 0 ? '-' : ''}${digits.slice(0, cut)}${decimals > 0 ? `.${digits.slice(cut)}` : ''}`
        }
        const total = moves.reduce((sum, move) => sum + BigInt(move), BigInt(first))
        const entries = moves.map((move, index) => ({
          at: new Date(index),
          deal_id: String(index),
          cmd: 'OP_BALANCE',
          amount: text(move),
          closed: 0,
          ticket: null,
        }))
        const ends = { opening: text(first), closing: text(total), currency: 'USD', end: new Date() }
        const lines = linesOf(entries, ends)
        assert.equal(lines.length, moves.length)
        const last = lines.at(-1)
        if (last) assert.equal(Number(last.balance), Number(text(total)))
      },
    ),
    { numRuns: 2_000 },
  )
})

it('entries beyond the limit become one line', () => {
  const entry = { at: new Date(0), deal_id: '1', cmd: 'OP_BALANCE', amount: '5', closed: 0, ticket: null }
  const lines = linesOf([entry], { opening: '1', closing: '9.5', currency: 'USD', end: new Date(1) })
  assert.deepEqual(
    lines.map(({ what, amount, balance }) => [what, amount, balance]),
    [
      ['Deposit', '5.00', '6.00'],
      ['Further operations', '3.50', '9.50'],
    ],
  )
})

it('months follow the member\u2019s time zone', () => {
  const midnight = new Date('2026-11-01T02:00:00Z')
  assert.deepEqual([monthOf(midnight, 'America/New_York'), monthOf(midnight, 'Europe/Malta')], ['2026-10', '2026-11'])
  assert.deepEqual([monthBefore('2026-01'), monthBefore('2026-11')], ['2025-12', '2026-10'])
})

it('splits a name by the fonts that can write it, and drops direction marks', () => {
  assert.deepEqual(splitByFont('Mara'), [{ font: 'body', text: 'Mara' }])
  assert.deepEqual(
    splitByFont('Mara 山田').map(({ font }) => font),
    ['body', 'any'],
  )
  assert.deepEqual(splitByFont('a\u202eb\u200bc\u0000'), [{ font: 'body', text: 'abc' }])
  assert.match(splitByFont('\u{10ffff}')[0]?.text ?? '', /\ufffd/)
})
