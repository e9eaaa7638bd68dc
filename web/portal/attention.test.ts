import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Scope, scopeNames } from '@atrium/contract/access/scopes.ts'
import type { Account } from '../features/accounts/use-accounts.ts'
import type { Transaction } from '../features/funding/use-funding.ts'
import type { RequestRow } from '../features/requests/use-rejected.ts'
import type { TicketRow } from '../features/tickets/use-tickets.ts'
import type { TFunction } from '../ui/text/i18n.ts'
import { attentionItems } from './attention.ts'

const all = { terms: [], isOpen: () => true }

const t = ((text: string, values: Record<string, string> = {}) =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]))) as unknown as TFunction

const now = 1_800_000_000_000
const day = 86_400_000
const transaction = (ticket: string, state: string, age = day) =>
  ({
    _id: ticket,
    ticket,
    state,
    type: 'deposit',
    payment_method: 'manual',
    timeline: [],
    created_at: now - age,
    rejection: null,
  }) as unknown as Transaction
const account = (over: object) =>
  ({ _id: 'a', platform_login: '700', live_account: true, deleted: false, balance: '0.00', ...over }) as Account

it('lists rejected and declined payments first, then unpaid ones, and nothing that waits for others', () => {
  const paid = (ticket: string, ...events: string[]) => ({
    ...transaction(ticket, 'pending'),
    ...{ type: 'deposit', payment_method: 'psp:skrill' },
    timeline: events.map((event) => ({ at: now, event, by: 'system', note: null })),
  })
  const transactions = [
    transaction('1', 'pending'),
    transaction('2', 'approved'),
    transaction('3', 'checking'),
    transaction('4', 'rejected'),
    paid('5', 'deposit.handed-over'),
    transaction('6', 'rejected', 15 * day),
    paid('7', 'deposit.handed-over', 'deposit.payment-try-declined'),
    paid('8', 'deposit.pending-at-provider'),
    paid('9', 'deposit.handed-over', 'deposit.paid-at-provider', 'deposit.refused-by-platform'),
    paid('10', 'deposit.handed-over', 'deposit.payment-differs'),
  ]
  const items = attentionItems({ ...all, transactions, accounts: [account({}), account({ balance: '0.01' })], now }, t)
  assert.deepEqual(
    items.map(({ title }) => title),
    [
      'Transaction 4 was rejected',
      'The payment of deposit 7 was declined',
      'Deposit 5 awaits your payment',
      'Account 700 has no funds yet',
    ],
  )
})

it('counts the age of a refusal from the decision', () => {
  const refused = (ticket: string, at: number) => ({
    ...transaction(ticket, 'rejected', 40 * day),
    timeline: [{ at, event: 'deposit.rejected', by: 'staff', note: null }],
  })
  const transactions = [refused('9', now - day), refused('10', now - 15 * day)]
  const items = attentionItems({ ...all, transactions, accounts: [], now }, t)
  assert.deepEqual(
    items.map(({ title }) => title),
    ['Transaction 9 was rejected'],
  )
})

it('asks for no deposit to an account that would refuse it', () => {
  const closed = [{ archived: true }, { enable_read_only: true }, { deleted: true }, { live_account: false }]
  const items = attentionItems({ ...all, transactions: [], accounts: closed.map((over) => account(over)), now }, t)
  assert.deepEqual(items, [])
})

it('lists nothing when nothing needs attention', () => {
  const items = attentionItems(
    { ...all, transactions: [transaction('2', 'approved')], accounts: [account({ live_account: false })], now },
    t,
  )
  assert.deepEqual(items, [])
})

it('asks for documents until they are submitted, if the documents page is open', () => {
  const titles = (documents?: string) =>
    attentionItems({ ...all, transactions: [], accounts: [], documents, now }, t).map(({ title }) => title)
  assert.deepEqual(['pending', 'rejected', 'in_verification', 'approved', undefined].map(titles), [
    ['Upload your documents'],
    ['Your documents were rejected'],
    [],
    [],
    [],
  ])
})

it('links to terms that block a part of the portal, and omits those that block all of it', () => {
  const pending = (blocked_portal_sections: Scope[]) => [
    { _id: 'x', name: 'Client agreement', blocked_portal_sections },
  ]
  const items = (sections: Scope[], isOpen: (scope: Scope) => boolean = () => true) =>
    attentionItems({ terms: pending(sections), isOpen, transactions: [], accounts: [], now }, t).map(
      ({ title, text, to }) => [title, text, to],
    )
  assert.deepEqual(items(['deposit', 'withdraw']), [
    ['Please accept: Client agreement', 'Until then these stay closed: Deposit and Withdraw.', '/funds/deposit'],
  ])
  assert.deepEqual(
    items(['deposit', 'my_accounts'], (scope) => scope !== 'deposit').map(([, , to]) => to),
    ['/accounts'],
  )
  assert.deepEqual(items(['all', 'deposit']), [])
  assert.deepEqual(
    items(['deposit'], () => false),
    [],
  )
})

it('knows the name and address of every scope that has a page', () => {
  for (const scope of scopeNames.filter((each) => each !== 'all')) {
    const [item] = attentionItems(
      {
        terms: [{ _id: 'x', name: 'T', blocked_portal_sections: [scope] }],
        isOpen: () => true,
        transactions: [],
        accounts: [],
        now,
      },
      t,
    )
    assert.ok(item && !item.to.includes(':') && !item.text.includes('Home'), scope)
  }
})

it('lists each ticket with an unread answer, and none that waits for staff', () => {
  const ticket = (number: string, is_unread = false) =>
    ({ _id: `t${number}`, ticket: number, subject: `About ${number}`, is_unread, status: 'open' }) as TicketRow
  const shown = (tickets: TicketRow[]) =>
    attentionItems({ ...all, transactions: [], accounts: [], tickets, now }, t).map(({ title, to, search }) => [
      title,
      to,
      search?.id,
    ])
  assert.deepEqual(shown([ticket('1'), ticket('2', true), ticket('3')]), [['Ticket 2 was answered', '/support', 't2']])
  assert.deepEqual(shown([ticket('1')]), [])
  assert.deepEqual(shown([]), [])
})

it('lists each rejected request for a while after the decision', () => {
  const request = (number: string, status: string, age: number) =>
    ({ _id: `r${number}`, number, subject: `About ${number}`, status, status_since: now - age }) as RequestRow
  const requests = [request('1', 'done', day), request('2', 'rejected', day), request('3', 'rejected', 15 * day)]
  const items = attentionItems({ ...all, transactions: [], accounts: [], requests, now }, t)
  assert.deepEqual(
    items.map(({ title, text, to, search }) => [title, text, to, search]),
    [['Request 2 was rejected', 'About 2', '/requests', { tab: 'history', id: 'r2' }]],
  )
})
