import type { moveRequest as moveCall } from '@atrium/contract/requests/desk-calls.ts'
import { isFinalRequest } from '@atrium/contract/requests/states.ts'
import { holdsRight } from '@atrium/contract/staff/rights.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { z } from 'zod'
import { sameWithinMs } from '../forms/submission.ts'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { refuse, refuseFields } from '../foundation/errors.ts'
import { refuseSelfDecision } from '../money-decisions/self-approval.ts'
import { selectColleagues } from '../staff/colleagues.ts'
import { applyRequestedDetails } from './detail-change.ts'
import { type RequestRow, recordRequestEvent } from './event.ts'
import { notifyComment, notifyMove } from './notifications.ts'
import { lockRequest, lockRequestForWords, moveRequest, refuseMove, stateOf, updateRequest } from './request.ts'

type Hands = { from: string | null; to: string | null }
type Holder = { assigned_staff_id: string | null; assigned_staff_name: string | null }

const holderOf = ({ staffId, name }: Pick<Staff, 'staffId' | 'name'>): Holder => ({
  assigned_staff_id: staffId,
  assigned_staff_name: name,
})
const nobody: Holder = { assigned_staff_id: null, assigned_staff_name: null }

/**
 * Assigns a request, or unassigns it; repeating the current assignment changes nothing. The caller names the current
 * assignee: of two concurrent calls the second is refused with the name of the new assignee.
 */
export async function assignRequest(staff: Staff, id: string, { from, to }: Hands): Promise<void> {
  authorizeStaff(staff, 'requests.handle')
  await inTransaction(staff, async (tx) => {
    const row = await lockRequest(tx, staff, id)
    if (row.assigned_staff_id === to) return
    if (isFinalRequest(stateOf(row))) refuseMove(staff, stateOf(row))
    if (row.assigned_staff_id !== from) refuseHeld(row)
    const holder = to === null ? nobody : holderOf(await findColleague(tx, staff, to))
    await recordRequestEvent(tx, staff, row, { kind: 'assigned', assigned: holder.assigned_staff_name })
    if (to === null) await moveRequest(tx, staff, row, { to: 'not-assigned', holder })
    else if (stateOf(row) === 'not-assigned') await moveRequest(tx, staff, row, { to: 'open', holder })
    else await reassign(tx, staff, row, holder)
  })
}

async function reassign(tx: Tx, staff: Staff, row: RequestRow, holder: Holder): Promise<void> {
  await updateRequest(tx, staff, row, holder)
  await audit(tx, staff, {
    action: 'request.handed-over',
    subject: { kind: 'request', id: row.request_id },
    memberId: row.member_id,
    before: { assigned: row.assigned_staff_name },
    after: { assigned: holder.assigned_staff_name },
  })
}

function refuseHeld({ assigned_staff_name: name }: RequestRow): never {
  if (name === null) refuse('conflict', deskTexts.requestGivenToNobody)
  refuse('conflict', deskTexts.requestGivenTo.replace('{{name}}', name))
}

async function findColleague(tx: Tx, staff: Staff, id: string): Promise<Pick<Staff, 'staffId' | 'name'>> {
  const found = selectColleagues(tx, staff, 'requests.handle').where('staff_id', '=', id)
  const row = await found.executeTakeFirst()
  return row ? { staffId: row.staff_id, name: row.name } : refuseFields({ to: [deskTexts.requestColleagueUnknown] })
}

type Move = z.output<(typeof moveCall)['input']>

/** Moves a request and notifies its member. Starting work on an unassigned request assigns it; putting it back unassigns it. */
export async function decideRequest(staff: Staff, { id, from, to, comment, seen }: Move): Promise<void> {
  authorizeStaff(staff, 'requests.handle')
  await inTransaction(staff, async (tx) => {
    // Without a comment, requests of an erased member can be closed as any other.
    const isBare = comment === undefined && !(to === 'done' && (await wantsChange(tx, staff, id)))
    const row = await (isBare ? lockRequest : lockRequestForWords)(tx, staff, id)
    // A repeated move changes nothing; one with another comment is refused, because the comment would be lost.
    if (stateOf(row) === to && from !== to && (comment === undefined || comment === row.comment)) return
    if (isFinalRequest(stateOf(row))) refuseMove(staff, stateOf(row))
    if (stateOf(row) !== from) refuse('conflict', deskTexts.requestMoved)
    if (to === 'done') await refuseSelfDecision(tx, staff, row.member_id)
    const taken = row.assigned_staff_id === null ? { holder: holderOf(staff) } : {}
    const holding = to === 'not-assigned' ? { holder: nobody } : taken
    const moved = await moveRequest(tx, staff, row, { to, comment, ...holding })
    if (to === 'done' && row.wanted_change !== null) await approveChange(tx, staff, row, seen)
    await notifyMove(tx, staff, moved, to)
  })
}

async function wantsChange(tx: Tx, staff: Staff, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('requests')
    .select('request_id')
    .where('workspace_id', '=', staff.workspaceId)
    .where('request_id', '=', id)
    .where('wanted_change', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

async function approveChange(tx: Tx, staff: Staff, row: RequestRow, seen: string | undefined): Promise<void> {
  if (!holdsRight(staff.role, 'members.change')) refuse('not_permitted', deskTexts.changeNotPermitted)
  await applyRequestedDetails(tx, staff, row, seen)
}

/** Adds a comment for the member, who sees the last one; the desk shows all. */
export async function commentOnRequest(staff: Staff, id: string, comment: string): Promise<void> {
  authorizeStaff(staff, 'requests.handle')
  await inTransaction(staff, async (tx) => {
    const row = await lockRequestForWords(tx, staff, id)
    if (row.comment === comment && (await hasJustSaid(tx, staff, id, comment))) return
    await updateRequest(tx, staff, row, { comment })
    await recordRequestEvent(tx, staff, row, { kind: 'commented', comment })
    await audit(tx, staff, {
      action: 'request.commented',
      subject: { kind: 'request', id },
      memberId: row.member_id,
    })
    await notifyComment(tx, staff, row)
  })
}

/** The same comment by the same person within a short time is a double click or a retry; later it is said again. */
async function hasJustSaid(tx: Tx, { workspaceId, staffId, context }: Staff, id: string, comment: string) {
  const since = new Date(context.clock.now().getTime() - sameWithinMs)
  const said = await tx
    .selectFrom('request_events')
    .select('event_id')
    .where('workspace_id', '=', workspaceId)
    .where('request_id', '=', id)
    .where('staff_id', '=', staffId)
    .where('comment', '=', comment)
    .where('at', '>', since)
    .limit(1)
    .executeTakeFirst()
  return said !== undefined
}
