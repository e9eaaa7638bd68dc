import { toScale } from '@atrium/contract/money/money.ts'
import { actorOf, type System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { nextNumber } from '../foundation/database/counters.ts'
import type { Tx } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { writeIntent } from '../funding/crediting/intent.ts'
import { recordEvent } from '../funding/transaction.ts'
import { readWorkspace } from '../workspaces/workspace.ts'

type DemoAccount = { accountId: string; memberId: string; currency: string; askedAt: Date }

/**
 * The initial balance of a demo account: stored in the transaction that stores the account, and credited as any other
 * credit, exactly once.
 */
export async function giveDemoBalance(tx: Tx, system: System, account: DemoAccount): Promise<void> {
  const { settings } = await readWorkspace(tx, system)
  if (/^0+$/.test(settings.demo_balance)) return
  const { currency } = account
  const amount = toScale(settings.demo_balance, currency)
  const row = { transaction_id: newId(), member_id: account.memberId, account_id: account.accountId, amount, currency }
  const ticket = await nextNumber(tx, system, 'transaction')
  await tx
    .insertInto('balance_transactions')
    .values({
      ...row,
      workspace_id: system.workspaceId,
      ticket,
      type: 'deposit',
      state: 'crediting',
      source: 'other',
      payment_method: 'demo',
      asked_at: account.askedAt,
      created_at: system.context.clock.now(),
    })
    .execute()
  await recordEvent(tx, system, row, 'deposit.demo-balance')
  await audit(tx, actorOf(system), {
    action: 'deposit.demo-balance',
    subject: { kind: 'balance_transaction', id: row.transaction_id },
    memberId: account.memberId,
    after: { ticket, amount, currency, account: account.accountId },
  })
  await writeIntent(tx, system, row)
}
