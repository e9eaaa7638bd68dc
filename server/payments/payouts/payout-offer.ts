import { withoutProviderPrefix } from '@atrium/contract/payments/orders.ts'
import { withdrawalTexts } from '@atrium/contract/withdrawals/calls.ts'
import type { Member } from '../../foundation/actor.ts'
import { reading, type Tx } from '../../foundation/database/database.ts'
import { type PaymentFailure, PaymentProblem } from '../../payment-providers/contract.ts'
import { findAdapter } from '../../payment-providers/registry.ts'
import { coinsOf } from '../coins.ts'
import { connectProvider, type ProviderRow } from '../connections/provider.ts'
import { type FoundPlace, findPlace } from './payout-details.ts'

/**
 * The providers with payouts in a currency, by id; read before any transaction, because connecting reads secrets.
 * `unavailable`: enabled, but nobody knows at the moment whether it pays out, with the reason.
 */
export type PayoutOffers = {
  paying: ReadonlyMap<string, ProviderRow>
  unavailable: ReadonlyMap<string, PaymentFailure>
}

export const noOffers: PayoutOffers = { paying: new Map(), unavailable: new Map() }

/** A disabled provider makes no payouts; a misconfigured or unreachable one is unavailable. */
export async function listPayoutOffers(member: Member, currency: string): Promise<PayoutOffers> {
  const { rows, offered } = await reading(member, async (tx) => ({
    rows: await tx
      .selectFrom('payment_providers')
      .selectAll()
      .where('workspace_id', '=', member.workspaceId)
      .where('enabled', '=', true)
      .orderBy('app_uid')
      .execute(),
    offered: await tx
      .selectFrom('payment_provider_currencies')
      .select('provider_id')
      .where('workspace_id', '=', member.workspaceId)
      .where('currency', '=', currency)
      .execute(),
  }))
  const paying = new Map<string, ProviderRow>()
  const unavailable = new Map<string, PaymentFailure>()
  for (const row of rows) {
    if (!findAdapter(row.app_uid)?.payout) continue
    const isOffered = offered.some(({ provider_id }) => provider_id === row.provider_id)
    const paysOut = await paysOutIn(member, row, { currency, isOffered })
    if (typeof paysOut === 'string') unavailable.set(row.app_uid, paysOut)
    else if (paysOut) paying.set(row.app_uid, row)
  }
  return { paying, unavailable }
}

type Wanted = { currency: string; isOffered: boolean }

async function paysOutIn(
  member: Member,
  row: ProviderRow,
  { currency, isOffered }: Wanted,
): Promise<boolean | PaymentFailure> {
  try {
    const provider = await connectProvider(member, row)
    // Fetches the list of coins if there is none; a job keeps it fresh afterwards.
    await coinsOf(member, row, provider)
    return provider.payOut !== undefined && (provider.paysOutIn?.(currency) ?? isOffered)
  } catch (problem) {
    if (!(problem instanceof PaymentProblem)) throw problem
    const { failure } = problem
    // Only staff can mend it, and the desk shows failed calls, not settings that cannot be used.
    if (failure === 'misconfigured') member.context.metrics.manualReview(row.app_uid, 'provider_misconfigured')
    return failure
  }
}

/** The form field of each sentence; all others concern the provider itself. */
const fieldOf: Readonly<Record<string, 'destination_id' | 'coin'>> = {
  [withdrawalTexts.beneficiaryUnknown]: 'destination_id',
  [withdrawalTexts.beneficiaryLacks]: 'destination_id',
  [withdrawalTexts.addressInvalid]: 'destination_id',
  [withdrawalTexts.coinMissing]: 'coin',
  [withdrawalTexts.coinUnknown]: 'coin',
}

type Asked = { destination?: string | undefined; destination_id?: string | undefined; coin?: string | undefined }

function sentenceOf(failure: PaymentFailure | undefined): string {
  if (!failure) return withdrawalTexts.methodClosed
  return failure === 'misconfigured' ? withdrawalTexts.methodBlocked : withdrawalTexts.methodUnavailable
}

/** The beneficiary that the provider would pay; otherwise a sentence about the provider or beneficiary. */
export async function findProviderPlace(
  tx: Tx,
  member: Member,
  { destination = '', destination_id, coin }: Asked,
  offers: PayoutOffers,
): Promise<FoundPlace | { field: 'destination' | 'destination_id' | 'coin'; sentence: string }> {
  const uid = withoutProviderPrefix(destination)
  const provider = offers.paying.get(uid)
  if (!provider) {
    return { field: 'destination', sentence: sentenceOf(offers.unavailable.get(uid)) }
  }
  const found = await findPlace(tx, member, {
    memberId: member.memberId,
    uid,
    providerId: provider.provider_id,
    beneficiaryId: destination_id ?? null,
    coin: coin ?? null,
  })
  if (!('sentence' in found)) return found
  return { field: fieldOf[found.sentence] ?? 'destination', sentence: found.sentence }
}
