import { readPlatforms } from '../../accounts/queries.ts'
import { type Actor, actorOf, type Member, type System } from '../../foundation/actor.ts'
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

/**
 * Whether money on the account is real, whatever kind it was opened as: a platform may have moved it to a group that is
 * offered for live accounts.
 */
export async function holdsRealMoney(tx: Tx, actor: Actor, accountId: string): Promise<boolean> {
  const account = await tx
    .selectFrom('trading_accounts')
    .select(['platform_id', 'group_name', 'live_account'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  if (account.live_account) return true
  const platform = (await readPlatforms(tx, actor)).find(({ id }) => id === account.platform_id)
  return platform?.groups.some(({ name, kind }) => name === account.group_name && kind === 'live') ?? false
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
