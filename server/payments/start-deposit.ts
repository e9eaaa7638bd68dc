import { randomBytes } from 'node:crypto'
import { accountTexts } from '@atrium/contract/accounts/texts.ts'
import { amountTexts } from '@atrium/contract/deposits/calls.ts'
import type { FieldErrors } from '@atrium/contract/error-codes.ts'
import { addAmounts, formatAmount, readAmount, toScale } from '@atrium/contract/money/money.ts'
import { paymentFee } from '@atrium/contract/payments/fee.ts'
import { withoutProviderPrefix } from '@atrium/contract/payments/orders.ts'
import type { StartDepositInput } from '@atrium/contract/payments/start-deposit.ts'
import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { authorize, type Member, systemFor } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { lockOwnMember } from '../foundation/database/member-lock.ts'
import { refuse, refuseFields } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { holdsDemoFunds } from '../funding/group-kind.ts'
import { depositIdentityProblem } from '../funding/identity-rule.ts'
import { selectOwnAccount } from '../funding/own-account.ts'
import { describeProblem } from '../observability/log.ts'
import type { Coin, OrderToStart, PaymentProvider, PaymentWay, Redirect } from '../payment-providers/contract.ts'
import { claimUniqueToken } from '../sessions/unique-token.ts'
import { readWorkspace } from '../workspaces/workspace.ts'
import { coinsOf } from './coins.ts'
import { type CurrencyRow, isWithin, type ProviderRow, selectTerms } from './connections/provider.ts'
import { urlsOf } from './connections/urls.ts'
import { type Order, orderLifeMs, startLeaseMs } from './order.ts'
import { redirectOf, startOrder } from './order-start.ts'
import { readPayer } from './payer.ts'
import { insertTransaction } from './transaction.ts'

/** The defaults that were chosen for the client, returned in the answer. */
type Chosen = { way?: string; coin?: string }
export type StartedDeposit = { order: string; redirect: Redirect } & Chosen

/**
 * A member's deposit at a payment provider: commits the order and its transaction, then requests the payment page.
 * Status, source, type and beneficiary sent by the client are ignored.
 */
export async function startDeposit(member: Member, input: StartDepositInput): Promise<StartedDeposit> {
  authorize(member, 'deposit')
  const written = await writeOrder(member, input)
  if (!written.provider) {
    const { order, ...chosen } = written.earlier
    return { order, redirect: await redirectOf(member, order), ...chosen }
  }
  const { row, provider, wanted, chosen } = written
  return { order: row.order_id, redirect: await startOrder(systemFor(member), row, provider, wanted), ...chosen }
}

/** Database checks for a form that the call's schema already refused. */
export async function validateDepositStart(member: Member, readable: Partial<StartDepositInput>): Promise<FieldErrors> {
  authorize(member, 'deposit')
  const { payment_method: method } = readable
  const connected = method ? await connectTo(member, withoutProviderPrefix(method)) : nobody
  const judged = await reading(member, (tx) => judgeDeposit(tx, member, readable, connected))
  return 'errors' in judged ? judged.errors : {}
}

type StoredOrder = { order: string } & Chosen
type Written =
  | { provider: null; earlier: StoredOrder }
  | { provider: PaymentProvider; row: Order; wanted: OrderToStart; chosen: Chosen }

async function writeOrder(member: Member, input: StartDepositInput): Promise<Written> {
  const { nonce_token: token, ...body } = input
  // Connects before the transaction: an unreachable provider gets no order.
  const connected = await connectTo(member, withoutProviderPrefix(input.payment_method))
  return inTransaction(member, async (tx) => {
    // Locked first, in the lock order of an erasure; both statements are pipelined.
    const [, claim] = await Promise.all([
      lockOwnMember(tx, member),
      claimUniqueToken<StoredOrder>(tx, member, { token, purpose: 'transaction_deposit', body }),
    ])
    if (claim.earlier) return { provider: null, earlier: claim.earlier }
    // All reads come first, in one batch: taking the ticket number blocks the workspace's other inserts.
    const [checked, payer, workspace] = await Promise.all([
      checkDeposit(tx, member, input, connected),
      readPayer(tx, member, input),
      readWorkspace(tx, member),
      refuseTooMany(tx, member),
    ])
    const { provider } = connected
    if (!provider) refuse('unavailable', paymentTexts.unavailable)
    const orderId = newId()
    const inserting = insertOrder(tx, member, input, { ...checked, orderId })
    const { way, coin } = checked
    const chosen = { ...(way !== null && { way }), ...(coin !== null && { coin }) }
    const [{ row, ticket }] = await Promise.all([inserting, claim.keep({ order: orderId, ...chosen })])
    const urls = urlsOf(member.context.config, workspace, { orderId, uid: checked.provider.app_uid })
    return { provider, row, chosen, wanted: describeOrder(row, { ticket, way, payer, urls, at: row.created_at }) }
  })
}

/**
 * Each order is a call to the provider, and many queries while nobody pays it; a provider limits the calls of the whole
 * brokerage, so one member's orders could keep everybody from paying. The caller holds the member's row.
 */
export const dailyOrdersMax = 100
const dayMs = 24 * 3_600_000

async function refuseTooMany(tx: Tx, member: Member): Promise<void> {
  const since = new Date(member.context.clock.now().getTime() - dayMs)
  const oldest = await tx
    .selectFrom('deposit_orders')
    .select('created_at')
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .offset(dailyOrdersMax - 1)
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return
  const retryAfterSeconds = Math.max(1, Math.ceil((oldest.created_at.getTime() - since.getTime()) / 1_000))
  refuse('too_many_requests', 'You have started many payments today. Please try again tomorrow.', { retryAfterSeconds })
}

type Description = Pick<OrderToStart, 'payer' | 'urls' | 'at'> & { ticket: string; way: string | null }

/** The data for the provider call, which runs outside of the transaction. */
function describeOrder(row: Order, { ticket, way, ...rest }: Description): OrderToStart {
  return {
    attempt: row.attempt,
    amount: toScale(row.charge, row.currency),
    currency: row.currency,
    ...(row.coin !== null && { coin: row.coin }),
    ...(way !== null && { way }),
    description: `Deposit ${ticket}`,
    ...rest,
  }
}

/** The provider row, its connection, and the accepted coins if it takes coins. */
type Connected = { row: ProviderRow | null; provider: PaymentProvider | null; coins: readonly Coin[] | null }

const nobody: Connected = { row: null, provider: null, coins: null }

/** No connection for a misconfigured provider: the log has the reason, and the member sees it as unavailable. */
async function connectTo(member: Member, uid: string): Promise<Connected> {
  const { log, providers } = member.context
  const found = await providers.find(member, uid)
  const row = found?.row.enabled ? found.row : null
  const away = { row, provider: null, coins: null }
  if (!found || !row) return away
  try {
    const provider = found.connect()
    // With an open circuit the member gets an immediate error and no order is created.
    if (providers.circuitState(member, row.provider_id)?.isCircuitOpen) return away
    return { row, provider, coins: await coinsOf(member, row, provider) }
  } catch (problem) {
    log.error({ err: describeProblem(problem), provider: uid }, 'a payment provider is misconfigured')
    return away
  }
}

type Checked = {
  amount: string
  currency: string
  coin: string | null
  way: string | null
  provider: ProviderRow
  fee: string
}

async function checkDeposit(tx: Tx, member: Member, input: StartDepositInput, connected: Connected): Promise<Checked> {
  const judged = await judgeDeposit(tx, member, input, connected)
  return 'errors' in judged ? refuseFields(judged.errors) : judged
}

/** Checks that need the database; one answer lists every wrong field. */
async function judgeDeposit(
  tx: Tx,
  member: Member,
  input: Partial<StartDepositInput>,
  { row: provider, provider: connected, coins }: Connected,
): Promise<Checked | { errors: FieldErrors }> {
  const errors: FieldErrors = {}
  const [account, offered] = await Promise.all([
    input.trading_account ? selectOwnAccount(tx, member, input.trading_account).executeTakeFirst() : undefined,
    // In every currency, because the currency depends on the account.
    provider ? selectTerms(tx, member, provider.provider_id).selectAll().execute() : [],
  ])
  if (!account) errors.trading_account = [texts.accountUnknown]
  else if (!account.live_account) errors.trading_account = [accountTexts.accountDemo]
  else if (await holdsDemoFunds(tx, member, account.account_id)) errors.trading_account = [accountTexts.inDemoGroup]
  const currency = account?.currency ?? 'USD'
  const amount = readAmount(input.amount, currency)
  if ('problem' in amount) errors.amount = [amountTexts[amount.problem]]
  if (!provider) errors.payment_method = [paymentTexts.providerUnknown]
  const terms = offered.find((offer) => offer.currency === currency)
  if (provider && account && !terms)
    errors.payment_method = [paymentTexts.currencyNotOffered.replace('{{currency}}', currency)]
  if (terms && 'amount' in amount && !isWithin(amount.amount, terms)) errors.amount = [outside(terms)]
  const { memberId } = member
  const waits =
    account?.live_account && 'amount' in amount
      ? await depositIdentityProblem(tx, member, { memberId, amount: amount.amount, currency })
      : null
  if (waits) errors.amount ??= [waits]
  const coin = coins && (input.crypto_currency || usualCoin(coins, currency))
  const coinProblem = coins && coinProblemOf(coin ?? '', coins)
  if (coinProblem) errors.crypto_currency = [coinProblem]
  const ways = terms ? (connected?.listWays?.(currency) ?? []) : []
  const wayProblem = wayProblemOf(input.payment_way ?? '', ways)
  if (wayProblem) errors.payment_way = [wayProblem]
  if ('problem' in amount || !provider || !terms || Object.keys(errors).length > 0) return { errors }
  const way = input.payment_way || ways[0]?.code
  const fee = paymentFee(amount.amount, terms)
  return { amount: amount.amount, currency, coin, way: ways.length > 0 ? (way ?? null) : null, provider, fee }
}

/** An omitted method means the first; a given one is ignored where the provider has none, as a coin is. */
function wayProblemOf(chosen: string, ways: readonly PaymentWay[]): string | null {
  const isFine = chosen === '' || ways.length === 0 || ways.some(({ code }) => code === chosen)
  return isFine ? null : paymentTexts.wayNotOffered
}

/** Prefers bitcoin: a coin that exists on several networks is more easily sent on the wrong one. */
function usualCoin(coins: readonly Coin[], currency: string): string {
  const wanted = [currency, 'BTC'].find((code) => coins.some((coin) => coin.code === code))
  return wanted ?? coins[0]?.code ?? ''
}

function coinProblemOf(chosen: string, coins: readonly Coin[]): string | null {
  if (chosen === '') return paymentTexts.coinMissing
  return coins.some(({ code }) => code === chosen) ? null : paymentTexts.coinNotOffered
}

const outside = ({ amount_min, amount_max, currency }: CurrencyRow): string =>
  paymentTexts.amountOutside
    .replace('{{min}}', formatAmount(amount_min, currency))
    .replace('{{max}}', formatAmount(amount_max, currency))
    .replace('{{currency}}', currency)

async function insertOrder(
  tx: Tx,
  member: Member,
  input: StartDepositInput,
  { orderId, amount, currency, coin, way, provider, fee }: Checked & { orderId: string },
): Promise<{ row: Order; ticket: string }> {
  const now = member.context.clock.now()
  const { memberId } = member
  const accountId = input.trading_account
  const comment = input.comment ?? ''
  const deposit = await insertTransaction(tx, member, {
    memberId,
    accountId,
    amount,
    currency,
    uid: provider.app_uid,
    comment,
  })
  const inserting = tx
    .insertInto('deposit_orders')
    .values({
      workspace_id: member.workspaceId,
      order_id: orderId,
      member_id: memberId,
      account_id: accountId,
      provider_id: provider.provider_id,
      transaction_id: deposit.transaction_id,
      // Unguessable, and within every provider's alphabet and length.
      attempt: `dep-${randomBytes(12).toString('hex')}`,
      amount,
      fee,
      charge: toScale(addAmounts(amount, fee), currency),
      currency,
      coin,
      state: 'created',
      next_look_at: new Date(now.getTime() + startLeaseMs),
      expires_at: new Date(now.getTime() + orderLifeMs),
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const noting = audit(tx, member, {
    action: 'order.created',
    subject: { kind: 'deposit_order', id: orderId },
    after: {
      ticket: deposit.ticket,
      amount,
      fee,
      currency,
      ...(coin !== null && { coin }),
      ...(way !== null && { way }),
      provider: provider.app_uid,
      account: accountId,
    },
  })
  const [row] = await Promise.all([inserting, noting])
  return { row, ticket: String(deposit.ticket) }
}
