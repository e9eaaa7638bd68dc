import { destinationTypes, withdrawalTexts } from '@atrium/contract/withdrawals.ts'
import { z } from 'zod'
import { type Destination, findDestination } from '../banking/destination.ts'
import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database.ts'

/** Where a withdrawal is to go, worded as it is on the day; `usableFrom` while it still rests. */
export type WithdrawalDestination = { text: string; usableFrom: Date | null }
type Named = { destination?: string | undefined; destination_id?: string | undefined }

const typeOf = { bank_account: 'bank_account', other_transfer: 'other', crypto_transfer: 'crypto' } as const

/**
 * The member's own destination of this type; null when there is none, in whatever way. It stays as it is until the
 * transaction ends: nobody changes or removes it while a withdrawal to it is being made.
 */
export async function findWithdrawalDestination(
  tx: Tx,
  member: Member,
  { destination, destination_id: id }: Named,
): Promise<WithdrawalDestination | null> {
  const kind = destinationTypes.find((each) => each === destination)
  if (!kind || id === undefined || !z.uuid().safeParse(id).success) return null
  const found = await findDestination(tx, member, { type: typeOf[kind], id })
  return found && { text: wordsOf(found), usableFrom: found.usableFrom }
}

/** Everything that whoever pays has to know, as the member saw it. */
function wordsOf({ description, details }: Destination): string {
  const { swift, notes } = details
  return [description, swift, notes].filter((part) => part !== null && part !== undefined && part !== '').join(', ')
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

export function sentenceOfDestination({ destination }: Named): string {
  return destination === undefined ? withdrawalTexts.destinationMissing : withdrawalTexts.destinationUnknown
}
