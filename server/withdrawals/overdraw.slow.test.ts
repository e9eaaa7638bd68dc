// spec: AO 5, OP factors

/**
 * Simultaneous withdrawals through two server processes, while staff approve and trading reduces the balance: the sum
 * never exceeds the available amount. `ATRIUM_TEST_OVERDRAW_ROUNDS` repeats it, each time with a new member and
 * account.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addAmounts, isMore } from '@atrium/contract/money/money.ts'
import { type ChildServer, eventually } from '../../tests/doubles/child-server.ts'
import { startServerOn } from '../../tests/doubles/killed-server.ts'
import { addBankAccount } from '../../tests/fixtures/payments/money.ts'
import { addAccount } from '../../tests/fixtures/trading/platforms.ts'
import {
  openTradingFixture,
  readTransaction,
  type TradingFixture,
} from '../../tests/fixtures/trading/trading-fixture.ts'
import { addMember } from '../../tests/fixtures/workspaces.ts'
import { reading } from '../foundation/database/database.ts'
import { findViolations } from '../funding/ledger.ts'

const rounds = Number(process.env.ATRIUM_TEST_OVERDRAW_ROUNDS ?? 3)
const atOnce = 50

let setup: TradingFixture
let servers: ChildServer[]
let staffToken: string
before(async () => {
  // Long timeouts, so that a busy machine does not refuse requests: the test counts accepted ones.
  setup = await openTradingFixture({ readMs: 30_000, writeMs: 30_000 })
  servers = await Promise.all([startServerOn(setup), startServerOn(setup)])
  const { email, password } = setup.staffSignIn
  staffToken = String((await post(0, '/desk/api/login', { email, password })).body.token)
})
after(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await setup.close()
})

type Answer = { status: number; body: Record<string, unknown> }

async function post(turn: number, path: string, body: object, token?: string): Promise<Answer> {
  const server = servers[turn % servers.length]
  assert.ok(server)
  const authorization: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  const headers = { 'content-type': 'application/json', ...authorization }
  const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

type Drawer = { memberId: string; login: string; token: string; trading_account: string; destination_id: string }

let logins = 810_000

/** A newly signed-in member with a balance of a thousand. */
async function openDrawer(): Promise<Drawer> {
  const { system, platformId, simulator } = setup
  const { memberId, email, password } = await addMember(system, { documents_status: 'approved' })
  logins += 1
  const login = String(logins)
  const name = 'Olga Overdraw'
  simulator.control.seedAccounts([{ login, group: 'real\\standard-usd', name, leverage: 100, balance: '1000.00' }])
  const trading_account = await addAccount(system, { memberId, platformId, platform_login: login })
  const destination_id = await addBankAccount(system, { memberId })
  const token = String((await post(0, '/members/login', { email, password })).body.token)
  return { memberId, login, token, trading_account, destination_id }
}

/** Prepares the forms, so that the returned function sends all of them simultaneously. */
async function fillIn({ token, trading_account, destination_id }: Drawer, amounts: string[]) {
  const ask = { token_key: 'transaction_withdrawal' }
  const nonces = await Promise.all(amounts.map((_, turn) => post(turn, '/members/get-unique-token', ask, token)))
  return (): Promise<Answer>[] =>
    amounts.map((amount, turn) => {
      const asked = { ...ask, trading_account, amount, comment: 'All of it', nonce_token: nonces[turn]?.body.token }
      const form = { ...asked, destination: 'bank_account', destination_id }
      return post(turn, '/members/withdrawals/create', form, token)
    })
}

const many = (amount: string, times: number): string[] => Array.from({ length: times }, () => amount)

/** The accepted requests. A busy machine answers some with 503, which reserves nothing. */
function accepted(answers: Answer[]): string[] {
  assert.deepEqual(
    answers.map(({ status }) => status).filter((status) => ![200, 422, 503].includes(status)),
    [],
  )
  return answers.filter(({ status }) => status === 200).map(({ body }) => (body.transaction as { _id: string })._id)
}

/** Sends one request, repeated while the machine is too busy. */
async function askAlone(drawer: Drawer, amount: string): Promise<string | null> {
  for (let tries = 0; tries < 20; tries++) {
    const send = await fillIn(drawer, [amount])
    const answers = await Promise.all(send())
    const [id] = accepted(answers)
    if (id !== undefined || answers[0]?.status === 422) return id ?? null
  }
  throw new Error('The platform stays silent')
}

async function take(drawer: Drawer, amount: string): Promise<string> {
  const id = await askAlone(drawer, amount)
  assert.ok(id, `${amount} was not available`)
  return id
}

/** Asserts that exactly this amount is available, then withdraws it. */
async function takeAllOf(drawer: Drawer, amount: string): Promise<string> {
  assert.equal(await askAlone(drawer, addAmounts(amount, '0.01')), null, `more than ${amount} was available`)
  return take(drawer, amount)
}

/** Decides like staff: retries while the platform is too busy to check the cover. */
async function decide(turn: number, [id, what, body]: [string, string, object]): Promise<number> {
  for (let tries = 0; tries < 20; tries++) {
    const { status } = await post(turn, `/desk/api/withdrawals/${id}/${what}`, body, staffToken)
    if (status !== 503) return status
  }
  throw new Error('The platform stays silent')
}
const approve = (turn: number, id: string) => decide(turn, [id, 'approve', {}])
const reject = async (id: string) => assert.equal(await decide(1, [id, 'reject', { reason: 'withdrawal_other' }]), 200)
const stateOf = async (id: string) => (await readTransaction(setup, id)).state
const stands = (id: string, ...states: string[]) =>
  eventually(`the withdrawal is ${states.join(' or ')}`, async () => states.includes(await stateOf(id)))

/** A closed trade that lost half of the balance. */
function loseHalf({ login }: Drawer): void {
  const at = Date.now()
  const prices = { openPrice: '1.10000', closePrice: '1.09500', openedAtMs: at - 60_000, closedAtMs: at }
  setup.simulator.control.addTrade(login, { symbol: 'EURUSD', side: 'buy', lots: '1.00', ...prices })
}

/** Asserts that every debit of ours was covered at its time, whatever was lost afterwards. */
function mustNeverOverdraw({ login }: Drawer): void {
  let balance = '0'
  for (const { amount, comment } of setup.simulator.control.ledger(login)) {
    balance = addAmounts(balance, amount === '' ? '0' : amount)
    const isDebitOfOurs = amount.startsWith('-') && comment !== ''
    if (isDebitOfOurs) assert.ok(!isMore('0', balance), `${amount} left ${balance}`)
  }
}

async function countRows({ memberId }: Drawer): Promise<number> {
  const { system } = setup
  const rows = await reading(system, (tx) =>
    tx
      .selectFrom('balance_transactions')
      .select('transaction_id')
      .where('workspace_id', '=', system.workspaceId)
      .where('member_id', '=', memberId)
      .execute(),
  )
  return rows.length
}

for (let round = 1; round <= rounds; round++)
  describe(`with two processes, round ${round}`, () => {
    test('of fifty simultaneous withdrawals of sixty percent, one is accepted', async () => {
      const drawer = await openDrawer()
      const send = await fillIn(drawer, many('600.00', atOnce))
      const taken = accepted(await Promise.all(send())).length
      assert.ok(taken <= 1, `${taken} of fifty were accepted`)
      // All fifty may have been refused because the platform was busy; the next one is accepted.
      if (taken === 0) assert.notEqual(await askAlone(drawer, '600.00'), null)
      assert.equal(await countRows(drawer), 1)
    })

    test('trading losses during fifty requests: none of them is paid', async () => {
      const drawer = await openDrawer()
      const send = await fillIn(drawer, many('600.00', atOnce))
      const asked = send()
      if (round % 3 === 1) await Promise.race(asked)
      if (round % 3 === 2) await Promise.all(asked)
      loseHalf(drawer)
      const [first, ...more] = accepted(await Promise.all(asked))
      assert.equal(more.length, 0)
      if (first !== undefined) {
        assert.equal(await approve(round, first), 409)
        assert.equal(await askAlone(drawer, '0.01'), null)
        await reject(first)
      }
      await takeAllOf(drawer, '500.00')
    })

    test('trading losses during an approval: it is paid from the existing balance or not at all', async () => {
      const drawer = await openDrawer()
      const id = await take(drawer, '600.00')
      const decided = approve(round, id)
      if (round % 2 === 0) await Promise.race([decided, stands(id, 'debiting', 'paying')])
      loseHalf(drawer)
      if ((await decided) === 200) await stands(id, 'paying', 'pending')
      mustNeverOverdraw(drawer)
      assert.equal(await askAlone(drawer, '0.01'), null)
      if ((await stateOf(id)) === 'pending') await reject(id)
      else {
        assert.equal(await decide(1, [id, 'payout-failed', { note: 'Sent back' }]), 200)
        await stands(id, 'rejected')
      }
      await takeAllOf(drawer, '500.00')
    })

    test('an approval concurrent with requests: they get exactly the remaining amount', async () => {
      const drawer = await openDrawer()
      const first = await take(drawer, '600.00')
      const send = await fillIn(drawer, [...many('400.01', 10), ...many('400.00', 10)])
      const [decided, asked] = [approve(round, first), send()]
      assert.deepEqual(accepted(await Promise.all(asked.slice(0, 10))), [])
      const fitting = accepted(await Promise.all(asked.slice(10)))
      assert.ok(fitting.length <= 1)
      assert.equal(await decided, 200)
      await eventually('the first is debited, and no other is accepted meanwhile', async () => {
        const tooMuch = await fillIn(drawer, many('400.01', 4))
        assert.deepEqual(accepted(await Promise.all(tooMuch())), [])
        return (await stateOf(first)) === 'paying'
      })
      const second = fitting[0] ?? (await takeAllOf(drawer, '400.00'))
      assert.equal(await approve(round + 1, second), 200)
      await stands(second, 'paying')
      assert.equal(await askAlone(drawer, '0.01'), null)
      mustNeverOverdraw(drawer)
      assert.equal(setup.simulator.control.account(drawer.login)?.balance, '0.00')
      assert.equal(await countRows(drawer), 2)
    })
  })

test('the internal ledger balances afterwards', async () => {
  assert.deepEqual(await findViolations(setup.system), [])
})
