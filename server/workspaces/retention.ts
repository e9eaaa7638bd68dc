import { type ChosenTime, chosenDaysShape } from '@atrium/contract/workspaces/retention.ts'
import type { System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { refuseFields } from '../foundation/errors.ts'
import { lockWorkspace, nextVersion, store } from './choices.ts'
import { readWorkspace } from './workspace.ts'

const dayMs = 24 * 60 * 60_000

/** In days, as configured by the brokerage, else the default. */
export async function readChosenDays(system: System): Promise<Record<ChosenTime, number>> {
  return (await reading(system, (tx) => readWorkspace(tx, system))).settings
}

/** Rows at least this old are removed. */
export async function retainedSince(system: System, time: ChosenTime): Promise<Date> {
  return daysAgo(system, (await readChosenDays(system))[time])
}

export const daysAgo = ({ context }: System, days: number): Date =>
  new Date(context.clock.now().getTime() - days * dayMs)

/** For the command line: sets one retention period, as the desk's Security section does. Idempotent. */
export async function chooseDays(system: System, time: ChosenTime, days: number): Promise<void> {
  const read = chosenDaysShape[time].safeParse(days)
  if (!read.success) refuseFields({ [time]: read.error.issues.map(({ message }) => message) })
  await inTransaction(system, async (tx) => {
    await lockWorkspace(tx, system)
    const before = (await readWorkspace(tx, system)).settings[time]
    if (before === days) return
    await store(tx, system, { settings: { [time]: days } })
    // A desk form opened before is refused instead of restoring the old value.
    await nextVersion(tx, system, 'security', null)
    await audit(tx, system, {
      action: 'workspace.security-changed',
      subject: { kind: 'workspace', id: system.workspaceId },
      before: { [time]: before },
      after: { [time]: days },
    })
  })
}
