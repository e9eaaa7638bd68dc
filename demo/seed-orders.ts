import { createHash } from 'node:crypto'
import { toScale } from '@atrium/contract/money/money.ts'
import { sql } from 'kysely'
import type { Tx } from '../server/foundation/database/database.ts'
import { newId } from '../server/foundation/ids.ts'
import type { DemoAccount } from './harbour-markets.ts'
import type { DemoTransaction } from './harbour-money.ts'

type Deposited = {
  transaction: DemoTransaction
  account: DemoAccount
  accountId: string
  created: number
  key: { workspace_id: string; transaction_id: string; member_id: string }
}

const paidAfterMs = 180_000
const goodForMs = 3_600_000

/** The finished order of each deposit by a provider, and the provider webhook event that ended it. */
export async function addOrders(tx: Tx, moved: readonly Deposited[]): Promise<void> {
  const deposits = moved.filter(({ transaction }) => transaction.provider && transaction.type === 'deposit')
  const [first] = deposits
  if (!first) return
  const { workspace_id } = first.key
  const providers = await tx
    .selectFrom('payment_providers')
    .select(['provider_id', 'app_uid'])
    .where('workspace_id', '=', workspace_id)
    .execute()
  const orders = deposits.map(({ transaction, account, accountId, created, key }, index) => {
    const order_id = newId()
    const { amount, state, provider } = transaction
    const row = {
      ...{ ...key, order_id, account_id: accountId, attempt: `dep-${order_id.slice(-12)}`, state: 'created' },
      provider_id: providers.find(({ app_uid }) => app_uid === provider)?.provider_id ?? '',
      ...{ amount, fee: '0', charge: amount, currency: account.currency, created_at: new Date(created) },
      ...{ next_look_at: new Date(created), expires_at: new Date(created + goodForMs) },
    }
    return { row, isPaid: state === 'approved', reference: String(8_020_000 + index * 37) }
  })
  await tx
    .insertInto('deposit_orders')
    .values(orders.map(({ row }) => row))
    .execute()
  await sql`
    update deposit_orders as deposit_order set state = ended.state, reference = ended.reference, ended_at = deposit_order.created_at + ${paidAfterMs} * interval '1 ms'
    from unnest(${orders.map(({ row }) => row.order_id)}::uuid[], ${orders.map(({ isPaid }) => (isPaid ? 'paid' : 'declined'))}::text[],
      ${orders.map(({ reference }) => reference)}::text[]) as ended (order_id, state, reference)
    where deposit_order.workspace_id = ${workspace_id} and deposit_order.order_id = ended.order_id`.execute(tx)
  await tx.insertInto('payment_notifications').values(orders.map(webhookEventOf)).execute()
}

type Order = {
  row: { workspace_id: string; order_id: string; provider_id: string; attempt: string } & {
    amount: string
    currency: string
    created_at: Date
  }
  isPaid: boolean
  reference: string
}

/** As stored after its content was cleared. */
function webhookEventOf({ row, isPaid, reference }: Order) {
  const { workspace_id, order_id, provider_id, attempt, amount, currency, created_at } = row
  const at = new Date(created_at.getTime() + paidAfterMs)
  const word = isPaid ? 'APPROVED' : 'DECLINED'
  const state = isPaid ? 'paid' : 'declined'
  return {
    ...{ workspace_id, notification_id: newId(), provider_id, order_id, method: 'POST', query: '', headers: '{}' },
    ...{ body: Buffer.alloc(0), content_id: createHash('sha256').update(attempt).digest() },
    ...{ received_at: at, last_received_at: at, read_at: at, cleared_at: at, verdict: 'genuine', outcome: 'applied' },
    reported: JSON.stringify({
      ...{ attempt, reference, state, word, currency, amount: toScale(amount, currency), reason: null },
    }),
  }
}
