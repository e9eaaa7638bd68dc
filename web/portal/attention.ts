import { type Scope, scopes } from '@atrium/contract/access/scopes.ts'
import { paymentOf } from '@atrium/contract/funding/own-payments.ts'
import { takesDeposits } from '../features/accounts/account-labels.ts'
import type { StableAccount } from '../features/accounts/use-accounts.ts'
import type { Transaction } from '../features/funding/use-funding.ts'
import type { RequestRow } from '../features/requests/use-rejected.ts'
import type { TicketRow } from '../features/tickets/use-tickets.ts'
import type { Meaning } from '../ui/brand/theme.ts'
import { readerLanguage } from '../ui/text/format.ts'
import type { TFunction } from '../ui/text/i18n.ts'
import { labelOf } from './menu.ts'

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
  if (state === 'rejected' && now - decidedAt(transaction) < rejectedShownMs)
    return {
      ...to,
      meaning: 'red',
      title: t('Transaction {{ticket}} was rejected', { ticket }),
      text: t(transaction.rejection?.next ?? 'Open it to see why.'),
    }
  const payment = paymentOf(transaction)
  if (payment === 'awaited')
    return {
      ...to,
      meaning: 'amber',
      title: t('Deposit {{ticket}} awaits your payment', { ticket }),
      text: t('Pay it, or cancel it if you no longer want it.'),
    }
  if (payment === 'declined')
    return {
      ...to,
      meaning: 'red',
      title: t('The payment of deposit {{ticket}} was declined', { ticket }),
      text: t('Nothing was charged. Try again, or pay in another way.'),
    }
  return null
}

/** The decision is the last event of a refused transaction; a transfer may have waited for it for weeks. */
const decidedAt = ({ timeline, created_at }: Transaction): number => timeline.at(-1)?.at ?? created_at

const documentLabels: Record<string, { meaning: Meaning; title: string; text: string }> = {
  pending: {
    meaning: 'amber',
    title: 'Upload your documents',
    text: 'We have to verify your identity before you can withdraw.',
  },
  rejected: {
    meaning: 'red',
    title: 'Your documents were rejected',
    text: 'Open them to see why, and upload new ones.',
  },
}

/** Terms that block a part of the portal. Those that block all of it are shown above every page. */
type PendingTerms = { _id: string; name: string; blocked_portal_sections: readonly Scope[] }

function fromTerms({ _id, name, blocked_portal_sections }: PendingTerms, known: Known, t: TFunction): AttentionItem[] {
  const waiting = blocked_portal_sections.filter((scope) => known.isOpen(scope))
  const [first] = waiting
  if (!first || waiting.includes('all')) return []
  const places = new Intl.ListFormat(readerLanguage(), { type: 'conjunction' }).format(
    waiting.map((scope) => t(labelOf(scope))),
  )
  return [
    {
      key: _id,
      meaning: 'amber',
      title: t('Please accept: {{name}}', { name }),
      text: t('Until then these stay closed: {{places}}.', { places }),
      // The terms are displayed in place of the first page that they block.
      to: scopes[first].routes[0].replace(/\/:\w+\?$/, ''),
    },
  ]
}

/** The data of the parts that this member can open; a closed part is undefined. */
export type Known = {
  terms: readonly PendingTerms[]
  isOpen: (scope: Scope) => boolean
  transactions: Transaction[]
  accounts: StableAccount[]
  /** Open and taken tickets; undefined when support is closed. */
  tickets?: TicketRow[] | undefined
  /** Rejected requests; undefined when requests are closed. */
  requests?: RequestRow[] | undefined
  /** The status of the identity KYC documents; undefined when documents are closed. */
  documents?: string | undefined
  now: number
}

type Source = (known: Known, t: TFunction) => AttentionItem[]

/** Each source lists its urgent items. */
const sources: Source[] = [
  (known, t) => known.terms.flatMap((terms) => fromTerms(terms, known, t)),
  ({ documents = '' }, t) => {
    const labels = documentLabels[documents]
    if (!labels) return []
    return [
      { key: 'documents', meaning: labels.meaning, title: t(labels.title), text: t(labels.text), to: '/documents' },
    ]
  },
  ({ transactions, now }, t) => transactions.flatMap((transaction) => fromTransaction(transaction, t, now) ?? []),
  ({ tickets = [] }, t) => fromTickets(tickets, t),
  ({ requests = [], now }, t) => fromRequests(requests, t, now),
  ({ accounts }, t) => accounts.filter(isEmpty).map((account) => fromEmptyAccount(account, t)),
]

/** Unread answers only; a ticket that waits for staff is no task of the member's. */
const fromTickets = (tickets: TicketRow[], t: TFunction): AttentionItem[] =>
  tickets
    .filter(({ is_unread }) => is_unread)
    .map(({ _id, ticket, subject }) => ({
      key: _id,
      meaning: 'blue',
      title: t('Ticket {{ticket}} was answered', { ticket }),
      text: subject,
      to: '/support',
      search: { id: _id },
    }))

/** Rejected requests with their reason. A completed one has its notification. */
function fromRequests(requests: RequestRow[], t: TFunction, now: number): AttentionItem[] {
  return requests
    .filter(({ status, status_since: since }) => status === 'rejected' && now - since < rejectedShownMs)
    .map(({ _id: id, number, subject }) => ({
      key: id,
      meaning: 'red',
      title: t('Request {{number}} was rejected', { number }),
      text: subject,
      to: '/requests',
      search: { tab: 'history', id },
    }))
}

const isEmpty = (account: StableAccount) =>
  takesDeposits(account) && account.balance !== null && !/[1-9]/.test(account.balance)

function fromEmptyAccount({ _id, platform_login: login }: StableAccount, t: TFunction): AttentionItem {
  return {
    key: _id,
    meaning: 'grey',
    title: t('Account {{login}} has no funds yet', { login }),
    text: t('Deposit to start trading.'),
    to: `/funds/deposit/${_id}`,
  }
}

/** What only the member can do now, most urgent first; what waits for others is shown on its own page. */
export function attentionItems(known: Known, t: TFunction): AttentionItem[] {
  const order: Meaning[] = ['red', 'blue', 'amber', 'grey']
  return sources
    .flatMap((source) => source(known, t))
    .sort((left, right) => order.indexOf(left.meaning) - order.indexOf(right.meaning))
    .slice(0, 5)
}
