import { withdrawalDeskTexts } from '@atrium/contract/withdrawals/desk-calls.ts'
import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { refuse } from '../foundation/errors.ts'
import { withdrawalsHeldUntil } from '../sessions/factors/withdrawal-hold.ts'
import { identityInTheWay, refuseKyc, type Withdrawal } from './identity-rule.ts'
import { sayMoment } from './say-moment.ts'

/**
 * Until when a withdrawal that was asked for earlier is neither approved nor paid, since the member's name, email, phone, password or
 * second factor changed meanwhile; null where it is not held, as with every demo account.
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

/** Money leaves only for somebody whose identity is approved, and who is still whoever asked for it. */
export async function refuseUnpayable(tx: Tx, actor: Actor, withdrawal: Withdrawal): Promise<void> {
  if (await identityInTheWay(tx, actor, withdrawal)) refuseKyc(withdrawalDeskTexts.identityMissing)
  const until = await paymentHeldUntil(tx, actor, withdrawal)
  if (!until) return
  const sentence = heldSentence(until)
  refuse('withdrawals_held', sentence, { errors: { form: [sentence] } })
}

export const heldSentence = (until: Date): string => withdrawalDeskTexts.held.replace('{{until}}', sayMoment(until))
