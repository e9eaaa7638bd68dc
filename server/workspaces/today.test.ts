// spec: DK reconciliation, DK members
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addWorkspace } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import { dayIn, spanOf } from '../foundation/days.ts'

let made: MadeContext
let system: System

before(async () => {
  made = await makeTestContext()
  system = await addWorkspace(made.context, { isDefault: true })
})
after(() => made.close())

for (const zone of [
  ...['Europe/Malta', 'Asia/Kolkata', 'Etc/GMT+5', 'UTC', 'europe/london'],
  // Not known to PostgreSQL, or as another zone.
  ...['ACT', 'AST', 'BST', 'IST', 'US/Pacific-New', 'SystemV/AST4', '+05:30', '-03:00'],
])
  test(`a day in ${zone} begins and ends at the same moments for the database and the program`, async () => {
    for (const day of ['2026-01-15', '2026-07-15']) {
      const { from, to } = await reading(system, (tx) => spanOf(tx, day, zone))
      assert.deepEqual([dayIn(from, zone), dayIn(new Date(to.getTime() - 1), zone)], [day, day])
      assert.equal(to.getTime() - from.getTime(), 24 * 3_600_000)
    }
  })
