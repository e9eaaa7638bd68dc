import type { TFunction } from 'i18next'
import type { Account } from '../features/accounts/use-accounts.ts'
import type { Transaction } from '../features/funding/use-funding.ts'
import type { Meaning } from '../ui/theme.ts'

export type AttentionItem = {
  key: string
  meaning: Meaning
  title: string
  text: string
  to: string
  search?: Record<string, string>
}

const rejectedShownMs = 14 * 86_400_000

function fromTransaction(transaction: Transaction, t: TFunction, now: number): AttentionItem | null {
  const { _id: open, ticket, state } = transaction
  const to = { to: '/funds/transactions', search: { open }, key: open }
  if (state === 'rejected' && now - transaction.created_at < rejectedShownMs)
    return {
      ...to,
      meaning: 'red',
      title: t('Transaction {{ticket}} was rejected', { ticket }),
      text: t(transaction.rejection?.next ?? 'Open it to see why.'),
    }
  if (state === 'checking' || state === 'crediting')
    return {
      ...to,
      meaning: 'blue',
      title: t('Transaction {{ticket}} is being checked', { ticket }),
      text: t('You need to do nothing. It is settled by itself.'),
    }
  return null
}

/** Waiting is no task, so however many wait, they are one line. */
function fromPending(pending: Transaction[], t: TFunction): AttentionItem {
  const [only] = pending
  const base = { key: 'pending', meaning: 'amber' as const, to: '/funds/transactions' }
  if (pending.length === 1 && only)
    return {
      ...base,
      title: t('Transaction {{ticket}} is pending', { ticket: only.ticket }),
      text: t('Our team checks it next.'),
      search: { open: only._id },
    }
  return {
    ...base,
    title: t('{{number}} transactions are pending', { number: pending.length }),
    text: t('Our team checks them next.'),
    search: { status: 'pending' },
  }
}

/** What a member should know or do now, the most pressing first. */
export function attentionItems(
  known: { transactions: Transaction[]; accounts: Account[]; now: number },
  t: TFunction,
): AttentionItem[] {
  const order: Meaning[] = ['red', 'blue', 'amber', 'grey']
  const items = known.transactions.flatMap((transaction) => fromTransaction(transaction, t, known.now) ?? [])
  const pending = known.transactions.filter(({ state }) => state === 'pending')
  if (pending.length > 0) items.push(fromPending(pending, t))
  const empty = known.accounts.filter(
    ({ live_account, balance, deleted }) => live_account && !deleted && balance !== null && !/[1-9]/.test(balance),
  )
  for (const account of empty)
    items.push({
      key: account._id,
      meaning: 'grey',
      title: t('Account {{login}} has no funds yet', { login: account.platform_login }),
      text: t('Deposit to start trading.'),
      to: `/funds/deposit/${account._id}`,
    })
  return items.sort((left, right) => order.indexOf(left.meaning) - order.indexOf(right.meaning)).slice(0, 5)
}
