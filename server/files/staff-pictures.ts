import type { Actor, Staff } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { mediaUrl } from './media.ts'

/** The URL of the signed-in staff member's picture, or null. */
export async function ownPictureUrl(tx: Tx, staff: Staff): Promise<string | null> {
  const row = await tx
    .selectFrom('staff_pictures')
    .select(['picture_id', 'name'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('staff_id', '=', staff.staffId)
    .executeTakeFirst()
  return row ? `/cp${mediaUrl({ media_id: row.picture_id, name: row.name })}` : null
}

/** Visible to every signed-in user of the brokerage, including members. */
export async function findStaffPicture(actor: Actor, pictureId: string) {
  const row = await reading(actor, (tx) =>
    tx
      .selectFrom('staff_pictures')
      .select(['name', 'content_type', 'size_bytes', 'storage_key', 'sha256'])
      .where('workspace_id', '=', actor.workspaceId)
      .where('picture_id', '=', pictureId)
      .executeTakeFirst(),
  )
  return row ? { ...row, size_bytes: String(row.size_bytes) } : null
}
