import type { DeskRequest } from '@atrium/contract/requests/desk-calls.ts'
import type { RequestState } from '@atrium/contract/requests/states.ts'
import { readSubmittedAnswers } from '../forms/submitted-answers.ts'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { listColleagues } from '../staff/colleagues.ts'
import { selectDeskRequests, shapeRow } from './desk-list.ts'
import { describeChange } from './detail-change.ts'

/** One request with everything a decision needs: answers, history and possible assignees. */
export function readDeskRequest(staff: Staff, id: string): Promise<DeskRequest> {
  authorizeStaff(staff, 'members.read')
  return reading(staff, async (tx) => {
    const row = await selectDeskRequests(tx, staff).where('request.request_id', '=', id).executeTakeFirst()
    if (!row) refuseNotFound()
    const [answered] = await readSubmittedAnswers(tx, staff, { requestIds: [id] })
    const colleagues = await listColleagues(tx, staff, 'requests.handle')
    return {
      ...shapeRow(row),
      description: row.description,
      comment: row.comment,
      answered: answered ?? null,
      events: await readEvents(tx, staff, id),
      change: await describeChange(tx, staff, row),
      colleagues: colleagues.map(({ staff_id, name }) => ({ _id: staff_id, name })),
    }
  })
}

/** More than staff read; the newest come last. */
const eventsMax = 500

async function readEvents(tx: Tx, staff: Staff, id: string): Promise<DeskRequest['events']> {
  const rows = await tx
    .selectFrom('request_events')
    .selectAll()
    .where('workspace_id', '=', staff.workspaceId)
    .where('request_id', '=', id)
    .orderBy('at', 'desc')
    .orderBy('event_id', 'desc')
    .limit(eventsMax)
    .execute()
  return rows.reverse().map((row) => ({
    _id: row.event_id,
    at: row.at.getTime(),
    kind: row.kind as DeskRequest['events'][number]['kind'],
    by: row.staff_id && row.staff_name ? { _id: row.staff_id, name: row.staff_name } : null,
    from: row.from_status as RequestState | null,
    to: row.to_status as RequestState | null,
    assigned: row.assigned_name,
    comment: row.comment,
  }))
}
