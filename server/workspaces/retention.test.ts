// spec: OP operation
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ChosenTime } from '@atrium/contract/workspaces/retention.ts'
import { fillEveryTable } from '../../tests/catalogue/every-table.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addDeadLetters } from '../../tests/fixtures/dead-letters.ts'
import { sweepDrafts } from '../forms/jobs.ts'
import { type System, systemActor } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import { sweepMails, sweepNotifications } from '../notifications/sweep.ts'
import { endOverdueSessions } from '../sessions/session.ts'
import { sweepSessions } from '../sessions/sweep.ts'
import { chooseDays } from './retention.ts'

const dayMs = 24 * 3_600_000

/** Webhook events and KYC documents are tested where they are cleared. */
const swept: [
  Exclude<ChosenTime, 'notification_days' | 'paper_days'>,
  'sessions' | 'mails' | 'notices' | 'form_drafts',
  (system: System) => Promise<unknown>,
][] = [
  ['session_days', 'sessions', sweepSessions],
  ['mail_days', 'mails', sweepMails],
  ['notice_days', 'notices', sweepNotifications],
  ['draft_days', 'form_drafts', sweepDrafts],
]

let made: MadeContext
before(async () => {
  made = await makeTestContext()
})
after(() => made.close())

async function filled(subdomain: string): Promise<System> {
  const { workspaceId } = await fillEveryTable(made.context, subdomain)
  const system = systemActor(made.context, workspaceId)
  for (const [time] of swept) await chooseDays(system, time, 120)
  await addDeadLetters(system)
  return system
}

for (const [time, table, sweep] of swept) {
  test(`removes ${table} after the configured days, not before, and only of its brokerage`, async () => {
    const name = time.replace('_', '-')
    const [here, there] = [await filled(`here-${name}`), await filled(`there-${name}`)]
    const countIn = async (system: System) => {
      const rows = await reading(system, (tx) =>
        tx.selectFrom(table).select('workspace_id').where('workspace_id', '=', system.workspaceId).execute(),
      )
      return rows.length
    }
    await chooseDays(here, time, 100)
    made.context.clock.advance(dayMs)
    for (const system of [here, there]) await endOverdueSessions(system)
    const before = await countIn(here)
    assert.ok(before > 0)
    made.context.clock.advance(98 * dayMs)
    await sweep(here)
    assert.equal(await countIn(here), before, 'a day too early')
    made.context.clock.advance(2 * dayMs)
    for (const system of [here, there]) await sweep(system)
    assert.ok((await countIn(here)) < before)
    assert.equal(await countIn(there), before)
    made.context.clock.advance(20 * dayMs)
    await sweep(there)
    assert.ok((await countIn(there)) < before)
  })
}
