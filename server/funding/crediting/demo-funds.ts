import { actorOf, type Member, type System } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import { nextNumber } from '../../foundation/database/counters.ts'
import type { Tx } from '../../foundation/database/database.ts'
import { newId } from '../../foundation/ids.ts'
import { recordEvent, type TransactionEvent } from '../transaction.ts'
import { writeIntent } from './intent.ts'

type DemoFunds = {
  memberId: string
  accountId: string
  amount: string
  currency: string
  source: 'client' | 'other'
  comment?: string
  askedAt?: Date
}

/** Demo funds need no review: the deposit is stored with its credit intent, so that they are credited exactly once. */
export async function insertDemoFunds(
  tx: Tx,
  actor: Member | System,
  { memberId, accountId, amount, currency, source, comment = '', askedAt }: DemoFunds,
  event: TransactionEvent & `deposit.demo-${string}`,
): Promise<{ _id: string; ticket: string }> {
  const row = { transaction_id: newId(), member_id: memberId, account_id: accountId, amount, currency }
  const ticket = await nextNumber(tx, actor, 'transaction')
  await tx
    .insertInto('balance_transactions')
    .values({
      ...row,
      workspace_id: actor.workspaceId,
      ticket,
      type: 'deposit',
      state: 'crediting',
      source,
      payment_method: 'demo',
      comment,
      asked_at: askedAt ?? null,
      created_at: actor.context.clock.now(),
    })
    .execute()
  await recordEvent(tx, actor, row, event)
  await audit(tx, actorOf(actor), {
    action: event,
    subject: { kind: 'balance_transaction', id: row.transaction_id },
    memberId,
    after: { ticket, amount, currency, account: accountId },
  })
  await writeIntent(tx, actor, row)
  return { _id: row.transaction_id, ticket }
}
