import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { Actor } from '../../foundation/actor.ts'
import type { Tx } from '../../foundation/database/database.ts'
import { type Erasure, ledger } from '../../foundation/erasure.ts'
import { refuse } from '../../foundation/errors.ts'
import { openStates } from '../order.ts'
import { clearWebhookEventsOf } from '../webhook-event-clearing.ts'

export const paymentsErasure: Erasure = {
  async before(tx, actor, memberId) {
    await refuseOpenPayments(tx, actor, memberId)
    await clearWebhookEventsOf(tx, actor, memberId)
  },
  // Again: a payment may have been recorded before the rows were blanked, which locks them.
  after: refuseOpenPayments,
  tables: {
    deposit_orders: {
      do: 'blank',
      columns: { hand_off: null, problem: null, card_type: null },
      why: ledger,
    },
    payout_orders: { do: 'blank', columns: { problem: null }, why: ledger },
  },
  joined: {
    payment_cases: {
      ...{ owner: 'deposit_orders', by: ['order_id'] },
      or: [
        { owner: 'payout_orders', by: ['payout_id'] },
        { owner: 'balance_transactions', by: ['withdrawal_id'], of: ['transaction_id'] },
      ],
      ending: { do: 'blank', columns: { note: null, outside_reference: null }, why: ledger },
    },
    payment_credits: { owner: 'balance_transactions', by: ['transaction_id'], ending: { do: 'keep', why: ledger } },
    payment_notifications: {
      ...{ owner: 'deposit_orders', by: ['order_id'] },
      ending: { do: 'apart', where: 'payments/webhook-event-clearing.ts, including those of payouts' },
    },
  },
}

/**
 * Money of a member at a provider or on its way back: an order that can still be paid, or a payment, or a returned payout
 * or transfer that staff have not decided.
 */
async function refuseOpenPayments(tx: Tx, actor: Actor, memberId: string): Promise<void> {
  const cameBack = await tx
    .selectFrom('payout_orders as payout')
    .innerJoin('payment_cases as asked', (join) =>
      join
        .onRef('asked.workspace_id', '=', 'payout.workspace_id')
        .onRef('asked.payout_id', '=', 'payout.payout_id')
        .on('asked.state', '<>', 'closed'),
    )
    .select('asked.case_id')
    .where('payout.workspace_id', '=', actor.workspaceId)
    .where('payout.member_id', '=', memberId)
    .limit(1)
    .executeTakeFirst()
  const returned = await tx
    .selectFrom('balance_transactions as withdrawal')
    .innerJoin('payment_cases as asked', (join) =>
      join
        .onRef('asked.workspace_id', '=', 'withdrawal.workspace_id')
        .onRef('asked.withdrawal_id', '=', 'withdrawal.transaction_id')
        .on('asked.state', '<>', 'closed'),
    )
    .select('asked.case_id')
    .where('withdrawal.workspace_id', '=', actor.workspaceId)
    .where('withdrawal.member_id', '=', memberId)
    .limit(1)
    .executeTakeFirst()
  if (cameBack || returned) refuse('illegal_move', deskTexts.memberHasPayments)
  const open = await tx
    .selectFrom('deposit_orders as paid')
    .select('paid.order_id')
    .where('paid.workspace_id', '=', actor.workspaceId)
    .where('paid.member_id', '=', memberId)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('paid.state', 'in', [...openStates, 'for_staff']),
        exists(
          selectFrom('payment_cases as asked')
            .select('asked.case_id')
            .whereRef('asked.workspace_id', '=', 'paid.workspace_id')
            .whereRef('asked.order_id', '=', 'paid.order_id')
            .where('asked.state', '<>', 'closed'),
        ),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  if (open) refuse('illegal_move', deskTexts.memberHasPayments)
}
