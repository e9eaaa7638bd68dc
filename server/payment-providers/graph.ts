import { builder } from '../graph/builder.ts'
import { keepCount } from '../graph/paging.ts'

type PendingDepositShape = {
  _id: string
  number: string
  description: string | null
  subtotal: string
  created_at: Date
  account: never
  data: string | null
}
const pendingDeposit = builder.objectRef<PendingDepositShape>('PendingDeposit')
const providerApp = builder.objectRef<{ image_url: string | null }>('PaymentProviderApp')

/** No workspace has a payment provider yet, hence no orders with one: the lists are empty, not missing. */
export function describePaymentProviders(): void {
  providerApp.implement({ fields: (t) => ({ image_url: t.exposeString('image_url', { nullable: true }) }) })
  builder.objectType('PaymentProvider', {
    fields: (t) => ({
      _id: t.exposeID('_id'),
      name: t.exposeString('name'),
      app_uid: t.exposeString('app_uid'),
      app: t.field({ type: providerApp, resolve: (row) => row }),
    }),
  })
  pendingDeposit.implement({
    fields: (t) => ({
      _id: t.exposeID('_id'),
      number: t.exposeString('number'),
      description: t.exposeString('description', { nullable: true }),
      subtotal: t.expose('subtotal', { type: 'Money' }),
      created_at: t.expose('created_at', { type: 'Millis' }),
      trading_account: t.field({ type: 'TradingAccount', resolve: (row) => row.account }),
      data: t.expose('data', { type: 'JSONText', nullable: true }),
    }),
  })
  builder.queryFields((t) => ({
    available_psps: t.field({ type: ['PaymentProvider'], resolve: () => [] }),
    pending_deposits: t.field({
      type: [pendingDeposit],
      args: {
        ticket: t.arg.string(),
        account_number: t.arg.string(),
        type: t.arg.string(),
        status: t.arg.string(),
        destination: t.arg.string(),
        created_at_from: t.arg({ type: 'Millis' }),
        created_at_to: t.arg({ type: 'Millis' }),
        amount: t.arg({ type: 'Money' }),
        subtotal: t.arg({ type: 'Money' }),
        trading_account: t.arg.id(),
        customer: t.arg.id(),
        limit: t.arg.int(),
        page: t.arg.int(),
        withCount: t.arg.boolean(),
      },
      resolve: (_root, args, context, info) => {
        if (args.withCount) keepCount(context, info, 0, 'orders')
        return []
      },
    }),
  }))
}
