import { createHash } from 'node:crypto'
import { type Scope, scopeNames } from '@atrium/contract/access/scopes.ts'
import { noTerms } from '@atrium/contract/terms/header.ts'
import { type ReferenceExpression, sql } from 'kysely'
import type { DB } from './database/database.generated.ts'

/** Terms the member has not accepted, with what every call needs; the text is read on demand. */
export type PendingTerms = { _id: string; version: number; name: string; blocked_portal_sections: readonly Scope[] }

type PendingRow = { id: string; version: number; name: string; sections: string[] }

/**
 * A column for the statement that authenticates the member, so that terms cost no extra round trip. Most workspaces
 * publish none, and looking for one costs half of what the function does.
 */
export function selectPendingTerms(workspaceId: string, memberId: ReferenceExpression<DB, 'members'> & string) {
  return sql<PendingRow[] | null>`case when exists (
      select from terms_templates where workspace_id = ${workspaceId}::uuid and state = 'published')
    then pending_terms(${workspaceId}::uuid, ${sql.ref(memberId)}) end`.as('pending_terms')
}

export function readPendingRows(rows: readonly PendingRow[] | null): PendingTerms[] {
  return (rows ?? []).map(({ id, version, name, sections }) => ({
    _id: id,
    version,
    name,
    blocked_portal_sections: readSections(sections),
  }))
}

/** Ignores stored sections that no longer exist. */
export function readSections(stored: readonly string[]): Scope[] {
  return scopeNames.filter((name) => stored.includes(name))
}

/** A short digest of the pending terms, sent with each response so that the web notices a change. */
export function digestOf(pending: readonly PendingTerms[]): string {
  if (pending.length === 0) return noTerms
  const named = pending.map(({ _id, version }) => `${_id}:${version}`).join(' ')
  return createHash('sha256').update(named).digest('base64url').slice(0, 16)
}
