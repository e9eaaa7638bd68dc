import type { System } from '../server/foundation/actor.ts'
import { nextNumber } from '../server/foundation/database/counters.ts'
import type { Tx } from '../server/foundation/database/database.ts'
import { newId } from '../server/foundation/ids.ts'

type Account = { memberId: string; accountId: string }

const agreed = '400.00'
const hourMs = 3_600_000

/** A payment exception: a member paid more through Zota than agreed, and staff must decide. */
export async function addPaymentException(tx: Tx, system: System, { memberId, accountId }: Account): Promise<void> {
  const { workspaceId: workspace_id } = system
  const now = system.context.clock.now()
  const created_at = new Date(now.getTime() - 3 * hourMs)
  const { provider_id } = await tx
    .selectFrom('payment_providers')
    .select('provider_id')
    .where('workspace_id', '=', workspace_id)
    .where('app_uid', '=', 'zotapay')
    .executeTakeFirstOrThrow()
  const transaction = { workspace_id, transaction_id: newId(), member_id: memberId }
  await tx
    .insertInto('balance_transactions')
    .values({
      ...transaction,
      ...{ ticket: await nextNumber(tx, system, 'transaction'), account_id: accountId, type: 'deposit' },
      ...{ amount: agreed, currency: 'USD', state: 'pending', source: 'client', comment: '' },
      ...{ payment_method: 'psp:zotapay', destination: 'psp:zotapay', created_at },
    })
    .execute()
  await tx
    .insertInto('transaction_events')
    .values({ ...transaction, event_id: newId(), event: 'deposit.requested', actor_kind: 'member', at: created_at })
    .execute()
  const order_id = newId()
  await tx
    .insertInto('deposit_orders')
    .values({
      ...{ ...transaction, order_id, account_id: accountId, provider_id, attempt: `dep-${order_id.slice(-12)}` },
      ...{ amount: agreed, fee: '0', charge: agreed, currency: 'USD', state: 'created' },
      ...{ next_look_at: now, expires_at: now, created_at },
    })
    .execute()
  await tx
    .updateTable('deposit_orders')
    .set({ state: 'for_staff', staff_reason: 'amount_differs', reference: '8024713' })
    .where('workspace_id', '=', workspace_id)
    .where('order_id', '=', order_id)
    .execute()
  await tx
    .insertInto('payment_cases')
    .values({
      ...{ workspace_id, case_id: newId(), order_id, provider_id, payment: '8024713', kind: 'paid' },
      ...{ why: 'amount_differs', paid: '440.00', paid_currency: 'USD', word: 'APPROVED' },
      opened_at: new Date(created_at.getTime() + hourMs / 4),
    })
    .execute()
}
