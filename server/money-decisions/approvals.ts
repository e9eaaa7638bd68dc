import type { Staff } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'

/** Approvals count per round: a refusal by the platform starts a new one. */
export type Round = { transaction_id: string; approval_round: number }

/** The staff who approved in this round. The table predates its use for deposits, hence its name. */
export async function readApprovals(tx: Tx, staff: Staff, { transaction_id, approval_round }: Round) {
  const rows = await tx
    .selectFrom('withdrawal_approvals as approval')
    .innerJoin('staff_users as colleague', (join) =>
      join
        .onRef('colleague.workspace_id', '=', 'approval.workspace_id')
        .onRef('colleague.staff_id', '=', 'approval.staff_id'),
    )
    .select(['approval.staff_id', 'approval.approved_at', 'colleague.name'])
    .where('approval.workspace_id', '=', staff.workspaceId)
    .where('approval.transaction_id', '=', transaction_id)
    .where('approval.round', '=', approval_round)
    .orderBy('approval.approved_at')
    .execute()
  return rows.map(({ staff_id, approved_at, name }) => ({ staffId: staff_id, at: approved_at, name }))
}

export async function readApprovers(tx: Tx, staff: Staff, round: Round): Promise<string[]> {
  return (await readApprovals(tx, staff, round)).map(({ staffId }) => staffId)
}

export async function recordApprovals(
  tx: Tx,
  staff: Staff,
  { transaction_id, approval_round: round }: Round,
  staffIds: readonly string[],
): Promise<void> {
  const approved_at = staff.context.clock.now()
  const approval = { workspace_id: staff.workspaceId, transaction_id, round, approved_at }
  await tx
    .insertInto('withdrawal_approvals')
    .values(staffIds.map((staff_id) => ({ ...approval, staff_id })))
    .execute()
}
