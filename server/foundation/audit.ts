import type { Actor } from './actor.ts'
import type { Tx } from './database/database.ts'
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
  await tx
    .insertInto('audit_log')
    .values({
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
    .execute()
}

function idOf(actor: Actor): string | null {
  if (actor.kind === 'member') return actor.memberId
  return actor.kind === 'staff' ? actor.staffId : null
}
