import type { Insertable } from 'kysely'
import type { Actor } from './actor.ts'
import type { DB } from './database/database.generated.ts'
import type { Tx } from './database/database.ts'
import { prepareStatement } from './database/prepared-statement.ts'
import { newId } from './ids.ts'

type Entry = {
  /** `noun.past-tense`, e.g. `deposit.approved`. */
  action: string
  subject: { kind: string; id: string }
  /** The member concerned, who may read the entry. */
  memberId?: string | undefined
  /** The authenticated person before a session exists. */
  by?: { kind: 'member' | 'staff'; id: string } | undefined
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

/** Writes an audit entry in the transaction of the change, so that neither exists without the other. */
export async function audit(tx: Tx, actor: Actor, entry: Entry): Promise<void> {
  const by = entry.by ?? { kind: actor.kind, id: idOf(actor) }
  await addEntry(tx, {
    workspace_id: actor.workspaceId,
    audit_id: newId(),
    at: actor.context.clock.now(),
    actor_kind: by.kind,
    actor_id: by.id,
    member_id: actor.kind === 'member' ? actor.memberId : (entry.memberId ?? null),
    action: entry.action,
    subject_kind: entry.subject.kind,
    subject_id: entry.subject.id,
    before: entry.before ? JSON.stringify(entry.before) : null,
    after: entry.after ? JSON.stringify(entry.after) : null,
    request_id: actor.requestId ?? null,
    address: actor.address ?? null,
  })
}

const addEntry = prepareStatement('audit_entry', (tx: Tx, row: Insertable<DB['audit_log']>) =>
  tx.insertInto('audit_log').values(row),
)

function idOf(actor: Actor): string | null {
  if (actor.kind === 'member') return actor.memberId
  return actor.kind === 'staff' ? actor.staffId : null
}
