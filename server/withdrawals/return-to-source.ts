import { formatAmount, isMore, toScale } from '@atrium/contract/money/money.ts'
import { providerPrefix, withoutProviderPrefix } from '@atrium/contract/payments/orders.ts'
import { isProvider, type ReturnShare, withdrawalTexts } from '@atrium/contract/withdrawals/calls.ts'
import { sql } from 'kysely'
import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { findAdapter, nameOfProvider } from '../payment-providers/registry.ts'
import type { PayoutOffers } from '../payments/payouts/payout-offer.ts'

type Account = { account_id: string; currency: string }

/**
 * The amount of each provider on an account that is not returned yet: deposits that are credited, or that the platform
 * may have credited, less withdrawals to it that are completed or in progress. A withdrawal to it that staff paid by hand
 * and whose transfer came back counts again. An amount whose provider makes no payouts may go elsewhere; one whose
 * provider is unavailable waits.
 */
export async function readShares(
  tx: Tx,
  member: Member,
  { account_id, currency }: Account,
  offers: PayoutOffers,
): Promise<ReturnShare[]> {
  const { rows } = await sql<{ source: string; left: string }>`
    select replace(way, ${providerPrefix}, '') as source, sum(moved)::text as left from (
      select payment_method as way, amount as moved from balance_transactions
        where workspace_id = ${member.workspaceId} and member_id = ${member.memberId} and account_id = ${account_id}
          and type = 'deposit' and state in ('crediting', 'checking', 'approved')
          and payment_method like ${`${providerPrefix}%`}
      union all
      select destination, amount from balance_transactions
        where workspace_id = ${member.workspaceId} and member_id = ${member.memberId} and account_id = ${account_id}
          and type = 'deposit' and state in ('crediting', 'checking', 'approved') and source = 'other'
          and payment_method = 'manual' and destination like ${`${providerPrefix}%`}
      union all
      select destination, -amount from balance_transactions
        where workspace_id = ${member.workspaceId} and member_id = ${member.memberId} and account_id = ${account_id}
          and type = 'withdrawal' and state not in ('rejected', 'cancelled') and destination like ${`${providerPrefix}%`}
    ) as each group by 1 order by 1`.execute(tx)
  const isBroken = (source: string) => offers.unavailable.get(source) === 'misconfigured'
  return rows
    .filter(({ left }) => isMore(left, '0'))
    .map(({ source, left }) => {
      const [is_returnable, why] = offers.paying.has(source)
        ? [true, withdrawalTexts.returnsFirst]
        : offers.unavailable.has(source)
          ? [true, isBroken(source) ? withdrawalTexts.returnsBlocked : withdrawalTexts.returnsLater]
          : [false, withdrawalTexts.cannotReturn]
      return { source, amount: toScale(left, currency), is_returnable, why }
    })
}

type Going = { destination: string | undefined; amount: string; currency: string }

type Refused = { code: 'return_first' | 'return_later' | 'return_blocked'; sentence: string }

/** The refusal of each share that waits. */
const waits = new Map<string, string>([
  [withdrawalTexts.returnsLater, withdrawalTexts.returnLater],
  [withdrawalTexts.returnsBlocked, withdrawalTexts.returnBlocked],
])
const codes = new Map<string, Refused['code']>([
  [withdrawalTexts.returnLater, 'return_later'],
  [withdrawalTexts.returnBlocked, 'return_blocked'],
])

/** Why this amount cannot go to this beneficiary yet; null if it can. */
export function refusalOf(
  shares: readonly ReturnShare[],
  { destination = '', amount, currency }: Going,
): Refused | null {
  const owed = shares.filter(({ is_returnable }) => is_returnable)
  const refusal = (text: string, { source, amount: left }: Pick<ReturnShare, 'source' | 'amount'>): Refused => ({
    code: codes.get(text) ?? 'return_first',
    sentence: text
      .replace('{{amount}}', `${formatAmount(left, currency)} ${currency}`)
      .replace('{{source}}', nameOfProvider({ app_uid: source })),
  })
  const here = isProvider(destination) ? withoutProviderPrefix(destination) : null
  const first = owed.find(({ source }) => source !== here)
  const own = owed.find(({ source }) => source === here)
  if (here === null || !own) {
    if (first) return refusal(waits.get(first.why) ?? withdrawalTexts.returnFirst, first)
    // Nothing is left to return there, and the means of payment receives at most what it paid.
    return here !== null && paysToSourceOnly(here)
      ? refusal(withdrawalTexts.returnsNoMore, { source: here, amount: '0' })
      : null
  }
  const isLimited = first !== undefined || paysToSourceOnly(own.source)
  return isLimited && isMore(amount, own.amount) ? refusal(withdrawalTexts.returnsNoMore, own) : null
}

/** A payout that returns to its source accepts no other beneficiary. */
export const paysToSourceOnly = (uid: string): boolean => findAdapter(uid)?.payout?.to === 'source'
