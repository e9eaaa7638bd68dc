// spec: AO 2.7
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { statusOf, type TransactionState, transactionStates } from '@atrium/contract/funding/states.ts'
import { currencyDecimals } from '@atrium/contract/money/currencies.ts'
import { addAmounts, toScale } from '@atrium/contract/money/money.ts'
import fc from 'fast-check'
import { openAppFixture } from '../../tests/fixtures/app-fixture.ts'
import type { Caller } from '../../tests/fixtures/caller.ts'
import type { MadeContext } from '../../tests/fixtures/context.ts'
import { addBankAccount, addTransaction } from '../../tests/fixtures/payments/money.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import {
  addMember,
  addWorkspace,
  memberActor,
  openTestSession,
  setFeatures,
  setPermissions,
} from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { readDashboardOf } from './queries.ts'

let made: MadeContext
let close: () => Promise<void>
let system: System
let caller: Caller
let platformId: string

before(async () => {
  ;({ made, caller, close } = await openAppFixture())
  system = await addWorkspace(made.context, { isDefault: true })
  platformId = await addPlatform(system)
})
after(() => close())

type Transaction = {
  type: string
  state: TransactionState
  amount: string
  currency: string
  isLive: boolean
  at: number
}
type Sums = Record<string, { total: string; count: number }>
type Dashboard = Awaited<ReturnType<typeof readDashboardOf>>

const dayMs = 86_400_000
const now = () => made.context.clock.now().getTime()

/** Adds a member with a live and a demo account in each currency used, and the transactions on them. */
async function addMoved(in_: System, platform: string, transactions: Transaction[]): Promise<string> {
  const { memberId } = await addMember(in_)
  const accounts = new Map<string, string>()
  for (const { currency, isLive } of transactions) {
    const key = `${currency} ${isLive}`
    if (accounts.has(key)) continue
    const made = await addAccount(in_, { memberId, platformId: platform, currency, live_account: isLive })
    accounts.set(key, made)
  }
  for (const { currency, isLive, type, state, amount, at } of transactions) {
    const accountId = accounts.get(`${currency} ${isLive}`) ?? ''
    await addTransaction(in_, {
      ...{ memberId, accountId, currency, type, state, amount, created_at: new Date(at) },
    })
  }
  return memberId
}

const dashboardOf = async (memberId: string, from?: number): Promise<Dashboard> =>
  readDashboardOf(await memberActor(system, memberId), from)

/** The expected sums, added one transaction after the other with decimals. */
function sumsOf(transactions: Transaction[], from = 0): Map<string, Sums> {
  const sums = new Map<string, Sums>()
  for (const { type, state, amount, currency, isLive, at } of transactions) {
    if (!isLive || state === 'cancelled' || at < from) continue
    const ofCurrency = sums.get(currency) ?? {}
    const key = `${type} ${statusOf(state)}`
    const before = ofCurrency[key] ?? { total: '0', count: 0 }
    ofCurrency[key] = { total: toScale(addAmounts(before.total, amount), currency), count: before.count + 1 }
    sums.set(currency, ofCurrency)
  }
  return sums
}

function flat({ currencies }: Dashboard): Map<string, Sums> {
  return new Map(
    currencies.map(({ currency, deposits, withdrawals }) => {
      const entries = Object.entries({ deposit: deposits, withdrawal: withdrawals }).flatMap(([type, transactions]) =>
        Object.entries(transactions).map(([status, sum]) => [`${type} ${status}`, sum] as const),
      )
      return [currency, Object.fromEntries(entries.filter(([, { count }]) => count > 0))]
    }),
  )
}

const one = (given: Partial<Transaction> = {}): Transaction => ({
  ...{ type: 'deposit', state: 'approved', amount: '100.00', currency: 'USD', isLive: true, at: now() - dayMs },
  ...given,
})

describe('the dashboard', () => {
  test('shows zeros for a new member', async () => {
    const { memberId } = await addMember(system)
    assert.deepEqual(await dashboardOf(memberId), {
      live_accounts: 0,
      demo_accounts: 0,
      bank_accounts: 0,
      currencies: [],
    })
  })

  test('counts present accounts and bank accounts, not removed ones', async () => {
    const { memberId } = await addMember(system)
    const account = { memberId, platformId }
    await addAccount(system, account)
    await addAccount(system, { ...account, live_account: false })
    await addAccount(system, { ...account, live_account: false })
    await addAccount(system, { ...account, deleted: true })
    await addBankAccount(system, { memberId })
    await addBankAccount(system, { memberId, removed_at: new Date(now()) })
    const { live_accounts, demo_accounts, bank_accounts } = await dashboardOf(memberId)
    assert.deepEqual(
      { live_accounts, demo_accounts, bank_accounts },
      { live_accounts: 1, demo_accounts: 2, bank_accounts: 1 },
    )
  })

  test('counts transactions being credited or verified as pending, and leaves out cancelled ones', async () => {
    const memberId = await addMoved(
      system,
      platformId,
      transactionStates.map((state, index) => one({ state, amount: `${10 ** index}.00` })),
    )
    const [usd] = (await dashboardOf(memberId)).currencies
    assert.deepEqual(usd?.deposits, {
      approved: { total: '1000000.00', count: 1 },
      pending: { total: '111111.00', count: 6 },
      rejected: { total: '10000000.00', count: 1 },
    })
    assert.deepEqual(usd?.withdrawals.approved, { total: '0.00', count: 0 })
  })

  test('adds exactly where floats would round', async () => {
    const memberId = await addMoved(system, platformId, [
      ...Array.from({ length: 3 }, () => one({ amount: '999999999999999.99' })),
      one({ amount: '0.01' }),
      ...['0.1', '0.2'].map((amount) => one({ amount, currency: 'EUR' })),
      one({ amount: '0.00000001', currency: 'BTC' }),
      one({ amount: '20999999.99999999', currency: 'BTC' }),
    ])
    const totals = (await dashboardOf(memberId)).currencies.map(({ currency, deposits }) => [
      currency,
      deposits.approved.total,
    ])
    assert.deepEqual(totals, [
      ['BTC', '21000000.00000000'],
      ['EUR', '0.30'],
      ['USD', '2999999999999999.98'],
    ])
  })

  test('includes the first moment of the period', async () => {
    const from = now() - 30 * dayMs
    const moments = [from - 1, from, from + 1]
    const memberId = await addMoved(
      system,
      platformId,
      moments.map((at) => one({ at })),
    )
    assert.equal((await dashboardOf(memberId, from)).currencies[0]?.deposits.approved.count, 2)
    assert.equal((await dashboardOf(memberId)).currencies[0]?.deposits.approved.count, 3)
  })

  test('leaves demo funds out', async () => {
    const memberId = await addMoved(system, platformId, [one(), one({ isLive: false, amount: '5000.00' })])
    assert.equal((await dashboardOf(memberId)).currencies[0]?.deposits.approved.total, '100.00')
  })

  test('leaves out other members and other workspaces', async () => {
    const elsewhere = await addWorkspace(made.context)
    await addMoved(elsewhere, await addPlatform(elsewhere), [one({ amount: '7.00' })])
    await addMoved(system, platformId, [one({ amount: '9.00' })])
    const memberId = await addMoved(system, platformId, [one({ amount: '5.00' })])
    assert.deepEqual(flat(await dashboardOf(memberId)), sumsOf([one({ amount: '5.00' })]))
  })
})

describe('the sums of any history', () => {
  const currencies = ['USD', 'EUR', 'JPY', 'BTC']
  const transaction = fc
    .record({
      type: fc.constantFrom('deposit', 'withdrawal'),
      state: fc.constantFrom(...transactionStates),
      units: fc.bigInt({ min: 1n, max: 10n ** 17n }),
      currency: fc.constantFrom(...currencies),
      isLive: fc.boolean(),
      daysAgo: fc.integer({ min: 0, max: 400 }),
    })
    .map(({ units, daysAgo, ...rest }): Transaction => {
      const decimals = currencyDecimals(rest.currency)
      const digits = String(units).padStart(decimals + 1, '0')
      const amount = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
      return { ...rest, amount, at: now() - daysAgo * dayMs }
    })

  test('match the expected sums for every period, with transactions of another member beside them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(transaction, { maxLength: 25 }),
        fc.array(transaction, { maxLength: 5 }),
        fc.constantFrom(30, 90, 365),
        async (transactions, neighbours, days) => {
          await addMoved(system, platformId, neighbours)
          const memberId = await addMoved(system, platformId, transactions)
          const from = now() - days * dayMs
          assert.deepEqual(flat(await dashboardOf(memberId, from)), sumsOf(transactions, from))
          assert.deepEqual(flat(await dashboardOf(memberId)), sumsOf(transactions))
        },
      ),
      { numRuns: 15 },
    )
  })
})

describe('the call', () => {
  const tokenOf = async (id: string) => (await openTestSession(system, { kind: 'member', id })).token
  const ask = async (token: string | undefined, search = '') => caller.get(`/members/dashboard${search}`, token)

  test('answers the sums', async () => {
    const memberId = await addMoved(system, platformId, [one(), one({ type: 'withdrawal', state: 'rejected' })])
    const answer = await ask(await tokenOf(memberId))
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, { status: 'ok', ...(await dashboardOf(memberId)) })
  })

  test('is refused without a session, without the permission, and while the feature is off', async () => {
    const { memberId } = await addMember(system)
    const token = await tokenOf(memberId)
    assert.equal((await ask(undefined)).status, 401)
    await setPermissions(system, memberId, ['dashboard-'])
    assert.equal((await ask(token)).status, 403)
    await setPermissions(system, memberId, [])
    await setFeatures(system, { dashboard: false })
    assert.equal((await ask(token)).status, 404)
    await setFeatures(system, {})
  })

  for (const from of ['yesterday', '-1', '1e400', '1.5', '9e99'])
    test(`refuses ${from} as the start of the period`, async () => {
      const { memberId } = await addMember(system)
      assert.equal((await ask(await tokenOf(memberId), `?from=${from}`)).status, 422)
    })
})
