import { type Mismatch, reconciliationTexts } from '@atrium/contract/reconciliation/desk-calls.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'
import { decide, definePolicy } from '../money-decisions/policy.ts'
import { readMismatch } from './queries.ts'

const explanation = {
  right: 'money.decide',
  selfApproval: 'refused',
  approvals: 'one',
  why: 'No money moves; the explanation and its author are stored with the difference.',
} as const

export const explaining = definePolicy({ name: 'reconciliation.explain', ...explanation })
export const reopening = definePolicy({ name: 'reconciliation.reopen', ...explanation })

/**
 * Records a staff member's explanation. The mismatch stays listed and is no longer open. `seen`: the amounts on the page,
 * if it says so, because a later comparison replaces them.
 */
export function explainMismatch(staff: Staff, id: string, note: string, seen?: string): Promise<Mismatch> {
  authorizeStaff(staff, explaining.right)
  return inTransaction(staff, async (tx) => {
    const { state, account_id } = await lock(tx, staff, id)
    const memberId = (await ownerOf(tx, staff, account_id)) ?? null
    await decide(tx, staff, explaining, { memberId })
    if (state !== 'open') refuse('illegal_move', reconciliationTexts.notOpen)
    const { revision } = await readMismatch(tx, staff, id)
    if (seen !== undefined && seen !== revision) refuse('conflict', deskTexts.recordChanged)
    const explained = { note, explained_by: staff.staffId, explained_at: staff.context.clock.now() }
    await change(tx, staff, id, { state: 'explained', ...explained })
    await record(tx, staff, id, { action: 'reconciliation.explained', note, account_id })
    return readMismatch(tx, staff, id)
  })
}

/** Reopens an explained mismatch. The explanation stays in the audit log. */
export function reopenMismatch(staff: Staff, id: string): Promise<Mismatch> {
  authorizeStaff(staff, reopening.right)
  return inTransaction(staff, async (tx) => {
    const { state, note, account_id } = await lock(tx, staff, id)
    const memberId = (await ownerOf(tx, staff, account_id)) ?? null
    await decide(tx, staff, reopening, { memberId })
    if (state !== 'explained') refuse('illegal_move', reconciliationTexts.notExplained)
    await change(tx, staff, id, { state: 'open', note: null, explained_by: null, explained_at: null })
    await record(tx, staff, id, { action: 'reconciliation.reopened', note: note ?? '', account_id })
    return readMismatch(tx, staff, id)
  })
}

async function lock(tx: Tx, staff: Staff, id: string) {
  const row = await tx
    .selectFrom('reconciliation_differences')
    .select(['state', 'note', 'account_id'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('difference_id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row ?? refuseNotFound()
}

type Change = { state: string; note: string | null; explained_by: string | null; explained_at: Date | null }

async function change(tx: Tx, staff: Staff, id: string, set: Change): Promise<void> {
  await tx
    .updateTable('reconciliation_differences')
    .set(set)
    .where('workspace_id', '=', staff.workspaceId)
    .where('difference_id', '=', id)
    .execute()
}

type Explanation = {
  action: 'reconciliation.explained' | 'reconciliation.reopened'
  note: string
  account_id: string | null
}

async function record(tx: Tx, staff: Staff, id: string, { action, note, account_id }: Explanation): Promise<void> {
  const subject = { kind: 'reconciliation_difference', id }
  await audit(tx, staff, { action, subject, memberId: await ownerOf(tx, staff, account_id), after: { note } })
}

/** The owner of the account, so that the entry is part of the member's data export and erasure. */
async function ownerOf(tx: Tx, staff: Staff, accountId: string | null): Promise<string | undefined> {
  if (accountId === null) return undefined
  const account = await tx
    .selectFrom('trading_accounts')
    .select('member_id')
    .where('workspace_id', '=', staff.workspaceId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return account?.member_id
}
