import { networkOf } from '@atrium/contract/money/coins.ts'
import type { CoinPayment } from '@atrium/contract/payments/coin-payment.ts'
import { sql } from 'kysely'
import type { Member } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { type Page, reachableRowsMax } from '../foundation/database/paging.ts'
import { selectFound, type TransactionFilter } from '../funding/queries.ts'
import type { CoinAddress } from '../payment-providers/contract.ts'
import { nameOfProvider } from '../payment-providers/registry.ts'

export type PendingDepositShape = Awaited<ReturnType<typeof listPendingDeposits>>[number]

/** `subtotal` is the total that the list shows, with the provider's fee; `amount` is what the account receives. */
type PendingFilter = TransactionFilter & { subtotal?: string | undefined }

/**
 * Open coin deposits: the member may still send the coins, or they were seen and are not confirmed yet. Finished and
 * cancelled ones are in the list of transactions.
 */
function selectPending(tx: Tx, member: Member, { subtotal, ...filter }: PendingFilter) {
  const now = member.context.clock.now()
  return selectFound(tx, member, filter)
    .innerJoin('deposit_orders as order', (join) =>
      join
        .onRef('order.workspace_id', '=', 'transaction.workspace_id')
        .onRef('order.transaction_id', '=', 'transaction.transaction_id'),
    )
    .innerJoin('payment_providers as provider', (join) =>
      join
        .onRef('provider.workspace_id', '=', 'order.workspace_id')
        .onRef('provider.provider_id', '=', 'order.provider_id'),
    )
    .where('order.state', '=', 'handed_over')
    .where('order.coin', 'is not', null)
    .where('transaction.state', '=', 'pending')
    .$if(subtotal !== undefined, (found) => found.where('order.charge', '=', subtotal ?? ''))
    .where((where) => where.or([where('order.expires_at', '>', now), where('order.seen_at', 'is not', null)]))
}

export async function listPendingDeposits(tx: Tx, member: Member, filter: PendingFilter, page: Page) {
  const rows = await selectPending(tx, member, filter)
    .select(['order.charge', 'order.hand_off', 'order.expires_at', 'order.seen_at', 'provider.app_uid'])
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return rows.map((row) => {
    const redirect = row.hand_off as CoinAddress
    return {
      transaction_id: row.transaction_id,
      account_id: row.account_id,
      number: row.ticket,
      description: `${redirect.coin} with ${nameOfProvider({ app_uid: row.app_uid })}`,
      subtotal: row.charge,
      currency: row.currency,
      created_at: row.created_at,
      data: dataOf(redirect, row),
    }
  })
}

export async function countPendingDeposits(tx: Tx, member: Member, filter: PendingFilter): Promise<number> {
  const counted = await tx
    .selectFrom(
      selectPending(tx, member, filter).clearSelect().select(sql`1`.as('one')).limit(reachableRowsMax).as('found'),
    )
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return counted.count
}

/** The data that a member needs in order to send coins. */
function dataOf(redirect: CoinAddress, order: { expires_at: Date; seen_at: Date | null }): string {
  const said: CoinPayment = {
    crypto_currency: redirect.coin,
    checkout_url: redirect.page,
    address: redirect.address,
    dest_tag: redirect.tag,
    amount: redirect.amount,
    network: networkOf(redirect.coin),
    expires_at: order.expires_at.getTime(),
    seen_at: order.seen_at?.getTime() ?? null,
  }
  return JSON.stringify(said)
}

/** The pending deposit of an own order that was just started. */
export function readPending(member: Member, orderId: string): Promise<{ _id: string; data: string }> {
  return reading(member, async (tx) => {
    const row = await tx
      .selectFrom('deposit_orders')
      .select(['transaction_id', 'hand_off', 'expires_at', 'seen_at'])
      .where('workspace_id', '=', member.workspaceId)
      .where('member_id', '=', member.memberId)
      .where('order_id', '=', orderId)
      .executeTakeFirstOrThrow()
    return { _id: row.transaction_id, data: dataOf(row.hand_off as CoinAddress, row) }
  })
}
