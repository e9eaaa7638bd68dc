import type { Scope } from '@atrium/contract/access/scopes.ts'
import { holdsRight } from '@atrium/contract/staff/rights.ts'
import { type RawBuilder, sql } from 'kysely'
import { type Actor, isOpenTo, type Member } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import type { MediaRow } from './media.ts'

type Use = {
  /** The parts of the portal that show the file; one that is open to the member is enough. */
  scopes: readonly Scope[]
  /** The rows that refer to it, in a query over `media`. */
  rows: RawBuilder<unknown>
}

/** Everything that a file can be attached to. A new kind of attachment adds its table here. */
const uses = {
  transaction: {
    scopes: ['transactions', 'my_accounts', 'deposit'],
    rows: sql`select from transaction_attachments as attachment
      where attachment.workspace_id = media.workspace_id and attachment.media_id = media.media_id`,
  },
  picture: {
    // Every page and ticket shows it, also while terms block the profile.
    scopes: ['all'],
    rows: sql`select from members as wearer
      where wearer.workspace_id = media.workspace_id and wearer.picture_media_id = media.media_id`,
  },
  wallet: {
    scopes: ['other-accounts', 'withdraw'],
    rows: sql`select from fund_accounts as wallet
      where wallet.workspace_id = media.workspace_id and wallet.qr_media_id = media.media_id`,
  },
  ticket: {
    scopes: ['support'],
    rows: sql`select from ticket_messages as said
      where said.workspace_id = media.workspace_id and said.media_id = media.media_id`,
  },
  document: {
    scopes: ['documents'],
    rows: sql`select from documents as document
      where document.workspace_id = media.workspace_id and document.media_id = media.media_id`,
  },
  answer: {
    scopes: ['requests'],
    rows: sql`select from form_answer_files as answer
      where answer.workspace_id = media.workspace_id and answer.media_id = media.media_id`,
  },
} satisfies Record<string, Use>
type UseName = keyof typeof uses

/** True in a query over `media` for a file that nothing refers to. */
export const isUnattached = sql<boolean>`${sql.join(
  Object.values(uses).map(({ rows }) => sql`not exists (${rows})`),
  sql` and `,
)}`

const usesOfFile = sql<UseName[]>`array_remove(array[${sql.join(
  Object.entries(uses).map(([name, { rows }]) => sql`case when exists (${rows}) then ${sql.lit(name)} end`),
)}], null)`

/** True in a query over `media` for a file in a member's unsent form. */
export const isInDraft = sql<boolean>`exists (
  select from form_drafts as draft
  where draft.workspace_id = media.workspace_id and draft.member_id = media.member_id
  and media.media_id = any (draft.media_ids))`

function selectMedia(actor: Actor, mediaId: string) {
  return reading(actor, async (tx) => {
    // A role that this version does not know has no right.
    if (actor.kind === 'staff' && !holdsRight(actor.role, 'members.read')) return undefined
    const found = tx
      .selectFrom('media')
      .selectAll()
      .select(usesOfFile.as('uses'))
      .where('workspace_id', '=', actor.workspaceId)
      .where('media_id', '=', mediaId)
    return (actor.kind === 'member' ? found.where('member_id', '=', actor.memberId) : found).executeTakeFirst()
  })
}

/** A file of the actor, or null for an unknown one and one of others alike. */
export async function findMedia(actor: Actor, mediaId: string): Promise<MediaRow | null> {
  return (await selectMedia(actor, mediaId)) ?? null
}

/** The same for reading it: null for a member who may not see anything that the file is attached to. */
export async function findVisibleMedia(actor: Actor, mediaId: string): Promise<MediaRow | null> {
  const row = await selectMedia(actor, mediaId)
  return row && (actor.kind !== 'member' || isShown(actor, row.uses)) ? row : null
}

const isShown = (member: Member, names: readonly UseName[]): boolean =>
  names.length === 0 || isOpenTo(member, ...names.flatMap((name): readonly Scope[] => uses[name].scopes))
