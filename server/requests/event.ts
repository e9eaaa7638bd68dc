import type { RequestState } from '@atrium/contract/requests/states.ts'
import type { Selectable } from 'kysely'
import type { Member, Staff } from '../foundation/actor.ts'
import type { Requests } from '../foundation/database/database.generated.ts'
import type { Tx } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'

type RequestEvent = {
  kind: 'sent' | 'assigned' | 'moved' | 'commented'
  from?: RequestState
  to?: RequestState
  assigned?: string | null
  comment?: string | null
}

/** Records an event of a request, shown in order on its desk page. */
export async function recordRequestEvent(
  tx: Tx,
  actor: Member | Staff,
  { request_id, member_id }: Pick<RequestRow, 'request_id' | 'member_id'>,
  { kind, from, to, assigned, comment }: RequestEvent,
): Promise<void> {
  await tx
    .insertInto('request_events')
    .values({
      workspace_id: actor.workspaceId,
      event_id: newId(),
      request_id,
      member_id,
      at: actor.context.clock.now(),
      kind,
      from_status: from ?? null,
      to_status: to ?? null,
      staff_id: actor.kind === 'staff' ? actor.staffId : null,
      staff_name: actor.kind === 'staff' ? actor.name : null,
      assigned_name: assigned ?? null,
      comment: comment ?? null,
    })
    .execute()
}

export type RequestRow = Selectable<Requests>
