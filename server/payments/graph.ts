import { limits } from '@atrium/contract/limits.ts'
import { toScale } from '@atrium/contract/money/money.ts'
import DataLoader from 'dataloader'
import type { GraphQLResolveInfo } from 'graphql'
import { accountLoader } from '../accounts/graph.ts'
import { readPage } from '../foundation/database/paging.ts'
import { assertState } from '../foundation/errors.ts'
import { depositArgs, filterOf, type TransactionArgs } from '../funding/filter-graph.ts'
import { builder } from '../graphql/builder.ts'
import type { GraphContext } from '../graphql/context.ts'
import { readCounted } from '../graphql/paging.ts'
import { listOffered, type OfferedCurrency, type OfferedProvider } from '../payment-providers/queries.ts'
import { countPendingDeposits, listPendingDeposits, type PendingDepositShape } from './pending-deposits.ts'

const pendingDeposit = builder.objectRef<PendingDepositShape>('PendingDeposit')
const providerApp = builder.objectRef<{ image_url: string | null }>('PaymentProviderApp')

const providerCurrency = builder.objectRef<OfferedCurrency>('PaymentProviderCurrency')

/** Shared by all fields that need it: the list itself and every account of a list. */
const offeredLoader = ({ read, member }: GraphContext) =>
  new DataLoader<'all', OfferedProvider[]>(async () => [await read((tx) => listOffered(tx, member))])

const offeredTo = (context: GraphContext) => context.own(offeredLoader).load('all')

async function pendingOf(args: TransactionArgs, context: GraphContext, info: GraphQLResolveInfo) {
  const { member } = context
  const { subtotal, ...others } = args
  const found = filterOf(others, member.memberId)
  const filter = found && { ...found, subtotal: subtotal ?? undefined }
  const page = readPage(args, limits.pendingDepositsPageSize)
  return readCounted(context, info, args.withCount, {
    rows: async (tx) => (filter && page ? listPendingDeposits(tx, member, filter, page) : []),
    count: async (tx) => (filter ? countPendingDeposits(tx, member, filter) : 0),
    name: 'orders',
  })
}

export function describePaymentProviders(): void {
  providerApp.implement({ fields: (t) => ({ image_url: t.exposeString('image_url', { nullable: true }) }) })
  builder.objectType('PaymentProvider', {
    fields: (t) => ({
      _id: t.exposeID('_id'),
      name: t.exposeString('name'),
      app_uid: t.exposeString('app_uid'),
      // The member chooses a coin before the order is started.
      takes_coins: t.exposeBoolean('takes_coins'),
      app: t.field({ type: providerApp, resolve: ({ image_url }) => ({ image_url }) }),
      currencies: t.field({ type: [providerCurrency], resolve: (row) => row.currencies }),
    }),
  })
  providerCurrency.implement({
    fields: (t) => ({
      currency: t.exposeString('currency'),
      amount_min: t.expose('amount_min', { type: 'Money' }),
      amount_max: t.expose('amount_max', { type: 'Money' }),
      // In percent, as decimal text; both are added to the amount.
      fee_percent: t.exposeString('fee_percent'),
      fee_fixed: t.expose('fee_fixed', { type: 'Money' }),
    }),
  })
  builder.objectField('TradingAccount', 'psps', (t) =>
    t.field({
      unguarded: 'an account names how it can be funded',
      reads: 1,
      type: ['PaymentProvider'],
      resolve: async ({ currency, live_account }, _args, context) =>
        (await offeredTo(context)).filter(
          (each) => live_account && each.currencies.some((offer) => offer.currency === currency),
        ),
    }),
  )
  pendingDeposit.implement({
    fields: (t) => ({
      _id: t.exposeID('transaction_id'),
      number: t.exposeString('number'),
      description: t.exposeString('description', { nullable: true }),
      subtotal: t.field({ type: 'Money', resolve: (row) => toScale(row.subtotal, row.currency) }),
      created_at: t.expose('created_at', { type: 'Millis' }),
      trading_account: t.field({
        unguarded: 'a pending deposit names the account that it is for',
        type: 'TradingAccount',
        resolve: async (row, _args, context) => {
          const account = await accountLoader(context).load(row.account_id)
          assertState(account, 'a deposit without its account')
          return account
        },
      }),
      data: t.expose('data', { type: 'JSONText', nullable: true }),
    }),
  })
  builder.queryFields((t) => ({
    available_psps: t.field({
      scopes: ['deposit'],
      reads: 1,
      type: ['PaymentProvider'],
      resolve: (_root, _args, context) => offeredTo(context),
    }),
    pending_deposits: t.field({
      scopes: ['transactions'],
      feature: 'pending_deposits_list',
      reads: 1,
      type: [pendingDeposit],
      args: depositArgs,
      resolve: (_root, args, context, info) => pendingOf(args, context, info),
    }),
  }))
}
