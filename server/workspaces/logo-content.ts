import { fileTexts } from '@atrium/contract/files/texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { z } from 'zod'
import { bytesOf, joinPieces } from '../files/file-bytes.ts'
import { inspectFile } from '../files/inspection/inspect.ts'
import type { Staff, System } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { refuseFields } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'

const kinds = [
  { extension: 'png', contentType: 'image/png' },
  { extension: 'jpg', contentType: 'image/jpeg' },
] as const

export type LogoContent = { extension: string; contentType: string; content: Buffer }

/** Decodes a base64 picture, checks its content and strips its metadata. */
export async function readLogoContent(base64: string, field = 'logo'): Promise<LogoContent> {
  const content = Buffer.from(base64, 'base64')
  if (content.length > limits.logoSizeKbMax * 1_000) refuseFields({ [field]: [fileTexts.logoTooLarge] })
  for (const kind of kinds) {
    const bytes = bytesOf(content)
    const found = await inspectFile(bytes, kind.extension)
    if (!('problem' in found)) return { ...kind, content: await joinPieces(bytes, found.pieces) }
  }
  return refuseFields({ [field]: [fileTexts.logoInvalid] })
}

/** Stores it under its own permanent URL: mails and open pages still show older logos. */
export async function keepLogoContent(tx: Tx, actor: Staff, picture: LogoContent): Promise<string> {
  const logo_id = newId()
  await tx
    .insertInto('workspace_logos')
    .values({
      workspace_id: actor.workspaceId,
      logo_id,
      content_type: picture.contentType,
      content: picture.content,
      created_at: actor.context.clock.now(),
    })
    .execute()
  return `/brand/logos/${logo_id}/logo.${picture.extension}`
}

export async function findLogoContent(system: System, id: string) {
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
