import { statusOf, type TransactionState } from '@atrium/contract/funding/states.ts'
import { limits } from '@atrium/contract/limits.ts'
import { networkOf } from '@atrium/contract/money/coins.ts'
import { toScale } from '@atrium/contract/money/money.ts'
import { providerPrefix, withoutProviderPrefix } from '@atrium/contract/payments/orders.ts'
import DataLoader from 'dataloader'
import type { GraphQLResolveInfo } from 'graphql'
import { accountLoader, readAccountsAhead } from '../accounts/graph.ts'
import { mediaUrl } from '../files/media.ts'
import { authorize, authorizePermission, type Member } from '../foundation/actor.ts'
import { readPage } from '../foundation/database/paging.ts'
import { assertState } from '../foundation/errors.ts'
import { builder } from '../graphql/builder.ts'
import type { GraphContext } from '../graphql/context.ts'
import { readCounted } from '../graphql/paging.ts'
import { selectedFields } from '../graphql/selection.ts'
import { listPaid } from '../payment-providers/queries.ts'
import { shownLogoOf } from '../payment-providers/registry.ts'
import { readLedgerComments } from '../trades/queries.ts'
import { filterOf, type TransactionArgs, transactionArgs } from './filter-graph.ts'
import type { AttachmentShape, EventShape, TransactionShape } from './queries.ts'
import * as queries from './queries.ts'
import { reasonOf } from './transaction.ts'

const rejection = builder.objectRef<TransactionShape>('Rejection')
const timelineEntry = builder.objectRef<EventShape>('TimelineEntry')
type Psp = { psp: string; card_type: string | null; coin_amount: string | null; image_url: string | null }
const pspTransaction = builder.objectRef<Psp>('PspTransaction')
const beneficiaryBank = builder.objectRef<TransactionShape>('DestinationBankAccount')
const tradeRecord = builder.objectRef<TransactionShape>('TransactionTradeRecord')
const attachment = builder.objectRef<AttachmentShape>('TransactionAttachment')

/** Reads the rows of all transactions of a list in one statement. */
function listLoader<Row extends { transaction_id: string }>(load: (ids: readonly string[]) => Promise<Row[]>) {
  return new DataLoader<string, Row[]>(async (ids) => {
    const rows = Map.groupBy(await load(ids), (row) => row.transaction_id)
    return ids.map((id) => rows.get(id) ?? [])
  })
}

const eventLoader = ({ read, member }: GraphContext) =>
  listLoader((ids) => read((tx) => queries.listEvents(tx, member, ids)))

const attachmentLoader = ({ read, member }: GraphContext) =>
  listLoader((ids) => read((tx) => queries.listAttachments(tx, member, ids)))

const paidLoader = ({ read, member }: GraphContext) => listLoader((ids) => read((tx) => listPaid(tx, member, ids)))

const byAccountLoader = ({ read, member }: GraphContext) =>
  new DataLoader<string, TransactionShape[]>(async (ids) => {
    const found = await read((tx) => queries.listTransactionsOfAccounts(tx, member, ids, limits.transactionsPageSize))
    const rows = Map.groupBy(found, (row) => row.account_id)
    return ids.map((id) => rows.get(id) ?? [])
  })

const ledgerLoader = ({ read, member }: GraphContext) =>
  new DataLoader<string, string | null>(async (keys) => {
    const entries = keys.map((key) => ({ account_id: key.split('/')[0] ?? '', ticket: key.split('/')[1] ?? '' }))
    const found = await read((tx) => readLedgerComments(tx, member, entries))
    return keys.map((key) => found.get(key) ?? null)
  })

const isTicket = (text: string) => /^\d{1,20}$/.test(text)

/** The platform's own comment of the transaction, once its history has been synchronized. */
async function ledgerComment(row: TransactionShape, context: GraphContext): Promise<string | null> {
  if (row.platform_ticket === null || !isTicket(row.platform_ticket)) return null
  return context.own(ledgerLoader).load(`${row.account_id}/${row.platform_ticket}`)
}

async function transactionsOf(args: TransactionArgs, context: GraphContext, info: GraphQLResolveInfo) {
  const { member } = context
  const filter = filterOf(args, member.memberId)
  const page = readPage(args, limits.transactionsPageSize)
  const fields = selectedFields(info)
  const [rows, accounts] = await Promise.all([
    readCounted(context, info, args.withCount, {
      rows: async (tx) => (filter && page ? queries.listTransactions(tx, member, filter, { ...page, fields }) : []),
      count: async (tx) => (filter ? queries.countTransactions(tx, member, filter) : 0),
    }),
    fields.includes('trading_account')
      ? readAccountsAhead(context, selectedFields(info, 'trading_account'))
      : undefined,
  ])
  if (accounts) for (const row of rows) row.account = accounts.get(row.account_id)
  return rows
}

/** Listing an account's transactions needs the permission, but not the feature of the list of all transactions. */
function authorizeTransactions(member: Member): void {
  authorize(member, 'my_accounts', 'transactions')
  authorizePermission(member, 'transactions')
}

export function describeFunding(): void {
  describeTransaction()
  describeOutcome()
  describeAttachment()
  builder.objectField('TradingAccount', 'balance_transactions', (t) =>
    t.field({
      unguarded: 'its resolver checks the scope: an account shows its transactions',
      reads: 1,
      usualLength: limits.transactionsPageSize,
      type: ['BalanceTransaction'],
      resolve: (row, _args, context) => {
        authorizeTransactions(context.member)
        return context.own(byAccountLoader).load(row.account_id)
      },
    }),
  )
  builder.queryField('balance_transactions', (t) =>
    t.field({
      scopes: ['transactions'],
      reads: 1,
      type: ['BalanceTransaction'],
      args: transactionArgs,
      resolve: (_root, args, context, info) => transactionsOf(args, context, info),
    }),
  )
}

function describeTransaction(): void {
  builder.objectType('BalanceTransaction', {
    fields: (t) => ({
      _id: t.exposeID('transaction_id'),
      ticket: t.exposeString('ticket'),
      comment: t.exposeString('comment', { nullable: true }),
      type: t.exposeString('type'),
      amount: t.field({ type: 'Money', resolve: (row) => toScale(row.amount, row.currency) }),
      currency: t.exposeString('currency'),
      status: t.string({ resolve: (row) => statusOf(row.state as TransactionState) }),
      state: t.exposeString('state'),
      source: t.exposeString('source'),
      payment_method: t.exposeString('payment_method', { nullable: true }),
      psp_transaction: t.field({
        reads: 1,
        type: pspTransaction,
        nullable: true,
        resolve: (row, _args, context) => pspOf(row, context),
      }),
      // Reserved for the provider's reference; a bank transfer is identified by its comment and receipt.
      transaction_id: t.string({ nullable: true, resolve: () => null }),
      origin: t.exposeString('origin', { nullable: true }),
      destination: t.exposeString('destination', { nullable: true }),
      destination_id: t.exposeID('destination_id', { nullable: true }),
      coin: t.exposeString('coin', { nullable: true }),
      coin_network: t.string({ nullable: true, resolve: ({ coin }) => coin && networkOf(coin) }),
      // Withdrawals only: a snapshot of the beneficiary at the time of the request.
      destination_text: t.exposeString('destination_text', { nullable: true }),
      fee: t.field({ type: 'Money', resolve: (row) => toScale(row.fee, row.currency) }),
      destination_bank_account: t.field({
        type: beneficiaryBank,
        nullable: true,
        resolve: (row) => (row.bank_name === null ? null : row),
      }),
      platform_ticket: t.exposeString('platform_ticket', { nullable: true }),
      account_id: t.exposeID('account_id'),
      created_at: t.expose('created_at', { type: 'Millis' }),
      trading_account: t.field({
        unguarded: 'a transaction names the account that it moves money of',
        reads: 1,
        type: 'TradingAccount',
        resolve: async (row, _args, context) => {
          const account = row.account ?? (await accountLoader(context).load(row.account_id))
          assertState(account, 'a transaction without its account')
          return account
        },
      }),
      trade_record: t.field({
        type: tradeRecord,
        nullable: true,
        resolve: (row) => (row.platform_ticket === null ? null : row),
      }),
      attachments: t.field({
        reads: 1,
        usualLength: 5,
        type: [attachment],
        resolve: (row, _args, context) => context.own(attachmentLoader).load(row.transaction_id),
      }),
      rejection: t.field({
        type: rejection,
        nullable: true,
        resolve: (row) => (row.state === 'rejected' ? row : null),
      }),
      timeline: t.field({
        reads: 1,
        usualLength: 6,
        type: [timelineEntry],
        resolve: (row, _args, context) => context.own(eventLoader).load(row.transaction_id),
      }),
    }),
  })
}

function describeOutcome(): void {
  rejection.implement({
    fields: (t) => ({
      reason: t.string({ resolve: (row) => row.rejection_reason ?? 'other' }),
      sentence: t.string({ resolve: (row) => reasonOf(row).sentence }),
      next: t.string({ resolve: (row) => reasonOf(row).next }),
      note: t.exposeString('rejection_note', { nullable: true }),
    }),
  })
  timelineEntry.implement({
    fields: (t) => ({
      at: t.expose('at', { type: 'Millis' }),
      event: t.exposeString('event'),
      by: t.exposeString('actor_kind'),
      note: t.exposeString('note', { nullable: true }),
    }),
  })
  pspTransaction.implement({
    fields: (t) => ({
      psp: t.exposeString('psp'),
      card_type: t.exposeString('card_type', { nullable: true }),
      // Null until the provider reports the amount of coin.
      coin_amount: t.exposeString('coin_amount', { nullable: true }),
      image_url: t.exposeString('image_url', { nullable: true }),
    }),
  })
  beneficiaryBank.implement({
    fields: (t) => ({
      bank_name: t.exposeString('bank_name', { nullable: true }),
      bank_account: t.exposeString('bank_account', { nullable: true }),
      currency: t.exposeString('bank_currency', { nullable: true }),
    }),
  })
  tradeRecord.implement({
    fields: (t) => ({
      _id: t.id({ resolve: (row) => row.platform_ticket ?? '' }),
      deal: t.exposeString('platform_ticket', { nullable: true }),
      login: t.exposeString('platform_login', { nullable: true }),
      comment: t.string({ reads: 1, nullable: true, resolve: (row, _args, context) => ledgerComment(row, context) }),
      trade_record_type: t.string({ resolve: () => 'balance' }),
    }),
  })
}

async function pspOf({ transaction_id, payment_method }: TransactionShape, context: GraphContext) {
  if (!payment_method?.startsWith(providerPrefix)) return null
  const [paid] = await context.own(paidLoader).load(transaction_id)
  const { logo_url = null, card_type = null, coin_amount = null } = paid ?? {}
  const image_url = shownLogoOf({ app_uid: withoutProviderPrefix(payment_method), logo_url })
  return { psp: payment_method, card_type, coin_amount, image_url }
}

type Shown = 'image' | 'document' | 'file'

function shownAs(row: AttachmentShape): Shown {
  if (row.kind === 'image') return 'image'
  return row.purpose === 'document' ? 'document' : 'file'
}

function fileIf(kind: Shown, row: AttachmentShape) {
  if (shownAs(row) !== kind) return null
  return { _id: row.media_id, title: row.name, description: null, url: mediaUrl(row), created_at: row.uploaded_at }
}

function describeAttachment(): void {
  attachment.implement({
    fields: (t) => ({
      media_type: t.string({ resolve: shownAs }),
      image: t.field({ type: 'File', nullable: true, resolve: (row) => fileIf('image', row) }),
      document: t.field({ type: 'File', nullable: true, resolve: (row) => fileIf('document', row) }),
      file: t.field({ type: 'File', nullable: true, resolve: (row) => fileIf('file', row) }),
      scan: t.exposeString('scan'),
      created_at: t.expose('created_at', { type: 'Millis' }),
    }),
  })
}
