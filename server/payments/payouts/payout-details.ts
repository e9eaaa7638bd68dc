import { fitsWallet } from '@atrium/contract/banking/coin-addresses.ts'
import { toScale } from '@atrium/contract/money/money.ts'
import { asciiEmail } from '@atrium/contract/validators/reach.ts'
import { withdrawalTexts } from '@atrium/contract/withdrawals/calls.ts'
import { sql } from 'kysely'
import {
  type Beneficiary,
  describeBeneficiary,
  findBeneficiary,
  matchesDescription,
  problemOfBeneficiary,
} from '../../banking/beneficiary.ts'
import type { Actor, Member, System } from '../../foundation/actor.ts'
import type { Tx } from '../../foundation/database/database.ts'
import {
  type Payer,
  PaymentProblem,
  type PayoutNeed,
  type PayoutToStart,
  type PayoutWay,
} from '../../payment-providers/contract.ts'
import { withoutSpaces } from '../../payment-providers/messages.ts'
import { findAdapter } from '../../payment-providers/registry.ts'
import { readWorkspace } from '../../workspaces/workspace.ts'
import { coinsIn } from '../coins.ts'
import { findProvider, type ProviderRow, readProvider } from '../connections/provider.ts'
import { notifyUrl } from '../connections/urls.ts'
import type { Order } from '../order.ts'
import type { HeldPayout } from './payout-order.ts'

type OfPayer = 'phone' | 'country'
type Place = Pick<PayoutToStart, Exclude<PayoutNeed, OfPayer> | 'coin' | 'tag' | 'source' | 'bankAddress'>
type Wanted = {
  memberId: string
  uid: string
  providerId: string
  beneficiaryId: string | null
  coin: string | null
  /** The words of the beneficiary that was approved. */
  approved?: string | null
}

/** `text` is stored with the withdrawal as the member saw it. */
export type FoundPlace = { place: Place; text: string; usableFrom: Date | null }

const nowhere: Place = {
  account: '',
  holder: '',
  bankName: null,
  bankCode: null,
  swift: null,
  tag: null,
  coin: null,
  source: null,
}

/** The beneficiary that the provider would pay; otherwise a sentence about what is missing or wrong. */
export async function findPlace(tx: Tx, actor: Actor, wanted: Wanted): Promise<FoundPlace | { sentence: string }> {
  const found = await locate(tx, actor, wanted)
  if ('sentence' in found || found.beneficiary?.type !== 'crypto') return found
  const { place, beneficiary, ...rest } = found
  const { providerId } = wanted
  const sentence =
    problemOfBeneficiary(beneficiary) ??
    (await coinProblemOf(tx, actor, { ...place, providerId, wallet: beneficiary.currency }))
  return sentence ? { sentence } : { place, ...rest }
}

/** `beneficiary` is null for a payout to the source of a deposit. */
type Located = FoundPlace & { beneficiary: Beneficiary | null }

async function locate(
  tx: Tx,
  actor: Actor,
  { memberId, uid, providerId, beneficiaryId, coin, approved = null }: Wanted,
): Promise<Located | { sentence: string }> {
  const way = findAdapter(uid)?.payout
  if (!way) return { sentence: withdrawalTexts.methodClosed }
  const payee = way.needs.some(isOfPayer) ? await readPayee(tx, actor, memberId) : null
  if (payee && way.needs.some((need) => isOfPayer(need) && payee[need] === ''))
    return { sentence: withdrawalTexts.profileLacks }
  if (way.to === 'source') {
    const source = await findSource(tx, actor, { memberId, uid, providerId, approved })
    if (!source) return { sentence: withdrawalTexts.nothingToReturn }
    return { place: { ...nowhere, source }, text: textOfSource(uid, source), usableFrom: null, beneficiary: null }
  }
  const found = beneficiaryId
    ? await findBeneficiary(tx, { workspaceId: actor.workspaceId, memberId }, { type: way.to, id: beneficiaryId })
    : null
  if (!found) return { sentence: withdrawalTexts.beneficiaryUnknown }
  const place = { ...nowhere, ...placeOf(way, found.details), coin }
  const missing = way.needs.filter((need) => !isOfPayer(need) && !place[need])
  if (missing.length > 0 || way.account?.test(place.account) === false)
    return { sentence: withdrawalTexts.beneficiaryLacks }
  return { place, text: describeBeneficiary(found), usableFrom: found.usableFrom, beneficiary: found }
}

type InCoin = { providerId: string; coin: string | null; account: string; wallet: string }

/** Coins sent to an address of another coin or network are lost, so the coin must match this wallet. */
async function coinProblemOf(
  tx: Tx,
  actor: Actor,
  { providerId, coin, account, wallet }: InCoin,
): Promise<string | null> {
  if (coin === null) return withdrawalTexts.coinMissing
  const offered = coinsIn(await readProvider(tx, actor, providerId))
  const isOffered = offered.some(({ code }) => code === coin)
  return isOffered && fitsWallet(coin, { currency: wallet, address: account }) ? null : withdrawalTexts.coinUnknown
}

const isOfPayer = (need: PayoutNeed): need is OfPayer => need === 'phone' || need === 'country'

function placeOf({ to }: PayoutWay, details: Record<string, string | null>): Partial<Place> {
  if (to !== 'bank_account')
    return { account: details.address_id ?? '', holder: details.name ?? '', tag: details.address_tag ?? null }
  return {
    account: details.iban_number ?? details.bank_account ?? '',
    holder: details.account_holder ?? '',
    bankName: details.bank_name ?? null,
    swift: details.swift ?? null,
    bankAddress: {
      street: details.address_line_1 ?? null,
      city: details.city ?? null,
      state: details.state ?? null,
      branch: details.bank_branch ?? null,
      postcode: details.postcode ?? null,
      routingNumber: details.routing_number ?? null,
    },
  }
}

/**
 * The account number of a payout's beneficiary without blanks; null if it no longer exists. Includes a beneficiary that
 * would be refused today, because money may be on its way there.
 */
export async function readAccountOf(
  tx: Tx,
  system: System,
  payout: HeldPayout['payout'],
  withdrawal: HeldPayout['withdrawal'],
): Promise<string | null> {
  const found = await locate(tx, system, wantedBy(withdrawal, await readProvider(tx, system, payout.provider_id)))
  return 'place' in found ? withoutSpaces(found.place.account) : null
}

/** Whether the provider would pay another beneficiary than the one that was approved. False if it would pay none. */
export async function isBeneficiaryChanged(
  tx: Tx,
  system: System,
  withdrawal: HeldPayout['withdrawal'],
  provider: ProviderRow,
): Promise<boolean> {
  const found = await locate(tx, system, wantedBy(withdrawal, provider))
  if ('sentence' in found) return false
  const { destination_text, created_at } = withdrawal
  const approved = destination_text ?? ''
  if (!found.beneficiary) return found.text !== approved
  // A change of where the money goes starts a new cooling-off period, even one of no hours.
  return found.beneficiary.usableFrom > created_at || !matchesDescription(found.beneficiary, approved)
}

function wantedBy(
  withdrawal: HeldPayout['withdrawal'],
  { app_uid: uid, provider_id: providerId }: ProviderRow,
): Wanted {
  const { member_id: memberId, destination_id: beneficiaryId, destination_text: approved, coin } = withdrawal
  return { memberId, uid, providerId, beneficiaryId, coin, approved }
}

type Source = Pick<Wanted, 'memberId' | 'uid' | 'providerId'> & { approved: string | null }

/**
 * The paid deposit by which the provider identifies the means of payment: the one that was approved, otherwise the
 * member's last one.
 */
async function findSource(tx: Tx, actor: Actor, { memberId, uid, providerId, approved }: Source) {
  const row = await tx
    .selectFrom('deposit_orders')
    .select(['attempt', 'reference'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('member_id', '=', memberId)
    .where('provider_id', '=', providerId)
    .where('state', '=', 'paid')
    .$if(approved !== null, (query) =>
      query.orderBy(sql`concat(${uid}::text, ', ', coalesce(reference, attempt)) = ${approved}::text`, 'desc'),
    )
    .orderBy('created_at', 'desc')
    .orderBy('order_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

const textOfSource = (uid: string, source: Pick<Order, 'reference' | 'attempt'>): string =>
  `${uid}, ${source.reference ?? source.attempt}`

/** The words of the source that a provider would return money to now; null if it pays to beneficiaries, or there is none. */
export async function describeSource(tx: Tx, member: Member, uid: string): Promise<string | null> {
  const provider = findAdapter(uid)?.payout?.to === 'source' ? await findProvider(tx, member, uid) : null
  if (!provider) return null
  const { provider_id: providerId } = provider
  const source = await findSource(tx, member, { memberId: member.memberId, uid, providerId, approved: null })
  return source && textOfSource(uid, source)
}

/** All data for the call, read in the transaction that claims the payout for sending. */
export async function readPayoutToStart(
  tx: Tx,
  system: System,
  { payout, withdrawal }: HeldPayout,
  provider: ProviderRow,
): Promise<PayoutToStart> {
  const found = await findPlace(tx, system, wantedBy(withdrawal, provider))
  if ('sentence' in found) throw new PaymentProblem('misconfigured', found.sentence)
  const workspace = await readWorkspace(tx, system)
  const { config, clock } = system.context
  return {
    ...found.place,
    attempt: payout.attempt,
    amount: toScale(payout.amount, payout.currency),
    currency: payout.currency,
    description: `Withdrawal ${withdrawal.ticket}`,
    payer: { ...(await readPayee(tx, system, withdrawal.member_id)), ip: withdrawal.asked_from ?? '127.0.0.1' },
    notify: notifyUrl(config, workspace, provider.app_uid),
    at: clock.now(),
  }
}

/** The beneficiary's personal data from the profile. */
async function readPayee(tx: Tx, { workspaceId }: Actor, id: string): Promise<Omit<Payer, 'ip'>> {
  const person = await tx
    .selectFrom('members')
    .select(['email', 'first_name', 'last_name', 'phones', 'language'])
    .where('workspace_id', '=', workspaceId)
    .where('member_id', '=', id)
    .executeTakeFirstOrThrow()
  const home = await tx
    .selectFrom('member_addresses')
    .select(['country_code', 'city', 'address_line_1', 'state', 'postcode'])
    .where('workspace_id', '=', workspaceId)
    .where('member_id', '=', id)
    .where('removed_at', 'is', null)
    .orderBy('is_primary', 'desc')
    .orderBy('address_id')
    .executeTakeFirst()
  return {
    id,
    email: asciiEmail(person.email),
    firstName: person.first_name,
    lastName: person.last_name,
    phone: person.phones[0] ?? '',
    country: home?.country_code ?? '',
    city: home?.city ?? '',
    address: home?.address_line_1 ?? '',
    zip: home?.postcode ?? null,
    state: home?.state ?? null,
    language: person.language ?? 'en',
  }
}
