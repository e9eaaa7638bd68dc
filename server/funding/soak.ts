import { parseArgs } from 'node:util'
import type { FaultKind } from '../../simulators/metatrader/faults.ts'
import { reading } from '../foundation/database.ts'
import { makePendingDeposit, openTradingFloor, type TradingFloor } from '../testing/trading-floor.ts'
import { approveDeposit } from './decision.ts'
import { sweepIntents } from './jobs.ts'

/**
 * `npm run test:soak -- --operations 1000 --seed 7`: deposits approved while the platform misbehaves in every way it can,
 * the clock walked through hours, the ledger checked after each round. The same seed makes the same troubles.
 */
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
const floor = await openTradingFloor({ writeMs: 300 })
let approved = 0
let violations: string[] = []
try {
  for (let done = 0; done < operations && violations.length === 0; done += perRound) {
    await round(Math.min(perRound, operations - done))
    violations = await checkLedger(floor)
    console.log(
      `  ${String(done + perRound).padStart(6)} approvals, ${approved} credited, ${violations.length} violations`,
    )
  }
} finally {
  await floor.close()
}
for (const violation of violations) console.error(`  ${violation}`)
const isGreen = violations.length === 0 && approved >= operations
console.log(`${isGreen ? 1 : 0} passed, ${isGreen ? 0 : 1} failed`)
process.exitCode = isGreen ? 0 : 1

async function round(count: number): Promise<void> {
  const deposits = await Promise.all(Array.from({ length: count }, () => makePendingDeposit(floor, amountOf(random))))
  for (const depositId of deposits) await approveDeposit(floor.staff, depositId)
  for (let visit = 0; visit < 400 && (await openCount()) > 0; visit++) {
    await misbehave(visit)
    await Promise.all([sweepIntents(floor.ground), sweepIntents(floor.ground)])
    floor.ground.clock.advance(5_000 + Math.floor(random() * 60_000))
    await approveAgain()
  }
}

/** Trouble in the first visits; then the platform recovers, as platforms do. */
async function misbehave(visit: number): Promise<void> {
  const { control } = floor.simulator
  control.clearFaults()
  await control.up()
  const kind = visit < 6 ? troubles[Math.floor(random() * troubles.length)] : 'none'
  if (kind === 'down') await control.down()
  else if (kind && kind !== 'none') {
    const path = random() < 0.8 ? '/api/trade/balance' : '/api/deal/*'
    control.addFault({ path, times: 1 + Math.floor(random() * 5), kind, code: kind === 'answer-code' ? 10_006 : 0 })
  }
}

/** What the platform refused is back at the desk; staff approve it again. */
async function approveAgain(): Promise<void> {
  const rows = await rowsIn(['pending'])
  for (const row of rows) await approveDeposit(floor.staff, row.transaction_id)
}

function rowsIn(states: string[]) {
  return reading(floor.system, (tx) =>
    tx
      .selectFrom('balance_transactions')
      .select(['transaction_id', 'amount', 'platform_ticket'])
      .where('workspace_id', '=', floor.system.workspaceId)
      .where('state', 'in', states)
      .execute(),
  )
}

async function openCount(): Promise<number> {
  return (await rowsIn(['pending', 'crediting', 'checking'])).length
}

/** Each approved deposit has a ticket of its own, and the tagged deals on the platform are exactly those. */
async function checkLedger({ simulator }: TradingFloor): Promise<string[]> {
  const rows = await rowsIn(['approved'])
  approved = rows.length
  const deals = new Map(simulator.control.dealsWithComment('A').map((deal) => [deal.deal, deal]))
  const found: string[] = []
  if (new Set(rows.map((row) => row.platform_ticket)).size !== rows.length) found.push('A ticket is used twice.')
  if (deals.size !== rows.length) found.push(`${deals.size} tagged deals for ${rows.length} approved deposits.`)
  for (const row of rows) {
    const deal = deals.get(row.platform_ticket ?? '')
    if (deal?.amount !== row.amount) found.push(`${row.transaction_id}: ${row.amount} here, ${deal?.amount} there.`)
  }
  if ((await openCount()) > 0) found.push('Something never settled.')
  return found
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
