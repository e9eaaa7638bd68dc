import type { System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database.ts'
import { newId } from '../foundation/ids.ts'

/** The simulator lives by the real clock: a zone in which it is about noon keeps every test within one day. */
export function zoneOfNoon(): string {
  const ahead = 12 - new Date().getUTCHours()
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

type Values = { day?: string; note?: string; by?: string; accountId?: string; subject?: string }

/** A day that was compared and did not agree; explained, when somebody is named who explained it. */
export async function addMismatch(system: System, values: Values = {}): Promise<string> {
  const { day = '2026-11-20', by = null, accountId = null, note = 'Explained on purpose' } = values
  const difference_id = newId()
  const now = system.ground.clock.now()
  const key = { workspace_id: system.workspaceId, day }
  const explained = { state: 'explained', note, explained_by: by, explained_at: now }
  await inTransaction(system, async (tx) => {
    const span = { starts_at: new Date(`${day}T00:00:00Z`), ends_at: new Date(`${day}T23:59:59Z`) }
    await tx
      .insertInto('reconciliation_days')
      .values({ ...key, ...span, state: 'compared', asked_at: now, compared_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await tx
      .insertInto('reconciliation_differences')
      .values({
        ...{ ...key, difference_id, kind: 'missing_at_portal', subject: values.subject ?? difference_id },
        ...{ currency: 'USD', method: 'platform', platform: '-1.00', account_id: accountId },
        ...{ found_at: now, seen_at: now, ...(by && explained) },
      })
      .execute()
  })
  return difference_id
}

/** The rest of what a comparison keeps. */
export async function fillReconciliation(
  system: System,
  { platformId, accountId }: { platformId: string; accountId: string },
): Promise<void> {
  await addMismatch(system, { accountId })
  const now = system.ground.clock.now()
  const [workspace_id, day] = [system.workspaceId, '2026-11-20']
  const sum = { currency: 'USD', method: 'manual', type: 'deposit', portal: '1.00', platform: '1.00' }
  const operation = { ticket: '1', amount: '1.00', currency: 'USD', at: now }
  await inTransaction(system, async (tx) => {
    const reading = { workspace_id, day, platform_id: platformId, touched_at: now }
    await tx.insertInto('reconciliation_readings').values(reading).execute()
    await tx
      .insertInto('reconciliation_sums')
      .values({ workspace_id, day, ...sum })
      .execute()
    await tx
      .insertInto('platform_operations')
      .values({ workspace_id, account_id: accountId, ...operation })
      .execute()
  })
}
