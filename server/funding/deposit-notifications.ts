import { type RejectionReason, rejectionReasons } from '@atrium/contract/funding/states.ts'
import { formatAmount } from '@atrium/contract/money/money.ts'
import type { NotificationDetails } from '@atrium/contract/notifications/calls.ts'
import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { notify } from '../notifications/notify.ts'
import { selectOwnedTransactions } from './owned-transactions.ts'

/** `replaced`: the received amount differs and is credited as a new deposit. */
export type DepositNews =
  | { what: 'approved' }
  | { what: 'rejected'; reason: RejectionReason }
  | { what: 'replaced'; by: string }

/** Runs in the commit of the change that it reports. Demo funds send no notification. */
export async function notifyDepositor(tx: Tx, actor: Actor, transactionId: string, news: DepositNews): Promise<void> {
  const row = await selectOwnedTransactions(tx, actor)
    .select([
      'transaction.member_id',
      'transaction.ticket',
      'transaction.amount',
      'transaction.currency',
      'member.language',
    ])
    .select(['account.live_account', 'account.platform_login'])
    .where('transaction.transaction_id', '=', transactionId)
    .executeTakeFirstOrThrow()
  if (!row.live_account) return
  const amount = `${formatAmount(row.amount, row.currency, row.language ?? 'en')} ${row.currency}`
  const outcome = news.what === 'approved' ? 'approved' : 'rejected'
  await notify(tx, actor, {
    memberId: row.member_id,
    kind: `deposit.${outcome}`,
    dedupeKey: `deposit:${transactionId}:${outcome}`,
    ...textOf(news),
    details: { ...detailsOf(news), ticket: String(row.ticket), amount, account: row.platform_login },
    target: { kind: 'transaction', id: transactionId },
  })
}

function textOf(news: DepositNews): { title: string; body: string } {
  if (news.what === 'approved')
    return {
      title: 'Deposit T-{{ticket}} was credited',
      body: '{{amount}} is on your trading account {{account}}.',
    }
  if (news.what === 'replaced')
    return {
      title: 'Deposit T-{{ticket}} was paid with a different amount',
      body: 'The amount that arrived is credited as deposit T-{{by}}.',
    }
  return { title: 'Deposit T-{{ticket}} was not accepted', body: '{{sentence}} {{next}}' }
}

function detailsOf(news: DepositNews): NotificationDetails {
  if (news.what === 'rejected') return { ...rejectionReasons[news.reason] }
  return news.what === 'replaced' ? { by: news.by } : {}
}
