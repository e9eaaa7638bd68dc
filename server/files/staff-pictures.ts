import type { Actor, Staff } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { mediaUrl } from './media.ts'

/** Where the signed-in colleague's own is read; null without one. */
export async function ownPictureUrl(tx: Tx, staff: Staff): Promise<string | null> {
  const row = await tx
    .selectFrom('staff_pictures')
    .select(['picture_id', 'name'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('staff_id', '=', staff.staffId)
    .executeTakeFirst()
  return row ? `/cp${mediaUrl({ media_id: row.picture_id, name: row.name })}` : null
}

/** Anybody of the brokerage who is signed in, its members among them, may see a colleague. */
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
