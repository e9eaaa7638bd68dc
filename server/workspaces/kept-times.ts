import { workspaceSections } from '@atrium/contract/desk-workspace.ts'
import type { System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading } from '../foundation/database.ts'
import { refuseFields } from '../foundation/errors.ts'
import { lockWorkspace, nextVersion, store } from './change.ts'
import { readWorkspace } from './workspace.ts'

const shape = workspaceSections.security.shape.notification_days

export async function readNotificationDays(system: System): Promise<number> {
  return (await reading(system, (tx) => readWorkspace(tx, system))).settings.notification_days
}

/** For whoever runs the machine: what the desk's section Security does, for one time. Twice is as good as once. */
export async function chooseNotificationDays(system: System, days: number): Promise<void> {
  const read = shape.safeParse(days)
  if (!read.success) refuseFields({ notification_days: read.error.issues.map(({ message }) => message) })
  await inTransaction(system, async (tx) => {
    await lockWorkspace(tx, system)
    const { notification_days } = (await readWorkspace(tx, system)).settings
    if (notification_days === days) return
    await store(tx, system, { settings: { notification_days: days } })
    // A form of the desk that was opened before is told so instead of putting the time before back.
    await nextVersion(tx, system, 'security', null)
    await audit(tx, system, {
      action: 'workspace.security-changed',
      subject: { kind: 'workspace', id: system.workspaceId },
      before: { notification_days },
      after: { notification_days: days },
    })
  })
}
