import { sql } from 'kysely'
import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import type { Erasure } from '../foundation/erasure.ts'
import { takeNumber } from './notifications.ts'

export const notificationsErasure: Erasure = {
  last: emptyBox,
  tables: {
    mails: { do: 'apart', where: 'erasure.ts: removed while the mailbox is locked' },
    notices: { do: 'apart', where: 'erasure.ts: removed while the mailbox is locked' },
    notice_boxes: { do: 'apart', where: 'erasure.ts: removed while the mailbox is locked' },
  },
}

/**
 * Runs last, in the lock order of notify.ts. A concurrent notification commits first and is deleted here, or follows
 * and finds the member erased.
 */
async function emptyBox(tx: Tx, actor: Actor, memberId: string): Promise<void> {
  await takeNumber(tx, actor, memberId)
  for (const table of ['mails', 'notices', 'notice_boxes', 'member_writes'])
    await sql`delete from ${sql.table(table)}
      where workspace_id = ${actor.workspaceId}::uuid and member_id = ${memberId}::uuid`.execute(tx)
}
