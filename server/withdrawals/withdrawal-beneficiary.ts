import { fitsWallet } from '@atrium/contract/banking/coin-addresses.ts'
import { withoutProviderPrefix } from '@atrium/contract/payments/orders.ts'
import { beneficiaryTypes, isProvider, withdrawalTexts } from '@atrium/contract/withdrawals/calls.ts'
import { z } from 'zod'
import { type Beneficiary, describeBeneficiary, findBeneficiary, problemOfBeneficiary } from '../banking/beneficiary.ts'
import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { describeSource } from '../payments/payouts/payout-details.ts'
import { findProviderPlace, type PayoutOffers } from '../payments/payouts/payout-offer.ts'

/** A withdrawal's beneficiary as a snapshot text; `usableFrom` during its cooling-off period. */
export type WithdrawalBeneficiary = { text: string; usableFrom: Date | null }
type Named = { destination?: string | undefined; destination_id?: string | undefined; coin?: string | undefined }

const typeOf = { bank_account: 'bank_account', other_transfer: 'other', crypto_transfer: 'crypto' } as const

export type NoBeneficiary = { field: 'destination' | 'destination_id' | 'coin'; sentence: string }

/**
 * The member's own beneficiary of this type, or the one that a provider would pay; otherwise a sentence with the
 * reason. Stays locked until the transaction ends, so that it cannot be changed or removed during the request.
 */
export async function findWithdrawalBeneficiary(
  tx: Tx,
  member: Member,
  named: Named,
  offers: PayoutOffers,
): Promise<WithdrawalBeneficiary | NoBeneficiary> {
  const { destination, destination_id: id } = named
  const unknown = { field: 'destination_id', sentence: sentenceOfBeneficiary(named) } as const
  if (id !== undefined && !z.uuid().safeParse(id).success) return unknown
  if (isProvider(destination ?? '')) return findProviderPlace(tx, member, named, offers)
  const kind = beneficiaryTypes.find((each) => each === destination)
  if (!kind || id === undefined) return unknown
  const found = await findBeneficiary(tx, member, { type: typeOf[kind], id })
  const sentence = found && problemOfBeneficiary(found)
  if (sentence) return { field: 'destination_id', sentence }
  if (!found) return unknown
  if (!isReceived(named, found)) return { field: 'coin', sentence: withdrawalTexts.coinUnknown }
  return { text: describeBeneficiary(found), usableFrom: found.usableFrom }
}

/** Coins sent to a wallet of another coin are lost, although its address may be valid there. */
const isReceived = ({ coin }: Named, { type, currency, details }: Beneficiary): boolean =>
  type !== 'crypto' || coin === undefined || fitsWallet(coin, { currency, address: details.address_id ?? '' })

/**
 * A beneficiary is new until one of the member's withdrawals to it was paid. The source of each deposit is one of its own:
 * whoever has the session could pay in from another card, which the provider would pay.
 */
export async function isNewBeneficiary(
  tx: Tx,
  member: Member,
  { destination, destination_id: id }: Named,
): Promise<boolean> {
  const source = await describeSource(tx, member, withoutProviderPrefix(destination ?? ''))
  const paid = await tx
    .selectFrom('balance_transactions')
    .select('transaction_id')
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('type', '=', 'withdrawal')
    .where('state', '=', 'approved')
    .where('destination', '=', destination ?? '')
    .$if(id !== undefined, (query) => query.where('destination_id', '=', id ?? ''))
    .$if(source !== null, (query) => query.where('destination_text', '=', source))
    .limit(1)
    .executeTakeFirst()
  return paid === undefined
}

function sentenceOfBeneficiary({ destination }: Named): string {
  return destination === undefined ? withdrawalTexts.beneficiaryMissing : withdrawalTexts.beneficiaryUnknown
}
