import { toScale } from '@atrium/contract/money/money.ts'
import { providerPrefix } from '@atrium/contract/payments/orders.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { prepareStatement } from '../foundation/database/prepared-statement.ts'
import { findAdapter, shownLogoOf } from './registry.ts'

export type OfferedCurrency = {
  currency: string
  amount_min: string
  amount_max: string
  fee_percent: string
  fee_fixed: string
}
export type OfferedProvider = {
  _id: string
  name: string
  app_uid: string
  image_url: string | null
  takes_coins: boolean
  currencies: OfferedCurrency[]
}

/** The enabled providers with their limits and fees per currency. */
export async function listOffered(tx: Tx, member: Member): Promise<OfferedProvider[]> {
  const rows = await tx
    .selectFrom('payment_providers as provider')
    .innerJoin('payment_provider_currencies as offer', (join) =>
      join
        .onRef('offer.workspace_id', '=', 'provider.workspace_id')
        .onRef('offer.provider_id', '=', 'provider.provider_id'),
    )
    .select([
      'provider.provider_id',
      'provider.app_uid',
      'provider.title',
      'provider.logo_url',
      'offer.currency',
      'offer.amount_min',
      'offer.amount_max',
    ])
    .select(['offer.fee_percent', 'offer.fee_fixed'])
    .where('provider.workspace_id', '=', member.workspaceId)
    .where('provider.enabled', '=', true)
    .orderBy('provider.position')
    .orderBy('provider.app_uid')
    .orderBy('offer.currency')
    .execute()
  return [...Map.groupBy(rows, (row) => row.provider_id)].flatMap(([_id, offers]) => {
    const { app_uid: uid = '', title = null, logo_url = null } = offers[0] ?? {}
    const adapter = findAdapter(uid)
    if (!adapter) return []
    const about = { name: title ?? adapter.name, image_url: shownLogoOf({ app_uid: uid, logo_url }) }
    const takes_coins = adapter.takesCoins === true
    return [{ _id, ...about, app_uid: uid, takes_coins, currencies: offers.map(shapeOffer) }]
  })
}

type OfTransactions = { workspaceId: string; memberId: string; ids: readonly string[] }
type PaidRow = {
  transaction_id: string
  logo_url: string | null
  card_type: string | null
  coin_amount: string | null
}

/**
 * Provider data of these transactions in one statement: the workspace's logo, the brand of the card, and the amount of
 * coin paid out, where known.
 */
const paidOf = prepareStatement('transactions_paid', (tx: Tx, { workspaceId, memberId, ids }: OfTransactions) => ({
  compile: () =>
    sql<PaidRow>`
    select transaction.transaction_id, provider.logo_url, paid.card_type, payout.coin_amount
    from balance_transactions transaction
    left join payment_providers provider
      on provider.workspace_id = transaction.workspace_id and ${providerPrefix} || provider.app_uid = transaction.payment_method
    left join deposit_orders paid
      on paid.workspace_id = transaction.workspace_id and paid.transaction_id = transaction.transaction_id
      and paid.card_type is not null
    left join payout_orders payout
      on payout.workspace_id = transaction.workspace_id and payout.transaction_id = transaction.transaction_id
      and payout.coin is not null and payout.state <> all (array['declined', 'dropped'])
    where transaction.workspace_id = ${workspaceId} and transaction.member_id = ${memberId}
      and transaction.transaction_id = any (${ids}::uuid[])`.compile(tx),
}))

/** The provider's details of how each transaction was paid. */
export async function listPaid(tx: Tx, { workspaceId, memberId }: Member, ids: readonly string[]) {
  return (await paidOf(tx, { workspaceId, memberId, ids })).rows
}

const shapeOffer = ({
  currency,
  amount_min,
  amount_max,
  fee_percent,
  fee_fixed,
}: OfferedCurrency): OfferedCurrency => ({
  currency,
  amount_min: toScale(amount_min, currency),
  amount_max: toScale(amount_max, currency),
  fee_percent: new Big(fee_percent).toFixed(),
  fee_fixed: toScale(fee_fixed, currency),
})
