/** Two platforms: one hangs for an hour at every call, the other works. */

import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type pg from 'pg'
import { eventually } from '../../tests/doubles/child-server.ts'
import { addOpening } from '../../tests/fixtures/trading/platforms.ts'
import {
  addSecondPlatform,
  openTradingFixture,
  type TradingFixture,
} from '../../tests/fixtures/trading/trading-fixture.ts'
import { addMember } from '../../tests/fixtures/workspaces.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { openingJobs, sweepOpenings } from './jobs.ts'
import { lockOpening, moveOpening, type Opening, type OpeningState, scheduleTask } from './opening.ts'
import { schedulePostSettlementCheck } from './post-settlement-check.ts'

let setup: TradingFixture
let sound: TradingFixture
let owner: pg.Client

/** More than the queue has workers. */
const soMany = 6

// Each test has its own platforms: after another test's failures the circuit is open, and calls do not hang.
beforeEach(async () => {
  setup = await openTradingFixture({ authMs: 60_000, writeMs: 60_000, readMs: 60_000 })
  sound = await addSecondPlatform(setup)
  // The queue uses the real time, and our clock sets it.
  setup.context.clock.advance(Date.now() - setup.context.clock.now().getTime())
  owner = await setup.openOwner()
  await setup.context.jobs.start(openingJobs(setup.context))
  setup.simulator.control.addFault({ path: '/api/*', times: 1_000, kind: 'delay', ms: 3_600_000 })
  setup.simulator.control.clearCalls()
})
afterEach(async () => {
  await endHangingCalls()
  await setup.close()
  await sound.close()
})

/** A hanging call ends with its connection, and the queue empties. */
async function endHangingCalls(): Promise<void> {
  setup.simulator.control.clearFaults()
  setup.simulator.control.dropConnections()
  await setup.context.platforms.runQueued(setup.system, setup.platformId, 'last', async () => undefined)
}

/** Openings with a lost answer, advanced to `to`; the platform has none of them. */
async function lose(on: TradingFixture, count: number, to: OpeningState[] = ['sending', 'unknown']): Promise<string[]> {
  const ids: string[] = []
  for (let made = 0; made < count; made++) {
    const { memberId } = await addMember(setup.system)
    const id = await addOpening(setup.system, { memberId, platformId: on.platformId, group: 'real\\standard-usd' })
    await inTransaction(setup.system, async (tx) => {
      for (const state of to) await moveOpening(tx, setup.system, await lock(tx, id), state)
    })
    ids.push(id)
  }
  return ids
}

async function lock(tx: Tx, openingId: string): Promise<Opening> {
  const opening = await lockOpening(tx, setup.system, openingId)
  assert.ok(opening)
  return opening
}

async function areLookedUp(ids: string[]): Promise<boolean> {
  const rows = await reading(setup.system, (tx) =>
    tx
      .selectFrom('account_openings')
      .select(['absent_since', 'looked_at'])
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('opening_id', 'in', ids)
      .execute(),
  )
  return rows.length === ids.length && rows.every((row) => row.absent_since !== null || row.looked_at !== null)
}

const isAsked = async (): Promise<boolean> => setup.simulator.control.calls().length > 0

test('one hanging platform does not delay look-ups of openings on another, by the queue or the sweep', async () => {
  const stuck = await lose(setup, soMany)
  await scheduleLookUps(stuck)
  await eventually('a look-up hangs', isAsked)
  const byQueue = await lose(sound, 1)
  await scheduleLookUps(byQueue)
  await eventually('the queue calls the other platform', () => areLookedUp(byQueue))
  const bySweep = await lose(sound, 1)
  setup.context.clock.advance(1_000)
  void sweepOpenings(setup.context)
  await eventually('the sweep calls the other platform', () => areLookedUp(bySweep))
  assert.equal(await areLookedUp(stuck.slice(0, 1)), false)
})

async function scheduleLookUps(ids: string[]): Promise<void> {
  await inTransaction(setup.system, async (tx) => {
    for (const id of ids) await scheduleTask(tx, setup.system, id, new Date(0))
  })
}

test('a hanging platform does not delay post-settlement checks on another, nor schedules its own twice', async () => {
  const absent: OpeningState[] = ['sending', 'unknown', 'not_opened']
  const [hung, others] = [await lose(setup, soMany, absent), await lose(sound, 2, absent)]
  await inTransaction(setup.system, async (tx) => {
    for (const id of [...hung, ...others]) await schedulePostSettlementCheck(tx, setup.system, await lock(tx, id), 0)
  })
  await eventually('a post-settlement check hangs', isAsked)
  await eventually('the other platform is checked', () => areLookedUp(others))
  await eventually('each hanging check is left to a later job', async () => (await waiting()).length === soMany)
  assert.equal(await areLookedUp(hung.slice(0, 1)), false)
  await endHangingCalls()
  assert.deepEqual((await waiting()).sort(), hung.sort(), 'a hung check schedules no second job')
})

async function waiting(): Promise<string[]> {
  const found = await owner.query<{ id: string }>(
    `select data ->> 'id' as id from pgboss.job where name = 'openings.recount' and state = 'created'
      and start_after > now() + interval '1 minute'`,
  )
  return found.rows.map(({ id }) => id)
}
