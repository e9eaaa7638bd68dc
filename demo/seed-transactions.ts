import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { providerPrefix } from '@atrium/contract/payments/orders.ts'
import type { System } from '../server/foundation/actor.ts'
import type { Tx } from '../server/foundation/database/database.ts'
import { newId } from '../server/foundation/ids.ts'
import type { DemoAccount } from './harbour-markets.ts'
import { bankAccounts, type DemoTransaction, transactions } from './harbour-money.ts'
import { type History, nameOfOwner } from './history.ts'
import { makeReceipt } from './receipt.ts'
import { addOrders } from './seed-orders.ts'
import { momentOf } from './seed-platform.ts'

type Receipt = { media_id: string; storage_key: string; content: Buffer; isPicture: boolean }

const hasReceipt = (transaction: DemoTransaction): boolean => {
  const { type, provider, daysAgo } = transaction
  return type === 'deposit' && !provider && (daysAgo < receiptsOfDays || transactions.includes(transaction))
}

const accountOf = ({ accounts }: History, { login }: DemoTransaction): DemoAccount => {
  const account = accounts.find((each) => each.login === login)
  if (!account) throw new Error(`The demo has no account ${login}`)
  return account
}

/** Older transactions of the long history have no receipt: each is a file that the start has to write. */
const receiptsOfDays = 40

/** Files are written before rows: a row without its file would be broken. */
export async function writeReceipts(system: System, history: History): Promise<Map<DemoTransaction, Receipt>> {
  const receipts = new Map<DemoTransaction, Receipt>()
  for (const transaction of history.transactions.filter(hasReceipt)) {
    const media_id = newId()
    const isPicture = transaction.picture !== undefined
    const content = transaction.picture
      ? readFileSync(new URL(`./receipts/${transaction.picture}`, import.meta.url))
      : kycDocumentReceipt(transaction, accountOf(history, transaction))
    const receipt = { media_id, storage_key: `${system.workspaceId}/${media_id}`, content, isPicture }
    await system.context.files.write(receipt.storage_key, content)
    receipts.set(transaction, receipt)
  }
  return receipts
}

const kycDocumentReceipt = ({ amount, login, comment }: DemoTransaction, { currency }: DemoAccount): Buffer =>
  makeReceipt([
    'Transfer confirmation',
    `Amount: ${amount} ${currency}`,
    'Beneficiary: Harbour Markets Ltd',
    `Reference: account ${login}`,
    `Note: ${comment}`,
  ])

type Given = {
  ids: Record<string, string> & { staff: string }
  accountIds: Map<string, string>
  tickets: Map<DemoTransaction, string>
  receipts: Map<DemoTransaction, Receipt>
  history: History
  now: number
}

function bankOf(account: DemoAccount): string {
  const bank = bankAccounts.findLast(({ owner }) => owner === account.owner)
  return bank ? `${bank.bank_name}, ${bank.account_holder}` : `Members Bank, ${nameOfOwner(account)}`
}

const hourMs = 3_600_000
const firstNumber = 1001

/** Numbers them in chronological order; one statement per table. */
export async function addTransactions(tx: Tx, system: System, given: Given): Promise<void> {
  const { history, now, ids } = given
  const workspace_id = system.workspaceId
  const oldestFirst = history.transactions.toSorted((left, right) => right.daysAgo - left.daysAgo)
  const moved = oldestFirst.map((transaction, index) => {
    const account = accountOf(history, transaction)
    const created = momentOf(transaction.daysAgo, now)
    return {
      transaction,
      account,
      created,
      number: String(firstNumber + index),
      key: { workspace_id, transaction_id: newId(), member_id: ids[account.owner] ?? '' },
      steps: stepsOf(transaction, created),
    }
  })
  await tx
    .insertInto('counters')
    .values({ workspace_id, name: 'transaction', value: firstNumber - 1 + moved.length })
    .execute()
  await tx
    .insertInto('balance_transactions')
    .values(
      moved.map(({ transaction, account, created, number, key }) => {
        const { type, amount, state, comment, reason, note, takesTwo, provider } = transaction
        const isDeposit = type === 'deposit'
        const method = provider ? `${providerPrefix}${provider}` : 'manual'
        return {
          ...key,
          ticket: number,
          account_id: given.accountIds.get(account.login) ?? '',
          ...{ type, amount, state, comment, currency: account.currency, source: 'client', payment_method: method },
          approvals_needed: takesTwo ? 2 : 1,
          origin: isDeposit && !provider ? bankOf(account) : null,
          destination: provider ? method : isDeposit ? 'Bank of the Grand Harbour' : 'bank_account',
          destination_text: isDeposit ? null : provider ? 'Travel money, Skrill' : bankOf(account),
          platform_ticket: given.tickets.get(transaction) ?? null,
          rejection_reason: reason ?? null,
          rejection_note: note ?? null,
          created_at: new Date(created),
        }
      }),
    )
    .execute()
  const events = moved.flatMap(({ key, steps }) =>
    steps.map(({ after: _, ...step }) => ({
      ...{ ...key, ...step, event_id: newId() },
      staff_id: step.actor_kind === 'staff' ? ids.staff : null,
    })),
  )
  await tx.insertInto('transaction_events').values(events).execute()
  if (history.isLong) {
    await addAudit(
      tx,
      moved.filter(({ transaction }) => transaction.daysAgo < auditedDays),
      ids.staff,
    )
    await addOrders(
      tx,
      moved.map((each) => ({ ...each, accountId: given.accountIds.get(each.account.login) ?? '' })),
    )
  }
  await attachReceipts(
    tx,
    moved.flatMap(({ transaction, key, created }) => {
      const receipt = given.receipts.get(transaction)
      return receipt ? [{ key, receipt, created_at: new Date(created) }] : []
    }),
  )
}

type Key = { workspace_id: string; transaction_id: string; member_id: string }
type Step = { event: string; actor_kind: 'member' | 'staff' | 'system'; at: Date; note: string | null; after: string }

function stepsOf({ type, state, note, provider }: DemoTransaction, created: number): Step[] {
  const step = (event: string, actor_kind: Step['actor_kind'], hours: number, to: string, said?: string): Step => ({
    ...{ event: `${type}.${event}`, actor_kind, note: said ?? null, after: to },
    at: new Date(created + hours * hourMs),
  })
  const steps = [step('requested', 'member', 0, 'pending')]
  if (provider && type === 'deposit') {
    const isPaid = state === 'approved'
    steps.push(step('handed-over', 'system', 0.001, 'pending'))
    steps.push(step(isPaid ? 'paid-at-provider' : 'declined-by-provider', 'system', 0.05, isPaid ? 'crediting' : state))
    return isPaid ? [...steps, step('credited', 'system', 0.051, 'approved')] : steps
  }
  const isDeposit = type === 'deposit'
  if (state === 'approved') {
    steps.push(step('approved-by-desk', 'staff', 3, isDeposit ? 'crediting' : 'debiting'))
    steps.push(step(isDeposit ? 'credited' : 'debited', 'system', 3.001, isDeposit ? 'approved' : 'paying'))
    if (!isDeposit) steps.push(step('paid-out', 'staff', 5, 'approved', 'SWIFT 4711-0042'))
  }
  if (state === 'rejected') steps.push(step('rejected', 'staff', 5, 'rejected', note))
  return steps
}

type Moved = { transaction: DemoTransaction; account: DemoAccount; number: string; key: Key; steps: Step[] }

/** Every audit entry extends the hash chain, which takes time, so older days have none. */
const auditedDays = 90

/** The same audit entries as the program writes at each step. */
async function addAudit(tx: Tx, moved: Moved[], staffId: string): Promise<void> {
  const rows = moved.flatMap(({ transaction, account, number, key, steps }) =>
    steps.map(({ event, actor_kind, at, after }, index) => {
      const { amount } = transaction
      const asked = { ticket: number, amount, currency: account.currency, account: account.login }
      const before = steps[index - 1]?.after
      return {
        ...{ workspace_id: key.workspace_id, member_id: key.member_id, audit_id: newId(), at, actor_kind },
        actor_id: actor_kind === 'member' ? key.member_id : actor_kind === 'staff' ? staffId : null,
        ...{ action: event, subject_kind: 'balance_transaction', subject_id: key.transaction_id },
        before: before ? JSON.stringify({ state: before }) : null,
        after: JSON.stringify(index === 0 ? asked : { state: after }),
      }
    }),
  )
  await tx
    .insertInto('audit_log')
    .values(rows.toSorted((left, right) => left.at.getTime() - right.at.getTime()))
    .execute()
}

type Attached = { key: Key; receipt: Receipt; created_at: Date }

async function attachReceipts(tx: Tx, attached: Attached[]): Promise<void> {
  const media = attached.map(({ key, receipt, created_at }) => {
    const { media_id, storage_key, content, isPicture } = receipt
    const file = isPicture
      ? { kind: 'image', name: 'transfer.png', extension: 'png', content_type: 'image/png' }
      : { kind: 'file', name: 'transfer-receipt.pdf', extension: 'pdf', content_type: 'application/pdf' }
    return {
      ...{ workspace_id: key.workspace_id, member_id: key.member_id, media_id, storage_key, purpose: 'receipt' },
      ...{ ...file, size_bytes: content.length, created_at },
      sha256: createHash('sha256').update(content).digest(),
    }
  })
  await tx.insertInto('media').values(media).execute()
  await tx
    .insertInto('transaction_attachments')
    .values(attached.map(({ key, receipt, created_at }) => ({ ...key, media_id: receipt.media_id, created_at })))
    .execute()
}
