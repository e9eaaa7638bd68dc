import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  makePendingDeposit,
  openTradingFixture,
  readIntents,
  readTransaction,
  type TradingFixture,
} from '../../tests/fixtures/trading/trading-fixture.ts'
import { approveDeposit } from '../deposits/decision.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { settleIntent } from './crediting/crediting.ts'
import { checkSettledIntent } from './crediting/post-settlement-check.ts'
import { sweepIntents } from './jobs.ts'

let setup: TradingFixture

before(async () => {
  setup = await openTradingFixture()
})
after(() => setup.close())
beforeEach(() => setup.simulator.control.clearFaults())

async function approveOne(): Promise<{ depositId: string; intentId: string }> {
  const depositId = await makePendingDeposit(setup)
  await approveDeposit(setup.staff, depositId)
  const [intent] = await readIntents(setup, depositId)
  assert.ok(intent)
  return { depositId, intentId: intent.intent_id }
}

async function setConnection({ enabled, settings }: { enabled?: boolean; settings?: string }): Promise<string> {
  return inTransaction(setup.system, async (tx) => {
    const connections = tx.selectFrom('platform_connections').select('settings')
    const before = await connections
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('platform_id', '=', setup.platformId)
      .executeTakeFirstOrThrow()
    if (settings !== undefined)
      await tx
        .updateTable('platform_connections')
        .set({ settings })
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('platform_id', '=', setup.platformId)
        .execute()
    if (enabled !== undefined)
      await tx
        .updateTable('trading_platforms')
        .set({ enabled })
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('platform_id', '=', setup.platformId)
        .execute()
    return JSON.stringify(before.settings)
  })
}

/** The queued jobs of one intent. */
async function waitingJobs(queue: string, intentId: string): Promise<number> {
  const { rowCount } = await setup.context.database.pool.query(
    `select from pgboss.job where name = $1 and data ->> 'id' = $2 and state = 'created'`,
    [queue, intentId],
  )
  return rowCount ?? 0
}

test('a failing intent does not block the others', async () => {
  const broken = await approveOne()
  const sound = await approveOne()
  setup.context.clock.advance(1_000)
  const { platforms } = setup.context
  const system = { ...setup.context, platforms: { ...platforms } }
  let linkCalls = 0
  let line = Promise.resolve()
  // One after the other, so that the fault hits the intent that is due first.
  system.platforms.runQueued = (_actor, _platformId, _key, work) => {
    line = line.then(work)
    return line
  }
  system.platforms.link = async (actor, platformId) => {
    const link = await platforms.link(actor, platformId)
    linkCalls += 1
    if (linkCalls > 1 || !link) return link
    const unforeseen = () => {
      throw new Error('An unexpected fault in the first task.')
    }
    return { ...link, timing: Object.defineProperty({ ...link.timing }, 'leaseMs', { get: unforeseen }) }
  }
  await sweepIntents(system)
  assert.equal((await readTransaction(setup, sound.depositId)).state, 'approved')
  assert.equal((await readTransaction(setup, broken.depositId)).state, 'crediting')
  await sweepIntents(setup.context)
  assert.equal((await readTransaction(setup, broken.depositId)).state, 'approved')
})

test('a disabled or misconfigured platform is reported to the desk, retried later, and the credit completes once it is fixed', async () => {
  for (const [broken, problem] of [
    [{ enabled: false }, 'not_connected'],
    [{ settings: '{"baseUrl":"nowhere"}' }, 'misconfigured'],
  ] as const) {
    const approved = await approveOne()
    const settings = await setConnection(broken)
    await sweepIntents({
      ...setup.context,
      clock: { now: () => new Date(setup.context.clock.now().getTime() + 1_000) },
    })
    const [waiting] = await readIntents(setup, approved.depositId)
    assert.deepEqual([waiting?.state, waiting?.last_problem], ['ready', problem])
    assert.ok(waiting && waiting.next_step_at > new Date(setup.context.clock.now().getTime() + 30_000))
    await setConnection({ enabled: true, settings })
    setup.context.clock.advance(62_000)
    await settleIntent(setup.system, approved.intentId)
    assert.equal((await readTransaction(setup, approved.depositId)).state, 'approved')
  }
})

test('a post-settlement check of a platform that is down is rescheduled', async () => {
  const approved = await approveOne()
  await settleIntent(setup.system, approved.intentId)
  assert.equal(await waitingJobs('funding.recount-intent', approved.intentId), 1)
  await setup.simulator.control.down()
  await checkSettledIntent(setup.system, approved.intentId)
  assert.equal(await waitingJobs('funding.recount-intent', approved.intentId), 2)
  await setup.simulator.control.up()
  setup.context.clock.advance(30 * 60_000)
  await checkSettledIntent(setup.system, approved.intentId)
  assert.equal(await waitingJobs('funding.recount-intent', approved.intentId), 2)
})
