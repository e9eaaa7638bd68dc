import { sql } from 'kysely'
import type { Actor } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import type { MediaRow } from './media.ts'

/** True in a query over `media` for a file that nothing refers to. A new kind of attachment adds its table here. */
export const isUnattached = sql<boolean>`not exists (
  select from transaction_attachments as attachment
  where attachment.workspace_id = media.workspace_id and attachment.media_id = media.media_id)
  and not exists (
  select from members as wearer
  where wearer.workspace_id = media.workspace_id and wearer.picture_media_id = media.media_id)
  and not exists (
  select from fund_accounts as wallet
  where wallet.workspace_id = media.workspace_id and wallet.qr_media_id = media.media_id)
  and not exists (
  select from ticket_messages as said
  where said.workspace_id = media.workspace_id and said.media_id = media.media_id)
  and not exists (
  select from documents as document
  where document.workspace_id = media.workspace_id and document.media_id = media.media_id)
  and not exists (
  select from form_answer_files as answer
  where answer.workspace_id = media.workspace_id and answer.media_id = media.media_id)`

/** True in a query over `media` for a file in a member's unsent form. */
export const isInDraft = sql<boolean>`exists (
  select from form_drafts as draft
  where draft.workspace_id = media.workspace_id and draft.member_id = media.member_id
  and media.media_id = any (draft.media_ids))`

/** A file that the actor may see, or null for an unknown one and one of others alike. */
export async function findMedia(actor: Actor, mediaId: string): Promise<MediaRow | null> {
  const row = await reading(actor, (tx) => {
    const found = tx
      .selectFrom('media')
      .selectAll()
      .where('workspace_id', '=', actor.workspaceId)
      .where('media_id', '=', mediaId)
    return (actor.kind === 'member' ? found.where('member_id', '=', actor.memberId) : found).executeTakeFirst()
  })
  return row ?? null
}
