import { limits } from '@atrium/contract/limits.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { CannedReply } from '@atrium/contract/tickets/desk-calls.ts'
import { sql } from 'kysely'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { holdName } from '../foundation/database/named-lock.ts'
import { refuse, refuseFields, refuseNotFound } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { refuseStale, revisionOf } from '../foundation/revision.ts'

type Values = Pick<CannedReply, 'name' | 'content'>

/** Frequent answers, by name. */
export function listCannedReplies(staff: Staff): Promise<CannedReply[]> {
  authorizeStaff(staff, 'members.read')
  return reading(staff, (tx) => list(tx, staff))
}

async function list(tx: Tx, staff: Staff): Promise<CannedReply[]> {
  const rows = await tx
    .selectFrom('canned_replies')
    .select(['reply_id as _id', 'name', 'content'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('archived_at', 'is', null)
    .orderBy(sql`lower(name)`)
    .limit(limits.cannedRepliesMax)
    .execute()
  return rows.map((row) => ({ ...row, revision: revisionOf(valuesOf(row)) }))
}

const valuesOf = ({ name, content }: Values): Values => ({ name, content })

/** An identical reply with the same name is a double click. */
export async function addCannedReply(staff: Staff, values: Values): Promise<CannedReply[]> {
  authorizeStaff(staff, 'tickets.answer')
  return inTransaction(staff, async (tx) => {
    await lockList(tx, staff)
    const before = await list(tx, staff)
    const same = await findNamed(tx, staff, values.name)
    if (same?.content === values.content) return before
    if (same) refuseFields({ name: [deskTexts.cannedReplyNameTaken] })
    if (before.length >= limits.cannedRepliesMax) refuse('conflict', deskTexts.cannedRepliesTooMany)
    const reply_id = newId()
    const created_at = staff.context.clock.now()
    await tx
      .insertInto('canned_replies')
      .values({ workspace_id: staff.workspaceId, reply_id, ...values, created_at })
      .execute()
    await record(tx, staff, 'canned-reply.added', reply_id, { after: values })
    return list(tx, staff)
  })
}

type Change = Values & { id: string; seen?: string | undefined }

export async function changeCannedReply(staff: Staff, { id, seen, ...values }: Change): Promise<CannedReply[]> {
  authorizeStaff(staff, 'tickets.answer')
  return inTransaction(staff, async (tx) => {
    await lockList(tx, staff)
    const all = await list(tx, staff)
    const before = all.find(({ _id }) => _id === id) ?? refuseNotFound()
    if (before.name === values.name && before.content === values.content) return all
    refuseStale(seen, valuesOf(before))
    const same = await findNamed(tx, staff, values.name)
    if (same && same._id !== id) refuseFields({ name: [deskTexts.cannedReplyNameTaken] })
    await tx
      .updateTable('canned_replies')
      .set(values)
      .where('workspace_id', '=', staff.workspaceId)
      .where('reply_id', '=', id)
      .execute()
    await record(tx, staff, 'canned-reply.changed', id, { before: valuesOf(before), after: values })
    return list(tx, staff)
  })
}

/** Archives instead of deleting; idempotent. */
export async function archiveCannedReply(staff: Staff, id: string): Promise<CannedReply[]> {
  authorizeStaff(staff, 'tickets.answer')
  return inTransaction(staff, async (tx) => {
    await lockList(tx, staff)
    const row = await tx
      .selectFrom('canned_replies')
      .select('archived_at')
      .where('workspace_id', '=', staff.workspaceId)
      .where('reply_id', '=', id)
      .executeTakeFirst()
    if (!row) refuseNotFound()
    if (row.archived_at === null) {
      await tx
        .updateTable('canned_replies')
        .set({ archived_at: staff.context.clock.now() })
        .where('workspace_id', '=', staff.workspaceId)
        .where('reply_id', '=', id)
        .execute()
      await record(tx, staff, 'canned-reply.archived', id, {})
    }
    return list(tx, staff)
  })
}

/** By the database's lower case, as in its unique index: JavaScript's differs for some letters, such as İ. */
function findNamed(tx: Tx, staff: Staff, name: string): Promise<Pick<CannedReply, '_id' | 'content'> | undefined> {
  return tx
    .selectFrom('canned_replies')
    .select(['reply_id as _id', 'content'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('archived_at', 'is', null)
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .executeTakeFirst()
}

/** Serializes concurrent changes of the list. */
async function lockList(tx: Tx, staff: Staff): Promise<void> {
  await holdName(tx, `canned-replies-${staff.workspaceId}`)
}

type Changed = { before?: Values; after?: Values }

function record(tx: Tx, staff: Staff, action: string, id: string, changed: Changed): Promise<void> {
  return audit(tx, staff, { action, subject: { kind: 'canned_reply', id }, ...changed })
}
