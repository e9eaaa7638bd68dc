import type { Page } from 'playwright'
import { demoPassword } from '../../demo/harbour-markets.ts'
import type { System } from '../../server/foundation/actor.ts'
import { inTransaction } from '../../server/foundation/database/database.ts'

/** Ages every session by an hour. */
export async function ageProofs(system: System): Promise<void> {
  await inTransaction(system, (tx) =>
    tx
      .updateTable('sessions')
      .set({ proven_at: new Date(system.context.clock.now().getTime() - 3_600_000) })
      .where('workspace_id', '=', system.workspaceId)
      .execute(),
  )
}

/** Answers the re-authentication prompt before a sensitive change. */
export async function proveAnew(page: Page): Promise<void> {
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await proof.getByLabel('Current password').fill(demoPassword)
  await proof.getByRole('button', { name: 'Confirm' }).click()
}
