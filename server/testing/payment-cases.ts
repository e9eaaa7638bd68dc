import type pg from 'pg'
import { newId } from '../foundation/ids.ts'
import { ensureProvider } from './payment-providers.ts'
import { makePendingDeposit, type TradingFloor } from './trading-floor.ts'

/** Another amount was paid for a deposit than was agreed: what a person decides about. */
export async function addPaymentCase(floor: TradingFloor, owner: pg.Client): Promise<string> {
  const providerId = await ensureProvider(floor.system)
  const deposit = await makePendingDeposit(floor)
  const { workspaceId } = floor.system
  const [order, id] = [newId(), newId()]
  await owner.query(
    `insert into deposit_orders (workspace_id, order_id, member_id, account_id, provider_id, transaction_id, attempt, amount,
       fee, charge, currency, state, next_look_at, expires_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, 250, 0, 250, 'USD', 'created', now(), now(), now())`,
    [workspaceId, order, floor.member.memberId, floor.accountId, providerId, deposit, `dep-${order}`],
  )
  await owner.query(
    `update deposit_orders set state = 'for_staff', staff_reason = 'amount_differs' where order_id = $1`,
    [order],
  )
  await owner.query(
    `insert into payment_cases (workspace_id, case_id, order_id, provider_id, payment, kind, why, paid, paid_currency, word,
       opened_at)
     values ($1, $2, $3, $4, $5, 'paid', 'amount_differs', 280, 'USD', 'APPROVED', now())`,
    [workspaceId, id, order, providerId, id],
  )
  return id
}
