/**
 * Kills and restarts every money path of the desk and of members at each failpoint, within this process (restart.ts).
 * `killed.slow.test.ts` and `killed-withdrawals.slow.test.ts` do the same to a separate process.
 */

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Program, runJobs, startProgram } from '../../../tests/fixtures/database/restart.ts'
import {
  debitOne,
  makePendingWithdrawal,
  openWithdrawer,
  withdrawalInputOf,
} from '../../../tests/fixtures/payments/withdrawals.ts'
import {
  makePendingDeposit,
  openTradingFixture,
  platformCredits,
  readIntents,
  readTransaction,
  type TradingFixture,
} from '../../../tests/fixtures/trading/trading-fixture.ts'
import { approveDeposit } from '../../deposits/decision.ts'
import { reading } from '../../foundation/database/database.ts'
import { Refusal } from '../../foundation/errors.ts'
import { type Failpoint, failpoints, withdrawalFailpoints } from '../../foundation/failpoint.ts'
import { markPaidOut, markPayoutFailed } from '../../payments/payouts/payout.ts'
import { requestWithdrawal } from '../../withdrawals/withdrawal.ts'
import { approveWithdrawal } from '../../withdrawals/withdrawal-decision.ts'
import { findViolations } from '../ledger.ts'

let fixture: TradingFixture
let program: Program<TradingFixture>
before(async () => {
  fixture = await openTradingFixture()
  program = await startProgram(fixture)
})
after(async () => {
  await program.close()
  await fixture.close()
})

const setup = () => program.setup()
const ofIntents = failpoints.filter((name) => name.startsWith('intent.'))
const proven = new Set<Failpoint>()

type Act = (setup: TradingFixture) => Promise<unknown>
type Killed = { failpoint: Failpoint; misbehaves?: boolean; act: Act; id: string; end: string }

/**
 * Kills the act or the jobs that follow it, repeats the act as a person does after an error, and lets the server
 * finish.
 */
async function killIn({ failpoint, misbehaves = false, act, id, end }: Killed): Promise<void> {
  proven.add(failpoint)
  const { control } = fixture.simulator
  control.clearFaults()
  if (misbehaves) control.addFault({ path: '/api/trade/balance', times: 1, kind: 'execute-then-drop' })
  const work = async (doomed: TradingFixture) => {
    await act(doomed)
    await runJobs(doomed)
  }
  // Without an answer from the platform no later step runs.
  await program.killAt(failpoint, work, { mayPass: misbehaves && failpoint === 'intent.called' })
  await act(setup()).catch((problem: unknown) => {
    assert.ok(problem instanceof Refusal && problem.code === 'illegal_move', String(problem))
  })
  await program.settle(`it is ${end}`, async () => (await readTransaction(setup(), id)).state === end)
}

async function dealsOf(id: string): Promise<string[]> {
  return (await readIntents(setup(), id)).flatMap(({ tag }) =>
    platformCredits(fixture, tag).map(({ amount }) => amount),
  )
}

const balanceOf = (login: string) => fixture.simulator.control.account(login)?.balance

for (const misbehaves of [false, true]) {
  const how = misbehaves ? ', the platform failing after it acted' : ''
  for (const failpoint of failpoints) {
    it(`credits a deposit once when a process is killed at ${failpoint}${how}`, async () => {
      const { accountId, login } = await openWithdrawer(setup())
      const id = await makePendingDeposit({ ...setup(), accountId })
      await killIn({ failpoint, misbehaves, id, end: 'approved', act: ({ staff }) => approveDeposit(staff, id) })
      const [intent, ...others] = await readIntents(setup(), id)
      assert.deepEqual([others, await dealsOf(id), balanceOf(login)], [[], ['250.00'], '1250.00'])
      assert.equal((await readTransaction(setup(), id)).platform_ticket, intent?.ticket)
    })

    it(`debits a withdrawal once when a process is killed at ${failpoint}${how}`, async () => {
      const id = await makePendingWithdrawal(setup())
      await killIn({ failpoint, misbehaves, id, end: 'paying', act: ({ staff }) => approveWithdrawal(staff, id) })
      assert.deepEqual(await dealsOf(id), ['-1.00'])
    })
  }
}

describe('a reversal', () => {
  for (const failpoint of [...ofReturns(), ...ofIntents])
    it(`is booked once when a process is killed at ${failpoint}`, async () => {
      const withdrawer = await openWithdrawer(setup())
      const id = await debitOne(setup(), withdrawer, '1.00')
      const act: Act = ({ staff }) => markPayoutFailed(staff, id, 'Sent back')
      await killIn({ failpoint, misbehaves: true, id, end: 'rejected', act })
      assert.deepEqual([await dealsOf(id), balanceOf(withdrawer.login)], [['-1.00', '1.00'], '1000.00'])
    })
})

describe('a payment by hand', () => {
  for (const failpoint of withPrefix('payout.'))
    it(`is recorded once when a process is killed at ${failpoint}`, async () => {
      const id = await debitOne(setup(), await openWithdrawer(setup()), '1.00')
      await killIn({ failpoint, id, end: 'approved', act: ({ staff }) => markPaidOut(staff, id, 'SWIFT 4711') })
      assert.equal((await readTransaction(setup(), id)).payout_reference, 'SWIFT 4711')
      assert.deepEqual(await dealsOf(id), ['-1.00'])
    })
})

describe('a withdrawal request', () => {
  for (const failpoint of withPrefix('withdrawal.'))
    it(`is made once by repeating the form when a process is killed at ${failpoint}`, async () => {
      proven.add(failpoint)
      const { member, ...withdrawer } = await openWithdrawer(setup())
      const form = await withdrawalInputOf({ member, ...withdrawer }, { amount: '600.00' })
      const ask: Act = ({ context }) => requestWithdrawal({ ...member, context }, form)
      await program.killAt(failpoint, ask)
      const answers = [await ask(setup()), await ask(setup())]
      assert.deepEqual(answers[0], answers[1])
      const { system } = setup()
      const rows = await reading(system, (tx) =>
        tx
          .selectFrom('balance_transactions')
          .select('state')
          .where('workspace_id', '=', system.workspaceId)
          .where('account_id', '=', withdrawer.accountId)
          .execute(),
      )
      assert.deepEqual(rows, [{ state: 'pending' }])
    })
})

it('every failpoint of these paths was reached, and the internal ledger balances afterwards', async () => {
  assert.deepEqual(program.wentOn(), [])
  assert.deepEqual([...proven].sort(), [...failpoints, ...withdrawalFailpoints].sort())
  assert.deepEqual(await findViolations(setup().system), [])
})

function withPrefix(prefix: string): Failpoint[] {
  return withdrawalFailpoints.filter((name) => name.startsWith(prefix))
}

function ofReturns(): Failpoint[] {
  return withPrefix('return.')
}
