import type { Scope } from '@atrium/contract/access/scopes.ts'
import { holdsRight } from '@atrium/contract/staff/rights.ts'
import { sql } from 'kysely'
import { type Actor, isOpenTo, type Member } from '../foundation/actor.ts'
import type { DB } from '../foundation/database/database.generated.ts'
import { reading } from '../foundation/database/database.ts'
import type { MediaRow } from './media.ts'

type Use = {
  /** The parts of the portal that show the file; one that is open to the member is enough. */
  scopes: readonly Scope[]
  /** The table that refers to it, and its column with the file. */
  at: readonly [table: keyof DB, column: string]
}

/** Everything that a file can be attached to. A new kind of attachment adds its table here. */
const uses = {
  transaction: {
    scopes: ['transactions', 'my_accounts', 'deposit'],
    at: ['transaction_attachments', 'media_id'],
  },
  // Every page and ticket shows it, also while terms block the profile.
  picture: { scopes: ['all'], at: ['members', 'picture_media_id'] },
  wallet: { scopes: ['other-accounts', 'withdraw'], at: ['fund_accounts', 'qr_media_id'] },
  ticket: { scopes: ['support'], at: ['ticket_messages', 'media_id'] },
  document: { scopes: ['documents'], at: ['documents', 'media_id'] },
  answer: { scopes: ['requests'], at: ['form_answer_files', 'media_id'] },
} satisfies Record<string, Use>
type UseName = keyof typeof uses

/** The rows that refer to the file, in a query over `media`. */
const rowsAt = ([table, column]: Use['at']) => sql`select from ${sql.table(table)} as used
  where used.workspace_id = media.workspace_id and ${sql.ref(`used.${column}`)} = media.media_id`

/** True in a query over `media` for a file that nothing refers to. */
export const isUnattached = sql<boolean>`${sql.join(
  Object.values(uses).map(({ at }) => sql`not exists (${rowsAt(at)})`),
  sql` and `,
)}`

const usesOfFile = sql<UseName[]>`array_remove(array[${sql.join(
  Object.entries(uses).map(([name, { at }]) => sql`case when exists (${rowsAt(at)}) then ${sql.lit(name)} end`),
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

/** A file of the actor; null for an unknown one and those of others alike. */
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
