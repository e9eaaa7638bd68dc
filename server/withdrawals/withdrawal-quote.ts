import { identitySteps, withdrawalIdentityText } from '@atrium/contract/documents/identity-texts.ts'
import type { DocumentsStatus } from '@atrium/contract/members/states.ts'
import { isMore, toScale } from '@atrium/contract/money/money.ts'
import { providerPrefix, withoutProviderPrefix } from '@atrium/contract/payments/orders.ts'
import { texts } from '@atrium/contract/texts.ts'
import {
  isProvider,
  readWithdrawalAmount,
  ruleFor,
  type WithdrawalBlock,
  type WithdrawalQuote,
  withdrawalTexts,
} from '@atrium/contract/withdrawals/calls.ts'
import { authorize, type Member } from '../foundation/actor.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { refuseFields } from '../foundation/errors.ts'
import { isInOtherKind } from '../funding/group-kind.ts'
import { identityInTheWay } from '../funding/identity-rule.ts'
import { momentText } from '../funding/moment-text.ts'
import { selectOwnAccount } from '../funding/own-account.ts'
import {
  type PlatformAccountMetrics,
  readFree,
  readPlatformAccountMetrics,
  readReserved,
} from '../funding/withdrawable.ts'
import { peopleFor } from '../money-decisions/second-approval.ts'
import { findAdapter } from '../payment-providers/registry.ts'
import { listPayoutOffers, noOffers, type PayoutOffers } from '../payments/payouts/payout-offer.ts'
import { readProvenUntil } from '../sessions/factors/proof.ts'
import { withdrawalsHeldUntil } from '../sessions/factors/withdrawal-hold.ts'
import { readWorkspace } from '../workspaces/workspace.ts'
import { expectedTime } from './expected-time.ts'
import { paysToSourceOnly, readShares, refusalOf } from './return-to-source.ts'
import { coinError, judgeAmount, type WithdrawalAccount } from './withdrawal.ts'
import { findWithdrawalBeneficiary, isNewBeneficiary } from './withdrawal-beneficiary.ts'

type Asked = {
  trading_account: string
  amount?: string | undefined
  destination?: string | undefined
  destination_id?: string | undefined
  coin?: string | undefined
}

/**
 * The quote of a withdrawal: available amount, fee, expected time, and every obstacle with its next step. It reserves
 * and decides nothing: the submitted form is checked again.
 */
export async function quoteWithdrawal(member: Member, input: Asked): Promise<WithdrawalQuote> {
  authorize(member, 'withdraw')
  const asked = withoutEmpty(input)
  const account = await reading(member, (tx) => selectOwnAccount(tx, member, asked.trading_account).executeTakeFirst())
  if (!account) refuseFields({ trading_account: [texts.accountUnknown] })
  const metrics = await readPlatformAccountMetrics(member, account)
  const offers = account.live_account ? await listPayoutOffers(member, account.currency) : noOffers
  // Not a read-only transaction: checking the beneficiary locks it for its duration.
  return inTransaction(member, (tx) => judge(tx, member, { asked, account, metrics, offers }))
}

function withoutEmpty(input: Asked): Asked {
  const filled = Object.entries(input).filter(([, value]) => value !== '')
  return Object.fromEntries(filled) as Asked
}

type About = { asked: Asked; account: WithdrawalAccount; metrics: PlatformAccountMetrics | null; offers: PayoutOffers }

async function judge(tx: Tx, member: Member, about: About): Promise<WithdrawalQuote> {
  const { asked, account, metrics, offers } = about
  const { currency } = account
  const { settings } = await readWorkspace(tx, member)
  const scaled = (amount: string) => toScale(amount, currency)
  const free = metrics
    ? await readFree(tx, member, account.account_id, metrics)
    : { reserved: await readReserved(tx, member, account.account_id), available: null }
  const method = account.live_account ? (asked.destination ?? '') : ''
  const rule = ruleFor(account.live_account ? settings.withdrawal_rules : [], method, currency)
  const amount = asked.amount === undefined ? null : readWithdrawalAmount(asked.amount, currency)
  const known = amount && 'amount' in amount ? amount.amount : null
  const judged =
    known === null ? null : judgeAmount({ ...settings, withdrawal_rules: [rule] }, method, { amount: known, currency })
  const heldUntil = account.live_account ? await withdrawalsHeldUntil(tx, member, member.memberId) : null
  const unverified = await identityInTheWay(tx, member, { member_id: member.memberId, account_id: account.account_id })
  const { cutOff, from, until } = expectedTime(member.context.clock.now(), settings.withdrawal_cut_off)
  const asksForReturn = settings.withdrawal_return_to_source && account.live_account
  const shares = asksForReturn ? await readShares(tx, member, account, offers) : []
  const going = { destination: asked.destination, amount: known ?? '0', currency }
  const elsewhere = asksForReturn && asked.destination !== undefined ? refusalOf(shares, going) : null
  const blocks: WithdrawalBlock[] = []
  if (unverified) blocks.push(identityBlock(unverified))
  if (heldUntil) blocks.push(block('held', 'form', withdrawalTexts.held, { until: heldUntil }))
  if (await isInOtherKind(tx, member, account.account_id))
    blocks.push(block('demo_group', 'trading_account', withdrawalTexts.inDemoGroup))
  if (!metrics) blocks.push(block('platform_silent', 'trading_account', withdrawalTexts.platformSilent))
  if (amount && 'sentence' in amount) blocks.push(block('amount', 'amount', amount.sentence))
  if (judged?.sentence) blocks.push(block('limits', 'amount', judged.sentence))
  if (known !== null && free.available !== null && isMore(known, free.available))
    blocks.push(block('balance', 'amount', withdrawalTexts.balanceTooLow))
  if (elsewhere) blocks.push(block(elsewhere.code, 'destination', elsewhere.sentence))
  if (account.live_account) blocks.push(...(await blocksOfBeneficiary(tx, member, about, settings)))
  return {
    currency,
    balance: metrics && scaled(metrics.balance),
    free_margin: metrics && scaled(metrics.freeMargin),
    reserved: scaled(free.reserved),
    available: free.available === null ? null : scaled(atLeastZero(free.available)),
    read_at: metrics ? metrics.readAt.getTime() : null,
    minimum: scaled(rule.minimum),
    maximum: rule.maximum === null ? null : scaled(rule.maximum),
    fee_fixed: scaled(rule.fee_fixed),
    fee_percent: rule.fee_percent,
    fee: judged?.fee ?? null,
    net: judged?.net ?? null,
    cut_off: cutOff.getTime(),
    expected_from: from.getTime(),
    expected_until: until.getTime(),
    return_to_source: shares,
    providers: providersOf(offers, settings, currency),
    held_until: heldUntil?.getTime() ?? null,
    needs_proof: account.live_account && (await needsProof(tx, member, asked, settings.withdrawal_proof)),
    people_needed:
      known === null || !account.live_account
        ? 1
        : peopleFor(settings, { type: 'withdrawal', amount: known, currency }),
    blocks,
  }
}

const atLeastZero = (amount: string) => (isMore('0', amount) ? '0' : amount)

const nextSteps: Record<string, string> = {
  held: 'You can prepare everything now and submit it then.',
  platform_silent: 'Try again in a moment.',
  amount: 'Enter an amount with digits and a point.',
  limits: 'Change the amount.',
  demo_group: 'Contact support.',
  balance: 'Request a smaller amount, close positions, or cancel another pending withdrawal.',
  method: 'Choose another kind of destination.',
  destination: 'Choose one of your saved destinations, or add one first.',
  rests: 'Choose another destination, or try again then.',
  return_first: 'Choose that destination, or change the amount.',
  return_later: 'Try again in a moment.',
  return_blocked: 'Contact support.',
  coin: 'Choose one of the listed coins.',
}

function identityBlock(status: DocumentsStatus): WithdrawalBlock {
  const next = status === 'approved' ? '' : identitySteps[status]
  return { ...block('identity', 'form', withdrawalIdentityText(status)), next }
}

function block(code: string, field: string, text: string, { until }: { until?: Date } = {}): WithdrawalBlock {
  const sentence = until ? text.replace('{{until}}', momentText(until)) : text
  return { code, field, sentence, next: nextSteps[code] ?? '', until: until?.getTime() ?? null }
}

type Settings = Parameters<typeof judgeAmount>[0]

/** Checks only the fields that were chosen: an empty form has no error. */
async function blocksOfBeneficiary(
  tx: Tx,
  member: Member,
  { asked, account, offers }: About,
  settings: Settings,
): Promise<WithdrawalBlock[]> {
  const { destination } = asked
  if (destination === undefined) return []
  const isOffered = ruleFor(settings.withdrawal_rules, destination, account.currency).enabled
  if (!isOffered) return [block('method', 'destination', withdrawalTexts.methodClosed)]
  const blocks: WithdrawalBlock[] = []
  const coin = asked.coin === undefined ? null : coinError(settings, asked)
  if (coin) blocks.push(block('coin', 'coin', coin))
  // A return to source needs no beneficiary of the member.
  if (asked.destination_id === undefined && !takesNoBeneficiary(destination)) return blocks
  const found = await findWithdrawalBeneficiary(tx, member, asked, offers)
  const isSaidOrUnchosen = coin !== null || asked.coin === undefined
  if ('sentence' in found && found.field === 'coin' && isSaidOrUnchosen) return blocks
  if ('sentence' in found) blocks.push(block(codeOf[found.field], found.field, found.sentence))
  else if (found.usableFrom && found.usableFrom > member.context.clock.now())
    blocks.push(block('rests', 'destination_id', withdrawalTexts.beneficiaryCoolingOff, { until: found.usableFrom }))
  return blocks
}

const codeOf = { destination: 'method', destination_id: 'destination', coin: 'coin' } as const

function providersOf(offers: PayoutOffers, settings: Settings, currency: string): WithdrawalQuote['providers'] {
  return [...offers.paying.keys()].flatMap((uid) => {
    const destination = `${providerPrefix}${uid}`
    const { name, payout } = findAdapter(uid) ?? {}
    const isOpen = ruleFor(settings.withdrawal_rules, destination, currency).enabled
    return name && payout && isOpen ? [{ destination, name, to: payout.to }] : []
  })
}

const takesNoBeneficiary = (destination: string): boolean =>
  isProvider(destination) && paysToSourceOnly(withoutProviderPrefix(destination))

async function needsProof(tx: Tx, member: Member, asked: Asked, rule: Settings['withdrawal_proof']): Promise<boolean> {
  if (await readProvenUntil(tx, member)) return false
  if (rule === 'always') return true
  const isChosen = asked.destination_id !== undefined || takesNoBeneficiary(asked.destination ?? '')
  return isChosen && (await isNewBeneficiary(tx, member, asked))
}
