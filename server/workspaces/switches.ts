import type { Feature, Features } from '@atrium/contract/access/scopes.ts'
import type { System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { lockWorkspace, nextVersion } from './choices.ts'
import { readWorkspace } from './workspace.ts'

export async function readSwitches(system: System): Promise<Features> {
  return (await reading(system, (tx) => readWorkspace(tx, system))).features
}

/** For whoever runs the machine: what the desk's section of features does, for one of them. Twice is as good as once. */
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
    // A form of the desk that was opened before is told so instead of switching it back.
    await nextVersion(tx, system, 'features', null)
    await audit(tx, system, {
      action: 'workspace.features-changed',
      subject: { kind: 'workspace', id: system.workspaceId },
      before: { [feature]: features[feature] },
      after: { [feature]: isOn },
    })
  })
}
