import type { Feature, Features } from '@atrium/contract/access/scopes.ts'
import type { System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { lockWorkspace, nextVersion } from './choices.ts'
import { readWorkspace } from './workspace.ts'

export async function readSwitches(system: System): Promise<Features> {
  return (await reading(system, (tx) => readWorkspace(tx, system))).features
}

/** For the command line: switches one feature, as the desk's Features section does. Idempotent. */
export async function switchFeature(system: System, feature: Feature, isOn: boolean): Promise<void> {
  await inTransaction(system, async (tx) => {
    await lockWorkspace(tx, system)
    const { features } = await readWorkspace(tx, system)
    if (features[feature] === isOn) return
    await tx
      .updateTable('workspaces')
      .set({ features: JSON.stringify({ ...features, [feature]: isOn }) })
      .where('workspace_id', '=', system.workspaceId)
      .execute()
    // A desk form opened before is refused instead of restoring the old value.
    await nextVersion(tx, system, 'features', null)
    await audit(tx, system, {
      action: 'workspace.features-changed',
      subject: { kind: 'workspace', id: system.workspaceId },
      before: { [feature]: features[feature] },
      after: { [feature]: isOn },
    })
  })
}
