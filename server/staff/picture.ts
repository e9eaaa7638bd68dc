import { createHash } from 'node:crypto'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { type LogoContent, readLogoContent } from '../workspaces/logo-content.ts'

/**
 * Sets the picture shown beside a desk user's answers, under a new URL, so that caches do not show the old one. The
 * file is stored before its row; the sweep removes a file without a row.
 */
export async function setOwnPicture(staff: Staff, base64: string | null): Promise<void> {
  authorizeStaff(staff, 'desk.use')
  const { files } = staff.context
  const picture = base64 === null ? null : await readLogoContent(base64, 'picture')
  const row = picture && makeRow(staff, picture)
  if (row) await files.write(row.storage_key, picture.content)
  const left = await inTransaction(staff, async (tx) => {
    const before = await lockOwnPicture(tx, staff)
    // A repeated upload keeps the current file.
    if (row && before?.sha256.equals(row.sha256)) return row
    if (!row && !before) return null
    if (before) await takeOff(tx, staff, before.picture_id)
    if (row) await tx.insertInto('staff_pictures').values(row).execute()
    await audit(tx, staff, {
      action: row ? 'staff.picture-changed' : 'staff.picture-removed',
      subject: { kind: 'staff', id: staff.staffId },
      before: { picture: before?.picture_id ?? null },
      after: { picture: row?.picture_id ?? null },
    })
    return before
  })
  if (left) await files.remove(left.storage_key)
}

function makeRow(staff: Staff, { extension, contentType, content }: LogoContent) {
  const picture_id = newId()
  return {
    workspace_id: staff.workspaceId,
    picture_id,
    staff_id: staff.staffId,
    name: `picture.${extension}`,
    content_type: contentType,
    size_bytes: content.length,
    sha256: createHash('sha256').update(content).digest(),
    storage_key: `${staff.workspaceId}/${picture_id}`,
    created_at: staff.context.clock.now(),
  }
}

/** Locks the person, because the picture row may not exist. */
async function lockOwnPicture(tx: Tx, staff: Staff) {
  await tx
    .selectFrom('staff_users')
    .select('staff_id')
    .where('workspace_id', '=', staff.workspaceId)
    .where('staff_id', '=', staff.staffId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return tx
    .selectFrom('staff_pictures')
    .select(['picture_id', 'sha256', 'storage_key'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('staff_id', '=', staff.staffId)
    .executeTakeFirst()
}

async function takeOff(tx: Tx, staff: Staff, pictureId: string): Promise<void> {
  await tx
    .deleteFrom('staff_pictures')
    .where('workspace_id', '=', staff.workspaceId)
    .where('picture_id', '=', pictureId)
    .execute()
}
