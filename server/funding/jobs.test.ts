import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  makePendingDeposit,
  openTradingFloor,
  readIntents,
  readTransaction,
  type TradingFloor,
} from '../../tests/fixtures/trading-fixture.ts'
import { inTransaction } from '../foundation/database.ts'
import { settleIntent } from './crediting.ts'
import { approveDeposit } from './decision.ts'
import { sweepIntents } from './jobs.ts'
import { recountIntent } from './recount.ts'

let floor: TradingFloor

before(async () => {
  floor = await openTradingFloor()
})
after(() => floor.close())
beforeEach(() => floor.simulator.control.clearFaults())

async function approveOne(): Promise<{ depositId: string; intentId: string }> {
  const depositId = await makePendingDeposit(floor)
  await approveDeposit(floor.staff, depositId)
  const [intent] = await readIntents(floor, depositId)
  assert.ok(intent)
  return { depositId, intentId: intent.intent_id }
}

async function setConnection({ enabled, settings }: { enabled?: boolean; settings?: string }): Promise<string> {
  return inTransaction(floor.system, async (tx) => {
    const connections = tx.selectFrom('platform_connections').select('settings')
    const before = await connections
      .where('workspace_id', '=', floor.system.workspaceId)
      .where('platform_id', '=', floor.platformId)
      .executeTakeFirstOrThrow()
    if (settings !== undefined)
      await tx
        .updateTable('platform_connections')
        .set({ settings })
        .where('workspace_id', '=', floor.system.workspaceId)
        .where('platform_id', '=', floor.platformId)
        .execute()
    if (enabled !== undefined)
      await tx
        .updateTable('trading_platforms')
        .set({ enabled })
        .where('workspace_id', '=', floor.system.workspaceId)
        .where('platform_id', '=', floor.platformId)
        .execute()
    return JSON.stringify(before.settings)
  })
}

/** Jobs that wait in the queue about one intent. */
async function waitingJobs(queue: string, intentId: string): Promise<number> {
  const { rowCount } = await floor.ground.database.pool.query(
    `select from pgboss.job where name = $1 and data ->> 'id' = $2 and state = 'created'`,
    [queue, intentId],
  )
  return rowCount ?? 0
}

test('one intent that cannot be visited keeps no other from its visit', async () => {
  const broken = await approveOne()
  const sound = await approveOne()
  floor.ground.clock.advance(1_000)
  const { platforms } = floor.ground
  const system = { ...floor.ground, platforms: { ...platforms } }
  let visits = 0
  let line = Promise.resolve()
  // One after the other, so that the fault meets the visit that is due first.
  system.platforms.visit = (_actor, _platformId, _key, work) => {
    line = line.then(work)
    return line
  }
  system.platforms.link = async (actor, platformId) => {
    const link = await platforms.link(actor, platformId)
    visits += 1
    if (visits > 1 || !link) return link
    const unforeseen = () => {
      throw new Error('A fault that no one foresaw, in the visit that comes first.')
    }
    return { ...link, timing: Object.defineProperty({ ...link.timing }, 'leaseMs', { get: unforeseen }) }
  }
  await sweepIntents(system)
  assert.equal((await readTransaction(floor, sound.depositId)).state, 'approved')
  assert.equal((await readTransaction(floor, broken.depositId)).state, 'crediting')
  await sweepIntents(floor.ground)
  assert.equal((await readTransaction(floor, broken.depositId)).state, 'approved')
})

test('a platform that is switched off or set up wrongly: said to the desk, visited later, credited when it is mended', async () => {
  for (const [broken, problem] of [
    [{ enabled: false }, 'not_connected'],
    [{ settings: '{"baseUrl":"nowhere"}' }, 'misconfigured'],
  ] as const) {
    const approved = await approveOne()
    const settings = await setConnection(broken)
    await sweepIntents({ ...floor.ground, clock: { now: () => new Date(floor.ground.clock.now().getTime() + 1_000) } })
    const [waiting] = await readIntents(floor, approved.depositId)
    assert.deepEqual([waiting?.state, waiting?.last_problem], ['ready', problem])
    assert.ok(waiting && waiting.next_step_at > new Date(floor.ground.clock.now().getTime() + 30_000))
    await setConnection({ enabled: true, settings })
    floor.ground.clock.advance(62_000)
    await settleIntent(floor.system, approved.intentId)
    assert.equal((await readTransaction(floor, approved.depositId)).state, 'approved')
  }
})

test('a platform that is away when a credit is to be recounted is asked again later, not never', async () => {
  const approved = await approveOne()
  await settleIntent(floor.system, approved.intentId)
  assert.equal(await waitingJobs('funding.recount-intent', approved.intentId), 1)
  await floor.simulator.control.down()
  await recountIntent(floor.system, approved.intentId)
  assert.equal(await waitingJobs('funding.recount-intent', approved.intentId), 2)
  await floor.simulator.control.up()
  floor.ground.clock.advance(30 * 60_000)
  await recountIntent(floor.system, approved.intentId)
  assert.equal(await waitingJobs('funding.recount-intent', approved.intentId), 2)
})
