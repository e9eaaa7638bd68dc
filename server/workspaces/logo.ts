import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { z } from 'zod'
import { bytesOf, joinPieces } from '../files/file-bytes.ts'
import { inspectFile } from '../files/inspect.ts'
import { authorizeStaff, type Staff, type System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading } from '../foundation/database.ts'
import { refuseFields } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { describe, lockWorkspace } from './change.ts'

const kinds = [
  { extension: 'png', contentType: 'image/png' },
  { extension: 'jpg', contentType: 'image/jpeg' },
] as const

/** The logo that sign-in screen, shell and mails wear. The older ones stay: mails that were sent still show them. */
export async function setLogo(actor: Staff, logo: string | null) {
  authorizeStaff(actor, 'workspace.manage')
  const picture = logo === null ? null : await readPicture(Buffer.from(logo, 'base64'))
  return inTransaction(actor, async (tx) => {
    await lockWorkspace(tx, actor)
    const logo_id = newId()
    if (picture)
      await tx
        .insertInto('workspace_logos')
        .values({
          workspace_id: actor.workspaceId,
          logo_id,
          content_type: picture.contentType,
          content: picture.content,
          created_at: actor.ground.clock.now(),
        })
        .execute()
    const before = (await describe(tx, actor)).logo_url
    const logo_url = picture ? `/brand/logos/${logo_id}/logo.${picture.extension}` : null
    await tx.updateTable('workspaces').set({ logo_url }).where('workspace_id', '=', actor.workspaceId).execute()
    await audit(tx, actor, {
      action: 'workspace.logo-changed',
      subject: { kind: 'workspace', id: actor.workspaceId },
      before: { logo_url: before },
      after: { logo_url },
    })
    return describe(tx, actor)
  })
}

/** By its content, and without what its maker did not mean to send. */
async function readPicture(content: Buffer) {
  if (content.length > limits.logoSizeKbMax * 1_000) refuseFields({ logo: [texts.logoTooLarge] })
  for (const kind of kinds) {
    const bytes = bytesOf(content)
    const found = await inspectFile(bytes, kind.extension)
    if (!('problem' in found)) return { ...kind, content: await joinPieces(bytes, found.pieces) }
  }
  return refuseFields({ logo: [texts.logoInvalid] })
}

export async function findLogo(system: System, id: string) {
  if (!z.uuid().safeParse(id).success) return null
  const row = await reading(system, (tx) =>
    tx
      .selectFrom('workspace_logos')
      .select(['content', 'content_type'])
      .where('workspace_id', '=', system.workspaceId)
      .where('logo_id', '=', id)
      .executeTakeFirst(),
  )
  return row ?? null
}
