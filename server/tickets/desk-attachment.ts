import type { MediaRow } from '../files/media.ts'
import type { Spooled } from '../files/spool.ts'
import { recordUpload, storeUpload } from '../files/upload.ts'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { lockColleague } from '../foundation/database/member-lock.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { sameWithinMs } from './create.ts'
import { answerMember } from './desk-answers.ts'
import { lockTicketForWords, refuseClosed, type TicketRow } from './ticket.ts'

/**
 * A file for the member, checked as a member's upload and owned by the member once attached. File row and message are
 * committed together, so that the member cannot attach a staff file elsewhere.
 */
export async function attachToTicket(staff: Staff, id: string, spooled: Spooled): Promise<void> {
  authorizeStaff(staff, 'tickets.answer')
  const { context, workspaceId } = staff
  const memberId = await readOwner(staff, id)
  const keep = (row: MediaRow) => inTransaction(staff, (tx) => attach(tx, staff, id, row))
  await storeUpload({ context, workspaceId, memberId }, { ...spooled, purpose: 'ticket' }, { mediaId: newId(), keep })
}

async function readOwner(staff: Staff, id: string): Promise<string> {
  const row = await reading(staff, (tx) =>
    tx
      .selectFrom('tickets')
      .select('member_id')
      .where('workspace_id', '=', staff.workspaceId)
      .where('ticket_id', '=', id)
      .executeTakeFirst(),
  )
  return row?.member_id ?? refuseNotFound()
}

async function attach(tx: Tx, staff: Staff, id: string, row: MediaRow): Promise<boolean> {
  const ticket = await lockTicketForWords(tx, staff, id)
  await refuseClosed(tx, staff, ticket)
  // A body may take minutes to arrive: by now its sender may be locked or have another role.
  await lockColleague(tx, staff, 'tickets.answer')
  if (await isLastWord(tx, staff, ticket, row)) return false
  await tx.insertInto('media').values(row).execute()
  await recordUpload(tx, staff, row)
  await answerMember(tx, staff, ticket, { said: { content: null, mediaId: row.media_id }, resolves: false })
  return true
}

/** The same file by the same desk user is a double click or a retry. */
async function isLastWord(tx: Tx, staff: Staff, ticket: TicketRow, { name, sha256 }: MediaRow): Promise<boolean> {
  const since = new Date(staff.context.clock.now().getTime() - sameWithinMs)
  const last = await tx
    .selectFrom('ticket_messages as said')
    .innerJoin('media', (join) =>
      join.onRef('media.workspace_id', '=', 'said.workspace_id').onRef('media.media_id', '=', 'said.media_id'),
    )
    .select('said.message_id')
    .where('said.workspace_id', '=', staff.workspaceId)
    .where('said.ticket_id', '=', ticket.ticket_id)
    .where('said.position', '=', ticket.messages)
    .where('said.staff_id', '=', staff.staffId)
    .where('said.created_at', '>', since)
    .where('media.sha256', '=', sha256)
    .where('media.name', '=', name)
    .executeTakeFirst()
  return last !== undefined
}
