import { accessOf } from '@atrium/contract/accounts/access.ts'
import {
  type WithdrawalClosure,
  withdrawalClosures,
  withdrawalDeskTexts,
} from '@atrium/contract/withdrawals/desk-calls.ts'
import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { refuse } from '../foundation/errors.ts'
import { withdrawalsHeldUntil } from '../sessions/factors/withdrawal-hold.ts'
import { isInOtherKind } from './group-kind.ts'
import { identityInTheWay, refuseKyc, type Withdrawal } from './identity-rule.ts'
import { momentText } from './moment-text.ts'
import { isClosedAccount } from './own-account.ts'

/**
 * Until when a pending withdrawal can be neither approved nor paid because the member's name, email, phone, password or
 * second factor has changed; null if it is not held, as for every demo account.
 */
export async function paymentHeldUntil(tx: Tx, actor: Actor, { member_id, account_id }: Withdrawal) {
  const until = await withdrawalsHeldUntil(tx, actor, member_id)
  if (!until) return null
  const { live_account } = await tx
    .selectFrom('trading_accounts')
    .select('live_account')
    .where('workspace_id', '=', actor.workspaceId)
    .where('account_id', '=', account_id)
    .executeTakeFirstOrThrow()
  return live_account ? until : null
}

type InState = Withdrawal & { state: string }

/**
 * Why no withdrawal may be approved or paid: the conditions of a request still apply. A debited withdrawal of an account
 * that was closed or moved to a group of the other kind afterwards is paid.
 */
export async function closureOf(tx: Tx, actor: Actor, withdrawal: InState): Promise<WithdrawalClosure | null> {
  const row = await tx
    .selectFrom('trading_accounts as account')
    .innerJoin('members as member', (join) =>
      join
        .onRef('member.workspace_id', '=', 'account.workspace_id')
        .onRef('member.member_id', '=', 'account.member_id'),
    )
    .select(['member.status as member_status', 'account.status', 'account.enable_read_only'])
    .where('account.workspace_id', '=', actor.workspaceId)
    .where('account.account_id', '=', withdrawal.account_id)
    .executeTakeFirstOrThrow()
  if (row.member_status === 'locked') return 'member_locked'
  if (await isClosedAccount(tx, actor, withdrawal.account_id))
    return withdrawal.state === 'paying' ? null : 'account_closed'
  if (accessOf(row) !== 'full') return 'account_restricted'
  if (withdrawal.state === 'paying') return null
  return (await isInOtherKind(tx, actor, withdrawal.account_id)) ? 'account_in_demo_group' : null
}

/** Pays an unlocked member with an approved identity and no recent change of details or factors, from an open account. */
export async function refuseUnpayable(tx: Tx, actor: Actor, withdrawal: InState): Promise<void> {
  const closure = await closureOf(tx, actor, withdrawal)
  if (closure) refuse('conflict', withdrawalClosures[closure])
  await refuseUnproven(tx, actor, withdrawal)
}

/** Applies to payments that were already made, too: requires an approved identity and no recent change. */
export async function refuseUnproven(tx: Tx, actor: Actor, withdrawal: InState): Promise<void> {
  if (await identityInTheWay(tx, actor, withdrawal)) refuseKyc(withdrawalDeskTexts.identityMissing)
  const until = await paymentHeldUntil(tx, actor, withdrawal)
  if (!until) return
  const sentence = heldSentence(until)
  refuse('withdrawals_held', sentence, { errors: { form: [sentence] } })
}

export const heldSentence = (until: Date): string => withdrawalDeskTexts.held.replace('{{until}}', momentText(until))
