import { toScale } from '@atrium/contract/money.ts'
import Big from 'big.js'
import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database.ts'
import { findAdapter } from './registry.ts'

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
  takes_coins: boolean
  currencies: OfferedCurrency[]
}

/** The providers that are switched on, with what each takes: limits and fees per currency. */
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
    const { app_uid: uid = '', title = null } = offers[0] ?? {}
    const adapter = findAdapter(uid)
    if (!adapter) return []
    const takes_coins = adapter.takesCoins === true
    return [{ _id, name: title ?? adapter.name, app_uid: uid, takes_coins, currencies: offers.map(shapeOffer) }]
  })
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
