/**
 * `node scripts/run.js tests/soak.ts --operations 1000 --seed 7`: decides deposits and withdrawals while the platform has
 * every kind of fault and payouts fail at random; runs deposits and payouts of a misbehaving payment provider, whose webhooks
 * arrive late, twice, wrong or never; moves the clock through hours and checks the ledger after each round. The same seed
 * repeats the same faults.
 */

import { parseArgs } from 'node:util'
import { openStates } from '@atrium/contract/funding/states.ts'
import { providerPrefix } from '@atrium/contract/payments/orders.ts'
import { approveDeposit } from '../server/deposits/decision.ts'
import { reading } from '../server/foundation/database/database.ts'
import { sweepIntents } from '../server/funding/jobs.ts'
import { findViolations } from '../server/funding/ledger.ts'
import { markPaidOut, markPayoutFailed } from '../server/payments/payouts/payout.ts'
import { approveWithdrawal } from '../server/withdrawals/withdrawal-decision.ts'
import type { FaultKind } from '../simulators/metatrader/faults.ts'
import { openPaymentFixture } from './fixtures/payments/payment-fixture.ts'
import { openPaymentSoak, unlessRefused } from './fixtures/payments/payment-soak.ts'
import { openPayee, openTo } from './fixtures/payments/payouts.ts'
import { askWithdrawal, openWithdrawer, provenMember } from './fixtures/payments/withdrawals.ts'
import { makePendingDeposit, readIntents } from './fixtures/trading/trading-fixture.ts'
import { chooseSettings } from './fixtures/workspaces.ts'

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1e6) },
  },
})
const operations = Number(values.operations)
const random = randomFrom(Number(values.seed))
const perRound = 25
const troubles: (FaultKind | 'none' | 'down')[] = [
  'none',
  'none',
  'fail-before',
  'drop-before',
  'execute-then-drop',
  'execute-then-500',
  'execute-then-garbage',
  'close-session',
  'answer-code',
  'down',
]

console.log(`  ${operations} approvals, seed ${values.seed}`)
const setup = await openPaymentFixture({ writeMs: 300 })
// One staff member approves everything, which within a day exceeds the four-eyes limit.
await chooseSettings(setup, { withdrawal_rules: [openTo('zotapay')], withdrawal_four_eyes: false })
const withdrawer = await openWithdrawer(setup, { balance: '90000000.00' })
const payee = await openPayee(setup, 'zotapay', { balance: '90000000.00' })
const payments = openPaymentSoak(setup, payee, { random, amount: () => amountOf(random) })
let approved = 0
let violations: string[] = []
try {
  for (let done = 0; done < operations && violations.length === 0; done += perRound) {
    await round(Math.min(perRound, operations - done))
    violations = await verifyLedger()
    console.log(
      `  ${String(done + perRound).padStart(6)} approvals, ${approved} credited, ${violations.length} violations`,
    )
  }
} finally {
  await setup.close()
}
for (const violation of violations) console.error(`  ${violation}`)
const isGreen = violations.length === 0 && approved >= operations
console.log(`${isGreen ? 1 : 0} passed, ${isGreen ? 0 : 1} failed`)
process.exitCode = isGreen ? 0 : 1

async function round(count: number): Promise<void> {
  const deposits = await Promise.all(Array.from({ length: count }, () => makePendingDeposit(setup, amountOf(random))))
  for (const depositId of deposits) await approveDeposit(setup.staff, depositId)
  const asking = { ...withdrawer, member: await provenMember(setup) }
  for (let asked = 0; asked < count / 2; asked++)
    await approveWithdrawal(setup.staff, await askWithdrawal(asking, amountOf(random)))
  await payments.begin(Math.ceil(count / 2))
  for (let sweep = 0; sweep < 400 && !(await isOver()); sweep++) {
    await misbehave(sweep)
    await payments.sweep(sweep)
    await Promise.all([sweepIntents(setup.context), sweepIntents(setup.context)])
    // Later sweeps only wait for unpaid orders to expire.
    setup.context.clock.advance(sweep < 20 ? 5_000 + Math.floor(random() * 60_000) : 600_000)
    await approveAgain()
  }
}

/** Sets faults during the first sweeps; afterwards the platform recovers. */
async function misbehave(sweep: number): Promise<void> {
  const { control } = setup.simulator
  control.clearFaults()
  await control.up()
  const kind = sweep < 6 ? troubles[Math.floor(random() * troubles.length)] : 'none'
  if (kind === 'down') await control.down()
  else if (kind && kind !== 'none') {
    const path = random() < 0.8 ? '/api/trade/balance' : '/api/deal/*'
    control.addFault({ path, times: 1 + Math.floor(random() * 5), kind, code: kind === 'answer-code' ? 10_006 : 0 })
  }
}

/** Approves again what the platform refused and returned to the desk. */
async function approveAgain(): Promise<void> {
  for (const { transaction_id: id, type, state, destination } of await rowsIn(['pending', 'paying'])) {
    const isOfProvider = destination?.startsWith(providerPrefix) ?? false
    if (type === 'deposit') {
      // The provider's state decides whether it was paid; staff decide a paid deposit that the platform refused.
      if (!isOfProvider || (await readIntents(setup, id)).at(-1)?.state === 'rejected')
        await unlessRefused(approveDeposit(setup.staff, id))
    } else if (state === 'pending') await unlessRefused(approveWithdrawal(setup.staff, id))
    else if (isOfProvider) {
      // Refused while the provider processes it; ends payouts in manual review as paid or failed.
      if (random() < 0.1)
        await unlessRefused(
          random() < 0.5 ? markPaidOut(setup.staff, id, 'SOAK') : markPayoutFailed(setup.staff, id, 'Sent back'),
        )
    } else if (random() < 0.7) await markPaidOut(setup.staff, id, 'SOAK')
    else await markPayoutFailed(setup.staff, id, 'Sent back')
  }
}

function rowsIn(states: string[]) {
  return reading(setup.system, (tx) =>
    tx
      .selectFrom('balance_transactions')
      .select(['transaction_id', 'type', 'state', 'destination'])
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('state', 'in', states)
      .execute(),
  )
}

async function openCount(): Promise<number> {
  return (await rowsIn([...openStates])).length
}

async function isOver(): Promise<boolean> {
  return (await openCount()) === 0 && (await payments.isOver())
}

/** The ledger check of production; also fails if anything is left open. */
async function verifyLedger(): Promise<string[]> {
  approved = (await rowsIn(['approved'])).length
  setup.context.clock.advance(120_000)
  const found = (await findViolations(setup.system)).map(({ kind, subject, detail }) => `${kind} ${subject} ${detail}`)
  const problems = [...found, ...(await payments.violations())]
  return [...problems, ...(await listOpen()), ...(await payments.listOpen())]
}

/** Details of everything that never settled, enough to find the cause. */
async function listOpen(): Promise<string[]> {
  const problems: string[] = []
  for (const { transaction_id: id, type, state, destination } of await rowsIn([...openStates])) {
    const intents = (await readIntents(setup, id)).map(
      (intent) => `${intent.state}, sent ${intent.attempt} times, ${intent.last_problem}`,
    )
    problems.push(`${type} ${id} to ${destination} stays ${state}: ${intents.join(', ')}`)
  }
  return problems
}

function amountOf(next: () => number): string {
  const cents = 1 + Math.floor(next() * 500_000)
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}

function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}
