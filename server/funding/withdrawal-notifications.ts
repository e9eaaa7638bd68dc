import { formatAmount, subtractAmounts } from '@atrium/contract/money/money.ts'
import { pathOfTarget } from '@atrium/contract/notifications/calls.ts'
import { normalizeIdentifier } from '@atrium/contract/validators/identifier.ts'
import { type WithdrawalReason, withdrawalReasons } from '@atrium/contract/withdrawals/calls.ts'
import { endingOf } from '../banking/notifications.ts'
import { readBeneficiaryNumber } from '../banking/queries.ts'
import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { notYouAt } from '../notifications/footnotes.ts'
import { type MailedNotification, notifyByMail } from '../notifications/notify.ts'
import { writtenMoment } from '../notifications/written-time.ts'
import { selectOwnedTransactions } from './owned-transactions.ts'

/**
 * The events that a withdrawal's member is mailed about, even when another person acts for them; cannot be disabled.
 */
export type WithdrawalNews =
  | { what: 'requested' }
  | { what: 'approved' }
  | { what: 'paid'; reference: string }
  | { what: 'rejected'; reason: WithdrawalReason; note: string | null }
  | { what: 'returned' }
  | CameBack

/** After the payout: its money came back, and is credited or was paid again. `about` is the exception, one mail each. */
type CameBack =
  | { what: 'came_back'; credited: string; by: string; about: string }
  | { what: 'paid_again'; reference: string; about: string }

type Transaction = {
  to: string
  transactionId: string
  round: number
  memberId: string
  ticket: string
  /** With its currency, formatted for the member's language. */
  amount: string
  net: string
  account: string
  destination: string
  at: Date
  /** Of a payout that came back. */
  credited?: string
}

/** Runs in the commit of the change that it reports, so that each event sends one mail. Demo funds send none. */
export async function notifyOwner(tx: Tx, actor: Actor, transactionId: string, news: WithdrawalNews): Promise<void> {
  const row = await selectOwnedTransactions(tx, actor)
    .select([
      'transaction.member_id',
      'transaction.ticket',
      'transaction.amount',
      'transaction.fee',
      'transaction.currency',
    ])
    .select(['transaction.destination_text', 'transaction.destination_id', 'transaction.approval_round'])
    .select(['member.email', 'member.language'])
    .select(['account.live_account', 'account.platform_login'])
    .where('transaction.transaction_id', '=', transactionId)
    .executeTakeFirstOrThrow()
  if (!row.live_account) return
  const language = row.language ?? 'en'
  const money = (amount: string) => `${formatAmount(amount, row.currency, language)} ${row.currency}`
  const transaction = {
    to: row.email,
    transactionId,
    round: row.approval_round,
    memberId: row.member_id,
    ticket: String(row.ticket),
    amount: money(row.amount),
    net: money(subtractAmounts(row.amount, row.fee)),
    account: row.platform_login,
    destination: await nameBeneficiary(tx, actor, row),
    at: actor.context.clock.now(),
    ...(news.what === 'came_back' && { credited: money(news.credited) }),
  }
  await notifyByMail(tx, actor, withdrawalMail(transaction, news))
}

type Paid = { member_id: string; destination_id: string | null; destination_text: string | null }

/**
 * Bank or provider, and the last characters of the number, which the owner recognises. Only the stored number: the text
 * goes on with a BIC, a tag and the member's notes, which may look like one.
 */
async function nameBeneficiary(tx: Tx, actor: Actor, { member_id, destination_id, destination_text }: Paid) {
  const text = destination_text ?? ''
  const [first = '', ...rest] = text.split(', ')
  // A payout to the source of a deposit has no beneficiary: its text is the provider and the reference.
  const number = destination_id ? await readBeneficiaryNumber(tx, actor, member_id, destination_id) : rest.join(', ')
  // A beneficiary that was changed after the payment is another one.
  const paid = [number ?? '', normalizeIdentifier(number ?? '')].find((each) => each !== '' && text.includes(each))
  return paid === undefined ? first : `${first}, ${endingOf(paid)}`
}

type NotificationText = { heading: string; lines: string[] }

function textOf(
  { ticket, amount, net, account, destination, credited }: Transaction,
  news: WithdrawalNews,
): NotificationText {
  const name = `Withdrawal T-${ticket}`
  const to = destination === '' ? '' : ` to ${destination}`
  switch (news.what) {
    case 'requested':
      return {
        heading: `${name} was requested`,
        lines: [
          `${amount} is reserved on your trading account ${account}, to be paid${to}.`,
          'We review it next. Until then you can cancel it in the portal.',
        ],
      }
    case 'approved':
      return {
        heading: `${name} was approved`,
        lines: [`${amount} leaves your trading account ${account} now, and ${net} is paid${to} after that.`],
      }
    case 'paid':
      return {
        heading: `${name} was paid out`,
        lines: [`${net} was paid${to}.`, `Your bank or provider can find it by this reference: ${news.reference}`],
      }
    case 'rejected': {
      const { sentence, next } = withdrawalReasons[news.reason]
      const note = news.note ? [news.note] : []
      return {
        heading: `${name} was not accepted`,
        lines: [`${sentence} ${next}`, ...note, `${amount} is available again on your trading account ${account}.`],
      }
    }
    case 'returned':
      return {
        heading: `${name} could not be paid`,
        lines: [
          `The payment failed, and ${amount} is back on your trading account ${account}.`,
          withdrawalReasons.payout_failed.next,
        ],
      }
    case 'came_back':
      return {
        heading: `${name} came back`,
        lines: [
          `The payment${to} was returned to us. ${credited} is credited to your trading account ${account} as T-${news.by}.`,
          withdrawalReasons.payout_failed.next,
        ],
      }
    case 'paid_again':
      return {
        heading: `${name} was paid again`,
        lines: [
          `The payment${to} was returned to us, and we have paid it again.`,
          `Your bank or provider can find it by this reference: ${news.reference}`,
        ],
      }
  }
}

/** The texts of the notification; the mail has the details. */
const titles: Record<WithdrawalNews['what'], { title: string; body: string }> = {
  requested: {
    title: 'Withdrawal T-{{ticket}} was requested',
    body: '{{amount}} is reserved until we have reviewed it. If this was not you, contact us now.',
  },
  approved: { title: 'Withdrawal T-{{ticket}} was approved', body: '{{net}} is paid next.' },
  paid: { title: 'Withdrawal T-{{ticket}} was paid out', body: '{{net}} was paid.' },
  rejected: { title: 'Withdrawal T-{{ticket}} was not accepted', body: '{{amount}} is available again.' },
  returned: { title: 'Withdrawal T-{{ticket}} could not be paid', body: '{{amount}} is back on your account.' },
  came_back: {
    title: 'Withdrawal T-{{ticket}} came back',
    body: '{{credited}} is credited to your trading account as T-{{by}}.',
  },
  paid_again: { title: 'Withdrawal T-{{ticket}} was paid again', body: 'The first payment was returned to us.' },
}

/** Both are kinds that pages of the previous version know. */
const kinds = { came_back: 'returned', paid_again: 'paid' } as const

const creditOf = ({ credited }: Transaction, news: WithdrawalNews) =>
  news.what === 'came_back' && credited !== undefined ? { credited, by: news.by } : {}

export function withdrawalMail(mailed: Transaction, news: WithdrawalNews): MailedNotification {
  const { heading, lines } = textOf(mailed, news)
  const target = { kind: 'transaction', id: mailed.transactionId } as const
  return {
    to: mailed.to,
    memberId: mailed.memberId,
    notification: {
      kind: `withdrawal.${news.what === 'came_back' || news.what === 'paid_again' ? kinds[news.what] : news.what}`,
      // A refusal by the platform starts a new approval round, which notifies again.
      dedupeKey: `withdrawal:${mailed.transactionId}:${news.what}:${'about' in news ? news.about : mailed.round}`,
      ...titles[news.what],
      details: { ticket: mailed.ticket, amount: mailed.amount, net: mailed.net, ...creditOf(mailed, news) },
      target,
    },
    letter: ({ address, brand }) => ({
      subject: `${heading} (${brand})`,
      heading,
      lines: [...lines, `When: ${writtenMoment(mailed.at)}.`],
      action: { label: 'See your transactions', url: `${address}${pathOfTarget(target)}` },
      footnote: notYouAt(address),
    }),
  }
}
