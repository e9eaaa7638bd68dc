import { domainToUnicode } from 'node:url'
import { emailKey } from '@atrium/contract/validators/reach.ts'
import { sql } from 'kysely'
import type { Actor } from './actor.ts'
import type { Tx } from './database/database.ts'
import { holdName } from './database/named-lock.ts'

/**
 * The values of `lower(email)` for this address: an internationalized domain is stored as typed, and is equal to its
 * `xn--` form.
 */
export function emailSpellings(email: string): string[] {
  const key = emailKey(email)
  const at = key.lastIndexOf('@') + 1
  return [...new Set([key, key.slice(0, at) + domainToUnicode(key.slice(at)), email.trim().toLowerCase()])]
}

/**
 * Matches members whose `lower(email)` is one of these. `lower` is not leakproof, so under row security no index serves it and the
 * query would read all members of a brokerage: finds candidates by their search words first, then compares.
 */
export function memberHasEmail({ workspaceId }: Pick<Actor, 'workspaceId'>, spellings: readonly string[]) {
  return sql<boolean>`(members.member_id = any(array(
      select member_id from member_words where workspace_id = ${workspaceId} and word = any(${spellings}::text[])))
    and lower(members.email) = any(${spellings}::text[]))`
}

const heldAs = { members: 'member-email', staff_users: 'staff-email' }

/** Serializes concurrent use of one address in the workspace, in any spelling: the unique index covers one at a time. */
export const holdEmail = (tx: Tx, { workspaceId }: Actor, table: keyof typeof heldAs, email: string): Promise<void> =>
  holdName(tx, `${heldAs[table]}-${workspaceId}-${emailKey(email)}`)

/** Whether the address is taken in any spelling; held until the transaction ends. */
export async function isEmailTaken(
  tx: Tx,
  actor: Actor,
  table: 'members' | 'staff_users',
  email: string,
): Promise<boolean> {
  await holdEmail(tx, actor, table, email)
  const spellings = emailSpellings(email)
  const row = await tx
    .selectFrom(table)
    .select('workspace_id')
    .where('workspace_id', '=', actor.workspaceId)
    .where(
      table === 'members' ? memberHasEmail(actor, spellings) : sql<boolean>`lower(email) = any(${spellings}::text[])`,
    )
    .executeTakeFirst()
  return row !== undefined
}
