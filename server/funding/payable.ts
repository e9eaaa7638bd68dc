import { withdrawalDeskTexts } from '@atrium/contract/withdrawals/desk-calls.ts'
import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { refuse } from '../foundation/errors.ts'
import { withdrawalsHeldUntil } from '../sessions/factors/withdrawal-hold.ts'
import { identityInTheWay, refuseKyc, type Withdrawal } from './identity-rule.ts'
import { momentText } from './moment-text.ts'

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

/** Pays only a member with an approved identity and no recent change of details or factors. */
export async function refuseUnpayable(tx: Tx, actor: Actor, withdrawal: Withdrawal): Promise<void> {
  if (await identityInTheWay(tx, actor, withdrawal)) refuseKyc(withdrawalDeskTexts.identityMissing)
  const until = await paymentHeldUntil(tx, actor, withdrawal)
  if (!until) return
  const sentence = heldSentence(until)
  refuse('withdrawals_held', sentence, { errors: { form: [sentence] } })
}

export const heldSentence = (until: Date): string => withdrawalDeskTexts.held.replace('{{until}}', momentText(until))
