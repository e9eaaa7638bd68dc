import { openStates } from '@atrium/contract/funding/states.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { type RawBuilder, sql } from 'kysely'
import { removeFiles } from '../../files/media.ts'
import { isUnattached } from '../../files/queries.ts'
import { type Actor, authorizeStaff } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import { inTransaction, type Tx } from '../../foundation/database/database.ts'
import { type HeldMember, holdMember } from '../../foundation/database/member-lock.ts'
import type { PersonalData } from '../../foundation/erasure.ts'
import { refuse, refuseFields } from '../../foundation/errors.ts'
import { refuseSelfDecision } from '../../money-decisions/self-approval.ts'
import { underWay } from '../../openings/opening.ts'
import { erasedMember } from '../member-columns.ts'
import { emptyJoined } from './joined-tables.ts'
import { isOfMember } from './member-tables.ts'

type Why = { reason: string; customer_number: string }

/**
 * Erases a member irreversibly: nobody can sign in as this member again, and all data not required by law is deleted or
 * made anonymous. Customer number and transactions stay in the accounting records.
 */
export async function eraseMember(actor: Actor, memberId: string, why: Why, data: PersonalData): Promise<void> {
  if (actor.kind === 'staff') authorizeStaff(actor, 'members.lock')
  const files = await inTransaction(actor, async (tx) => {
    const member = await holdMember(tx, actor, memberId)
    if (actor.kind === 'staff') await refuseSelfDecision(tx, actor, memberId)
    if (member.customer_number !== why.customer_number) refuseFields({ customer_number: [deskTexts.memberNumberWrong] })
    await refuseOpenMoney(tx, actor, memberId)
    await data.steps.before(tx, actor, memberId)
    await emptyMember(tx, actor, member)
    await emptyTables(tx, actor, data.tables, memberId)
    await emptyJoined(tx, actor, data.joined, memberId)
    // Again: money may have moved before its rows were blanked, which locks them.
    await refuseOpenMoney(tx, actor, memberId)
    await data.steps.after(tx, actor, memberId)
    const loose = await emptyMedia(tx, actor, memberId)
    await data.steps.last(tx, actor, memberId)
    await sql`select erase_logged_details(${memberId}::uuid)`.execute(tx)
    await audit(tx, actor, {
      action: 'member.erased',
      subject: { kind: 'member', id: memberId },
      memberId,
      after: { customer_number: member.customer_number, reason: why.reason },
    })
    return loose
  })
  // After the commit: a remaining row needs its file. A file left by a crash has no row and is swept.
  await removeFiles(actor.context.files, files)
}

async function refuseOpenMoney(tx: Tx, actor: Actor, memberId: string): Promise<void> {
  const open = await tx
    .selectFrom('balance_transactions')
    .select('transaction_id')
    .where('workspace_id', '=', actor.workspaceId)
    .where('member_id', '=', memberId)
    .where('state', 'in', openStates)
    .limit(1)
    .executeTakeFirst()
  if (open) refuse('illegal_move', deskTexts.memberHasOpenMoney)
  const opening = await tx
    .selectFrom('account_openings')
    .select('opening_id')
    .where('workspace_id', '=', actor.workspaceId)
    .where('member_id', '=', memberId)
    .where('state', 'in', underWay)
    .limit(1)
    .executeTakeFirst()
  if (opening) refuse('illegal_move', deskTexts.memberHasOpening)
}

async function emptyTables(tx: Tx, actor: Actor, tables: PersonalData['tables'], memberId: string): Promise<void> {
  for (const [table, ending] of Object.entries(tables)) {
    const theirs = isOfMember(actor, table, memberId)
    if (ending.do === 'remove') await removeRows(tx, table, theirs, ending.inPiecesBy)
    if (ending.do === 'blank') {
      const sets = Object.entries(ending.columns).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
      await sql`update ${sql.table(table)} set ${sql.join(sets)} where ${theirs}`.execute(tx)
    }
  }
  await tx
    .updateTable('member_locks')
    .set({ lifted_at: actor.context.clock.now(), lifted_by: sql`coalesce(lifted_by, locked_by)` })
    .where('workspace_id', '=', actor.workspaceId)
    .where('member_id', '=', memberId)
    .where('lifted_at', 'is', null)
    .execute()
}

/** Rows per statement, within the statement timeout. */
const removedAtOnce = 20_000

async function removeRows(tx: Tx, table: string, theirs: RawBuilder<boolean>, keys?: readonly string[]): Promise<void> {
  if (!keys) {
    await sql`delete from ${sql.table(table)} where ${theirs}`.execute(tx)
    return
  }
  const key = sql.join(keys.map((column) => sql.ref(column)))
  const piece = sql`
    delete from ${sql.table(table)} where ${theirs} and (${key}) in (
      select ${key} from ${sql.table(table)} where ${theirs} limit ${removedAtOnce})`
  while (((await piece.execute(tx)).numAffectedRows ?? 0n) > 0n);
}

/** Deletes unattached files and returns their storage keys. */
async function emptyMedia(tx: Tx, actor: Actor, memberId: string) {
  const gone = await tx
    .deleteFrom('media')
    .where('workspace_id', '=', actor.workspaceId)
    .where('member_id', '=', memberId)
    .where(isUnattached)
    .returning(['storage_key', 'small_key'])
    .execute()
  await tx
    .updateTable('media')
    .set({ name: sql`'file.' || extension` })
    .where('workspace_id', '=', actor.workspaceId)
    .where('member_id', '=', memberId)
    .execute()
  return gone
}

async function emptyMember(tx: Tx, actor: Actor, member: HeldMember): Promise<void> {
  await tx
    .updateTable('members')
    .set({
      ...erasedMember,
      email: `${member.customer_number}@erased.invalid`,
      erased_at: actor.context.clock.now(),
    })
    .where('workspace_id', '=', actor.workspaceId)
    .where('member_id', '=', member.member_id)
    .execute()
}
