import { createHash } from 'node:crypto'
import { type Scope, scopeNames } from '@atrium/contract/access/scopes.ts'
import { noTerms } from '@atrium/contract/terms/header.ts'
import { type ReferenceExpression, sql } from 'kysely'
import type { DB } from './database/database.generated.ts'

/** Terms that a member has still to accept, as far as every call needs to know of them; the text is read when asked for. */
export type PendingTerms = { _id: string; version: number; name: string; blocked_portal_sections: readonly Scope[] }

type PendingRow = { id: string; version: number; name: string; sections: string[] }

/** A column for the statement that proves the member, so that terms cost no round trip of their own. */
export function selectPendingTerms(workspaceId: string, memberId: ReferenceExpression<DB, 'members'> & string) {
  return sql<PendingRow[] | null>`pending_terms(${workspaceId}::uuid, ${sql.ref(memberId)})`.as('pending_terms')
}

export function readPendingRows(rows: readonly PendingRow[] | null): PendingTerms[] {
  return (rows ?? []).map(({ id, version, name, sections }) => ({
    _id: id,
    version,
    name,
    blocked_portal_sections: readSections(sections),
  }))
}

/** A section that the table of scopes has lost since blocks nothing; there is nothing left that it could block. */
export function readSections(stored: readonly string[]): Scope[] {
  return scopeNames.filter((name) => stored.includes(name))
}

/** Says in a few characters which terms are pending, so that each answer can carry it and the web sees a change at once. */
export function digestOf(pending: readonly PendingTerms[]): string {
  if (pending.length === 0) return noTerms
  const named = pending.map(({ _id, version }) => `${_id}:${version}`).join(' ')
  return createHash('sha256').update(named).digest('base64url').slice(0, 16)
}
