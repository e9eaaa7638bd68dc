/**
 * Kills the server process at each failpoint of a withdrawal (request, debit, marking as paid, reversal), with a
 * healthy platform and with one that executes and then fails to answer. `ATRIUM_TEST_KILL_ROUNDS` repeats the whole.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type ChildServer, eventually } from '../../tests/doubles/child-server.ts'
import { killTiming, postTo, signInTo, startServerOn } from '../../tests/doubles/killed-server.ts'
import { addBankAccount } from '../../tests/fixtures/payments/money.ts'
import { debitOne, makePendingWithdrawal, openWithdrawer } from '../../tests/fixtures/payments/withdrawals.ts'
import { addAccount } from '../../tests/fixtures/trading/platforms.ts'
import {
  openTradingFixture,
  readIntents,
  readTransaction,
  type TradingFixture,
} from '../../tests/fixtures/trading/trading-fixture.ts'
import { addMember } from '../../tests/fixtures/workspaces.ts'
import { reading } from '../foundation/database/database.ts'
import { type Failpoint, failpoints } from '../foundation/failpoint.ts'
import { findViolations } from '../funding/ledger.ts'

const rounds = Number(process.env.ATRIUM_TEST_KILL_ROUNDS ?? 1)

let setup: TradingFixture
before(async () => {
  setup = await openTradingFixture({ timing: killTiming })
})
after(() => setup.close())

let staffToken: string | undefined

/** One session for all servers, which share the database: a session per kill would exceed the sign-in limit. */
async function signInStaff(server: ChildServer): Promise<string> {
  staffToken ??= await signInTo(server, setup.staffSignIn, 'desk')
  return staffToken
}

const stateOf = async (id: string) => (await readTransaction(setup, id)).state
const stands = (id: string, state: string) =>
  eventually(`the withdrawal is ${state}`, async () => (await stateOf(id)) === state)

/** Retries after an error like a person, until the desk answers that it is decided. */
async function decide(server: ChildServer, token: string, [id, what, body]: [string, string, object]): Promise<void> {
  const answer = await postTo(server, `/desk/api/withdrawals/${id}/${what}`, body, token)
  if (answer) assert.ok([200, 409].includes(answer.status), `${what} answered ${answer.status}`)
}

type Step = { failpoint: Failpoint; misbehaves: boolean }

/**
 * Decides on a server that is killed at the failpoint, then on a running one, until the withdrawal has its final state.
 */
async function killedAt({ failpoint, misbehaves }: Step, act: [string, string, object], end: string): Promise<void> {
  setup.simulator.control.clearFaults()
  if (misbehaves) setup.simulator.control.addFault({ path: '/api/trade/balance', times: 1, kind: 'execute-then-drop' })
  const doomed = await startServerOn(setup, { failpoint })
  await decide(doomed, await signInStaff(doomed), act)
  // With no answer from the platform the process may miss the failpoint; the test then stops it.
  await Promise.race([doomed.exited, stands(act[0], end)])
  await doomed.stop()
  const second = await startServerOn(setup)
  try {
    await decide(second, await signInStaff(second), act)
    await stands(act[0], end)
  } finally {
    await second.stop()
  }
}

async function dealsOf(id: string): Promise<string[]> {
  const intents = await readIntents(setup, id)
  return intents.flatMap(({ tag }) => setup.simulator.control.dealsWithComment(tag).map(({ amount }) => amount))
}

for (let round = 1; round <= rounds; round++)
  describe(`a killed process, round ${round}`, () => {
    for (const failpoint of failpoints)
      for (const misbehaves of [false, true]) {
        const how = misbehaves ? ', the platform failing after it acted' : ''
        test(`debits a withdrawal once when killed at ${failpoint}${how}`, async () => {
          const id = await makePendingWithdrawal(setup)
          await killedAt({ failpoint, misbehaves }, [id, 'approve', {}], 'paying')
          assert.deepEqual(await dealsOf(id), ['-1.00'])
        })
      }

    for (const failpoint of [
      'return.before-commit',
      'return.committed',
      ...failpoints.filter((name) => name.startsWith('intent.')),
    ] as Failpoint[])
      test(`books a reversal once when killed at ${failpoint}`, async () => {
        const withdrawer = await openWithdrawer(setup)
        const id = await debitOne(setup, withdrawer, '1.00')
        await killedAt({ failpoint, misbehaves: true }, [id, 'payout-failed', { note: 'Sent back' }], 'rejected')
        assert.deepEqual(await dealsOf(id), ['-1.00', '1.00'])
        assert.equal(setup.simulator.control.account(withdrawer.login)?.balance, '1000.00')
      })

    for (const failpoint of ['payout.before-commit', 'payout.committed'] as const)
      test(`records a payment by hand once when killed at ${failpoint}`, async () => {
        const id = await debitOne(setup, await openWithdrawer(setup), '1.00')
        await killedAt({ failpoint, misbehaves: false }, [id, 'paid', { reference: 'SWIFT 4711' }], 'approved')
        assert.equal((await readTransaction(setup, id)).payout_reference, 'SWIFT 4711')
        assert.deepEqual(await dealsOf(id), ['-1.00'])
      })

    for (const failpoint of ['withdrawal.before-commit', 'withdrawal.committed'] as const)
      test(`makes one withdrawal of a repeated form when killed at ${failpoint}`, async () => {
        const { system, platformId, simulator } = setup
        const person = await addMember(system, { documents_status: 'approved' })
        const { memberId } = person
        const login = String(820_000 + round * 10 + failpoint.length)
        simulator.control.seedAccounts([
          { login, group: 'real\\standard-usd', name: 'Kim Killed', leverage: 100, balance: '10.00' },
        ])
        const trading_account = await addAccount(system, { memberId, platformId, platform_login: login })
        const destination_id = await addBankAccount(system, { memberId })
        const doomed = await startServerOn(setup, { failpoint })
        const token = await signInTo(doomed, person)
        const token_key = 'transaction_withdrawal'
        const made = await postTo(doomed, '/members/get-unique-token', { token_key }, token)
        const asked = { trading_account, amount: '6.00', comment: 'Once', token_key }
        const where = { destination: 'bank_account', destination_id }
        const form = { ...asked, ...where, nonce_token: made?.body.token }
        assert.equal(await postTo(doomed, '/members/withdrawals/create', form, token), null)
        await doomed.exited
        const second = await startServerOn(setup)
        const answers = []
        for (let time = 0; time < 2; time++)
          answers.push(await postTo(second, '/members/withdrawals/create', form, token))
        await second.stop()
        assert.equal(answers[0]?.status, 200)
        assert.deepEqual(answers[0], answers[1])
        const rows = await reading(system, (tx) =>
          tx
            .selectFrom('balance_transactions')
            .select('state')
            .where('workspace_id', '=', system.workspaceId)
            .where('member_id', '=', memberId)
            .execute(),
        )
        assert.deepEqual(rows, [{ state: 'pending' }])
      })

    test('the internal ledger balances afterwards', async () => {
      assert.deepEqual(await findViolations(setup.system), [])
    })
  })
