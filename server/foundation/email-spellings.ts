import { domainToUnicode } from 'node:url'
import { emailKey } from '@atrium/contract/validators/reach.ts'
import { sql } from 'kysely'
import type { Actor } from './actor.ts'
import type { Tx } from './database/database.ts'

/**
 * What `lower(email)` may be of whoever has this address: a domain in another script is kept as it was typed, and is the same
 * in its `xn--` form.
 */
export function emailSpellings(email: string): string[] {
  const key = emailKey(email)
  const at = key.lastIndexOf('@') + 1
  return [...new Set([key, key.slice(0, at) + domainToUnicode(key.slice(at)), email.trim().toLowerCase()])]
}

/** Whether somebody of the workspace signs in with this address, by any spelling: the unique index knows one spelling at a time. */
export async function isEmailTaken(
  tx: Tx,
  { workspaceId }: Actor,
  table: 'members' | 'staff_users',
  email: string,
): Promise<boolean> {
  const row = await tx
    .selectFrom(table)
    .select('workspace_id')
    .where('workspace_id', '=', workspaceId)
    .where(sql`lower(email)`, 'in', emailSpellings(email))
    .executeTakeFirst()
  return row !== undefined
}
