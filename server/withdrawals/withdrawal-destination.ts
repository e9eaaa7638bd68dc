import { destinationTypes, isProvider, withdrawalTexts } from '@atrium/contract/withdrawals/calls.ts'
import { z } from 'zod'
import { findDestination, problemOfDestination, wordsOf } from '../banking/destination.ts'
import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { findProviderPlace, type PayoutOffers } from '../payments/payouts/payout-offer.ts'

/** Where a withdrawal is to go, worded as it is on the day; `usableFrom` while it still rests. */
export type WithdrawalDestination = { text: string; usableFrom: Date | null }
type Named = { destination?: string | undefined; destination_id?: string | undefined; coin?: string | undefined }

const typeOf = { bank_account: 'bank_account', other_transfer: 'other', crypto_transfer: 'crypto' } as const

export type NoDestination = { field: 'destination' | 'destination_id' | 'coin'; sentence: string }

/**
 * The member's own destination of this type, or what a provider would pay to; where there is none, in whatever way, the
 * sentence says so. It stays as it is until the transaction ends: nobody changes or removes it while a withdrawal to it is
 * being made.
 */
export async function findWithdrawalDestination(
  tx: Tx,
  member: Member,
  named: Named,
  offers: PayoutOffers,
): Promise<WithdrawalDestination | NoDestination> {
  const { destination, destination_id: id } = named
  const unknown = { field: 'destination_id', sentence: sentenceOfDestination(named) } as const
  if (id !== undefined && !z.uuid().safeParse(id).success) return unknown
  if (isProvider(destination ?? '')) return findProviderPlace(tx, member, named, offers)
  const kind = destinationTypes.find((each) => each === destination)
  if (!kind || id === undefined) return unknown
  const found = await findDestination(tx, member, { type: typeOf[kind], id })
  const sentence = found && problemOfDestination(found)
  if (sentence) return { field: 'destination_id', sentence }
  return found ? { text: wordsOf(found), usableFrom: found.usableFrom } : unknown
}

/** New is where nothing of this member's was ever paid out to. */
export async function isNewDestination(
  tx: Tx,
  member: Member,
  { destination, destination_id: id }: Named,
): Promise<boolean> {
  const paid = await tx
    .selectFrom('balance_transactions')
    .select('transaction_id')
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('type', '=', 'withdrawal')
    .where('state', '=', 'approved')
    .where('destination', '=', destination ?? '')
    .$if(id !== undefined, (query) => query.where('destination_id', '=', id ?? ''))
    .limit(1)
    .executeTakeFirst()
  return paid === undefined
}

function sentenceOfDestination({ destination }: Named): string {
  return destination === undefined ? withdrawalTexts.destinationMissing : withdrawalTexts.destinationUnknown
}
