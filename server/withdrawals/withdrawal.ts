import type { FieldErrors } from '@atrium/contract/error-codes.ts'
import { formatAmount, isMore } from '@atrium/contract/money/money.ts'
import { withoutProviderPrefix } from '@atrium/contract/payments/orders.ts'
import { texts } from '@atrium/contract/texts.ts'
import {
  feeOf,
  isProvider,
  readWithdrawalAmount,
  ruleFor,
  type WithdrawalInput,
  withdrawalTexts,
} from '@atrium/contract/withdrawals/calls.ts'
import { authorize, type Member } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { nextNumber } from '../foundation/database/counters.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { lockOwnMember } from '../foundation/database/member-lock.ts'
import { refuse, refuseFields } from '../foundation/errors.ts'
import { reach } from '../foundation/failpoint.ts'
import { newId } from '../foundation/ids.ts'
import { isInOtherKind } from '../funding/group-kind.ts'
import { refuseWithoutIdentity } from '../funding/identity-rule.ts'
import { momentText } from '../funding/moment-text.ts'
import { selectOwnAccount } from '../funding/own-account.ts'
import { recordEvent } from '../funding/transaction.ts'
import {
  lockAccount,
  type PlatformAccountMetrics,
  readFree,
  readPlatformAccountMetrics,
  refuseSilentPlatform,
} from '../funding/withdrawable.ts'
import { notifyOwner } from '../funding/withdrawal-notifications.ts'
import { peopleFor } from '../money-decisions/second-approval.ts'
import { findAdapter } from '../payment-providers/registry.ts'
import { listPayoutOffers, noOffers, type PayoutOffers } from '../payments/payouts/payout-offer.ts'
import { requireProof } from '../sessions/factors/proof.ts'
import { withdrawalsHeldUntil } from '../sessions/factors/withdrawal-hold.ts'
import { claimUniqueToken } from '../sessions/unique-token.ts'
import { readWorkspace, type Workspace } from '../workspaces/workspace.ts'
import { usualCoin } from './coins.ts'
import { readShares, refusalOf } from './return-to-source.ts'
import { findWithdrawalBeneficiary, isNewBeneficiary } from './withdrawal-beneficiary.ts'

export type RequestedWithdrawal = { _id: string; ticket: string; status: 'pending'; coin?: string }
export type Settings = Workspace['settings']

/** How often the platform is queried again because a new debit was recorded meanwhile. */
const readsMax = 3

/**
 * Requests a withdrawal, which is pending and reserves its amount. The platform is queried just before, outside of any
 * transaction; then the account is locked, so that simultaneous requests see each other's reservations.
 */
export async function requestWithdrawal(member: Member, input: WithdrawalInput): Promise<RequestedWithdrawal> {
  authorize(member, 'withdraw')
  const request = { input, offers: await findOffers(member, input) }
  for (let reads = 1; ; reads++) {
    const before = await inTransaction(member, (tx) => claimAndCheck(tx, member, request))
    if (before.earlier) return before.earlier // A repeated form returns the first withdrawal without querying the platform.
    const metrics = await readPlatformAccountMetrics(member, before.account)
    if (!metrics) {
      // Another copy of this form may have succeeded meanwhile, or be about to: it holds the member's lock.
      const { earlier } = await inTransaction(member, async (tx) => {
        await lockOwnMember(tx, member)
        return claimAndCheck(tx, member, request)
      })
      return earlier ?? refuseSilentPlatform()
    }
    const done = await inTransaction(member, (tx) =>
      reserve(tx, member, request, { metrics, mayReadAgain: reads < readsMax }),
    )
    if (done === 'read again') continue
    await reach('withdrawal.committed')
    if (!before.account.live_account) member.context.jobs.wake('funding.debit-demo')
    return done
  }
}

/** Connects providers outside of any transaction, and only where they matter. */
async function findOffers(
  member: Member,
  input: Pick<Readable, 'destination'> & { trading_account: string },
): Promise<PayoutOffers> {
  const asked = await reading(member, async (tx) => ({
    account: await selectOwnAccount(tx, member, input.trading_account).executeTakeFirst(),
    settings: (await readWorkspace(tx, member)).settings,
  }))
  const matters = isProvider(input.destination ?? '') || asked.settings.withdrawal_return_to_source
  return matters && asked.account?.live_account ? listPayoutOffers(member, asked.account.currency) : noOffers
}

type Request = { input: WithdrawalInput; offers: PayoutOffers }

async function claimAndCheck(tx: Tx, member: Member, { input, offers }: Request) {
  const { nonce_token: token, ...body } = input
  const claim = await claimUniqueToken<RequestedWithdrawal>(tx, member, {
    token,
    purpose: 'transaction_withdrawal',
    body,
  })
  if (claim.earlier) return { earlier: claim.earlier }
  return { earlier: null, keep: claim.keep, ...(await checkWithdrawal(tx, member, input, offers)) }
}

type Reading = { metrics: PlatformAccountMetrics; mayReadAgain: boolean }

async function reserve(
  tx: Tx,
  member: Member,
  request: Request,
  { metrics, mayReadAgain }: Reading,
): Promise<RequestedWithdrawal | 'read again'> {
  const { input } = request
  await lockOwnMember(tx, member)
  const checked = await claimAndCheck(tx, member, request)
  if (checked.earlier) return checked.earlier
  await lockAccount(tx, member, checked.account.account_id)
  const free = await readFree(tx, member, checked.account.account_id, metrics)
  if (isMore(checked.amount, free.available)) {
    if (free.sawNewDebits && mayReadAgain) return 'read again'
    refuseFields({ amount: [withdrawalTexts.balanceTooLow] })
  }
  await refuseAnotherWay(tx, member, request, checked)
  const requested = await insertWithdrawal(tx, member, input, checked)
  await checked.keep(requested)
  await reach('withdrawal.before-commit')
  return requested
}

/** Runs with the account locked, so that the second of two simultaneous requests sees what the first returns. */
async function refuseAnotherWay(tx: Tx, member: Member, { input, offers }: Request, { account, amount }: Checked) {
  const { settings } = await readWorkspace(tx, member)
  if (!settings.withdrawal_return_to_source || !account.live_account) return
  const shares = await readShares(tx, member, account, offers)
  const { destination } = input
  const refused = refusalOf(shares, { destination, amount, currency: account.currency })
  if (refused) refuseFields({ destination: [refused.sentence] })
}

export type WithdrawalAccount = NonNullable<
  Awaited<ReturnType<ReturnType<typeof selectOwnAccount>['executeTakeFirst']>>
>

type Checked = {
  account: WithdrawalAccount
  amount: string
  fee: string
  beneficiaryText: string | null
  coin: string | null
  peopleNeeded: number
}

/** Checks everything except the available amount, which needs the platform. One answer lists every wrong field. */
async function checkWithdrawal(tx: Tx, member: Member, input: WithdrawalInput, offers: PayoutOffers): Promise<Checked> {
  const account = await selectOwnAccount(tx, member, input.trading_account).executeTakeFirst()
  if (!account) refuseFields({ trading_account: [texts.accountUnknown] })
  const { settings } = await readWorkspace(tx, member)
  const amount = readWithdrawalAmount(input.amount, account.currency)
  if (!account.live_account) {
    const errors = await judgeDemo(tx, member, account, input.amount)
    if ('sentence' in amount || errors.trading_account) refuseFields(errors)
    return { account, amount: amount.amount, fee: '0', beneficiaryText: null, coin: null, peopleNeeded: 1 }
  }
  await refuseWithoutIdentity(tx, member, account.account_id)
  const judged = await judgeWithdrawal(tx, member, input, { settings, account, offers })
  const { fee, beneficiaryText, coin, errors } = judged
  if (fee === null || !beneficiaryText || 'sentence' in amount || Object.keys(errors).length > 0) refuseFields(errors)
  await refuseHeld(tx, member)
  const isNew = await isNewBeneficiary(tx, member, input)
  if (isNew || settings.withdrawal_proof === 'always') await requireProof(tx, member)
  const { currency } = account
  const peopleNeeded = peopleFor(settings, { type: 'withdrawal', amount: amount.amount, currency })
  return { account, amount: amount.amount, fee, beneficiaryText, coin, peopleNeeded }
}

type Readable = { [Field in keyof WithdrawalInput]?: WithdrawalInput[Field] | undefined }

/** Demo funds are removed without a payout, which must not happen to what may be real money. */
async function judgeDemo(tx: Tx, member: Member, { account_id, currency }: WithdrawalAccount, typed: unknown) {
  const amount = readWithdrawalAmount(typed, currency)
  const errors: FieldErrors = {}
  if ('sentence' in amount) errors.amount = [amount.sentence]
  if (await isInOtherKind(tx, member, account_id)) errors.trading_account = [withdrawalTexts.inDemoGroup]
  return errors
}

/** Amount and beneficiary of a withdrawal from a live account, as far as they are given. */
async function judgeWithdrawal(tx: Tx, member: Member, input: Readable, about: Omit<About, 'errors'>) {
  const { settings, account } = about
  const errors: FieldErrors = {}
  const amount = readWithdrawalAmount(input.amount, account.currency)
  const judged = 'sentence' in amount ? null : judgeAmount(settings, input.destination, { ...account, ...amount })
  const sentence = 'sentence' in amount ? amount.sentence : (judged?.sentence ?? null)
  if (sentence) errors.amount = [sentence]
  if (await isInOtherKind(tx, member, account.account_id)) errors.trading_account = [withdrawalTexts.inDemoGroup]
  const coin = input.coin ?? (await usualCoin(tx, member, input))
  const beneficiaryText = await checkBeneficiary(tx, member, { ...input, coin }, { ...about, errors })
  const paidIn = goesOutInCoins(input.destination ?? null) ? (coin ?? null) : null
  return { errors, fee: judged?.fee ?? null, beneficiaryText, coin: paidIn }
}

/** Database checks for a form that the call's schema already refused. */
export async function validateWithdrawal(member: Member, readable: Readable): Promise<FieldErrors> {
  authorize(member, 'withdraw')
  const { trading_account } = readable
  if (trading_account === undefined) return {}
  const offers = await findOffers(member, { ...readable, trading_account })
  return inTransaction(member, async (tx) => {
    const account = await selectOwnAccount(tx, member, trading_account).executeTakeFirst()
    if (!account) return { trading_account: [texts.accountUnknown] }
    const { settings } = await readWorkspace(tx, member)
    if (account.live_account) return (await judgeWithdrawal(tx, member, readable, { settings, account, offers })).errors
    return judgeDemo(tx, member, account, readable.amount)
  })
}

type Money = { amount: string; currency: string }

/** Fee and limits of one method; `sentence` gives the reason of a refusal with its amount. */
export function judgeAmount(settings: Settings, destination: string | undefined, { amount, currency }: Money) {
  const rule = ruleFor(settings.withdrawal_rules, destination ?? '', currency)
  const { fee, net } = feeOf(rule, amount, currency)
  const fillIn = (text: string, value: string) =>
    text.replace('{{amount}}', `${formatAmount(value, currency)} ${currency}`)
  let sentence: string | null = null
  if (isMore(rule.minimum, amount)) sentence = fillIn(withdrawalTexts.belowMinimum, rule.minimum)
  else if (rule.maximum !== null && isMore(amount, rule.maximum))
    sentence = fillIn(withdrawalTexts.aboveMaximum, rule.maximum)
  else if (!isMore(net, '0')) sentence = fillIn(withdrawalTexts.nothingLeft, fee)
  return { rule, fee, net, sentence }
}

type About = { settings: Settings; account: WithdrawalAccount; errors: FieldErrors; offers: PayoutOffers }

async function checkBeneficiary(
  tx: Tx,
  member: Member,
  input: Pick<WithdrawalInput, 'destination' | 'destination_id' | 'coin'>,
  { settings, account, errors, offers }: About,
): Promise<string | null> {
  const { destination } = input
  if (destination === undefined) errors.destination = [withdrawalTexts.beneficiaryMissing]
  else if (!ruleFor(settings.withdrawal_rules, destination, account.currency).enabled)
    errors.destination = [withdrawalTexts.methodClosed]
  if (errors.destination) return null
  const coin = coinError(settings, input)
  if (coin) errors.coin = [coin]
  const found = await findWithdrawalBeneficiary(tx, member, input, offers)
  if ('sentence' in found) errors[found.field] = [found.sentence]
  else if (found.usableFrom && found.usableFrom > member.context.clock.now())
    errors.destination_id = [withdrawalTexts.beneficiaryCoolingOff.replace('{{until}}', momentText(found.usableFrom))]
  return 'text' in found && !errors.destination_id && !errors.coin ? found.text : null
}

export function coinError(settings: Settings, { destination, coin }: Pick<WithdrawalInput, 'destination' | 'coin'>) {
  if (destination !== 'crypto_transfer') return null
  if (coin === undefined) return withdrawalTexts.coinMissing
  return settings.withdrawal_coins.includes(coin) ? null : withdrawalTexts.coinUnknown
}

const goesOutInCoins = (destination: string | null): boolean =>
  destination === 'crypto_transfer' ||
  (isProvider(destination ?? '') && findAdapter(withoutProviderPrefix(destination ?? ''))?.payout?.to === 'crypto')

async function refuseHeld(tx: Tx, member: Member): Promise<void> {
  const until = await withdrawalsHeldUntil(tx, member, member.memberId)
  if (!until) return
  const sentence = withdrawalTexts.held.replace('{{until}}', momentText(until))
  refuse('withdrawals_held', sentence, { errors: { form: [sentence] } })
}

async function insertWithdrawal(
  tx: Tx,
  member: Member,
  input: WithdrawalInput,
  { account, amount, fee, beneficiaryText, coin, peopleNeeded }: Checked,
): Promise<RequestedWithdrawal> {
  const now = member.context.clock.now()
  const place = { workspace_id: member.workspaceId, member_id: member.memberId, transaction_id: newId() }
  const ticket = await nextNumber(tx, member, 'transaction')
  const isLive = account.live_account
  const destination = isLive ? (input.destination ?? null) : null
  await tx
    .insertInto('balance_transactions')
    .values({
      ...place,
      ticket,
      account_id: account.account_id,
      type: 'withdrawal',
      amount,
      fee,
      currency: account.currency,
      state: 'pending',
      source: 'client',
      payment_method: destination !== null && isProvider(destination) ? destination : 'manual',
      comment: input.comment,
      destination,
      destination_id: isLive ? (input.destination_id ?? null) : null,
      destination_text: beneficiaryText,
      coin,
      approvals_needed: peopleNeeded,
      asked_from: member.address ?? null,
      created_at: now,
    })
    .execute()
  await recordEvent(tx, member, place, 'withdrawal.requested')
  await audit(tx, member, {
    action: 'withdrawal.requested',
    subject: { kind: 'balance_transaction', id: place.transaction_id },
    after: { ticket, amount, fee, currency: account.currency, account: account.account_id, destination },
  })
  const data = { workspaceId: member.workspaceId, id: place.transaction_id }
  await notifyOwner(tx, member, place.transaction_id, { what: 'requested' })
  if (!isLive) await member.context.jobs.enqueue(tx, 'funding.debit-demo', data)
  return { _id: place.transaction_id, ticket, status: 'pending', ...(coin !== null && { coin }) }
}
