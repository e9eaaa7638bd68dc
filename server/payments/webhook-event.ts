import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { reach } from '../foundation/failpoint.ts'
import { newId } from '../foundation/ids.ts'
import {
  attemptShape,
  PaymentProblem,
  type PaymentProvider,
  type RawWebhookEvent,
} from '../payment-providers/contract.ts'
import type { UnverifiedCallback, WebhookEventReading } from '../payment-providers/coverage.ts'
import type { StatusReport } from '../payment-providers/status-report.ts'
import { type Headers, proofOf, provingHeaders } from '../payment-providers/webhook-headers.ts'
import { connectProvider, type ProviderRow, readProvider } from './connections/provider.ts'
import { type Order, openStates } from './order.ts'
import { aboutOrder, queryOrder } from './order-query.ts'
import { applyPayoutHint, applyPayoutReport } from './payouts/payout-settle.ts'
import { applyReport, applyUnverified, type Outcome } from './settle.ts'

/**
 * The same bytes with the same signature are one webhook event, however often they arrive. A message from a refused
 * sender is separate, or an eavesdropper could block the genuine one by sending it first.
 */
const contentIdOf = ({ method, query, headers, body, address }: RawWebhookEvent, isFromElsewhere: boolean): Buffer =>
  createHash('sha256')
    .update(`${method}\n${query}\n${proofOf(headers)}\n${isFromElsewhere ? `${address}\n` : ''}`)
    .update(body)
    .digest()

type Seen = {
  isFromElsewhere?: boolean
  isHint?: boolean
  /** Its signature is valid by the current settings. */
  isSigned?: boolean
}

/**
 * Stores the message unread, with the job that will determine its verdict. A repeat is read again if the stored one was
 * refused, by a wrong secret for example, and this one is not.
 */
export async function keepWebhookEvent(
  system: System,
  provider: ProviderRow,
  received: RawWebhookEvent,
  headers: Headers,
  { isFromElsewhere = false, isHint = false, isSigned = false }: Seen = {},
): Promise<void> {
  const now = system.context.clock.now()
  await inTransaction(system, async (tx) => {
    const stored = await tx
      .insertInto('payment_notifications')
      .values({
        workspace_id: system.workspaceId,
        notification_id: newId(),
        provider_id: provider.provider_id,
        content_id: contentIdOf(received, isFromElsewhere),
        method: received.method,
        query: received.query,
        headers: JSON.stringify(headers),
        body: received.body,
        received_at: now,
        last_received_at: now,
      })
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'provider_id', 'content_id']).doUpdateSet({
          times: sql`payment_notifications.times + 1`,
          last_received_at: now,
        }),
      )
      .returning(['notification_id', 'verdict'])
      .executeTakeFirstOrThrow()
    const { notification_id: id, verdict } = stored
    // Repeated while unread: its first job may have been lost.
    const isRead = verdict !== 'unread' && !(isSigned && (await reopenRefused(tx, system, id, headers)))
    if (isRead && !(isHint && (await reopenHint(tx, system, id)))) return
    await scheduleReading(tx, system, id)
  })
  await reach('notification.kept')
  system.context.jobs.wake('payments.read-notification')
}

/** Minimum interval between queries for the same hint, since an unproven hint must not cause constant queries. */
const hintAgainMs = 60_000

const reopen = (tx: Tx, system: System, webhookEventId: string) =>
  tx
    .updateTable('payment_notifications as event')
    .set({ verdict: 'unread', outcome: null, why: null, reported: null, read_at: null })
    .where('workspace_id', '=', system.workspaceId)
    .where('notification_id', '=', webhookEventId)
    .where('cleared_at', 'is', null)

/**
 * A refused message did nothing, whatever refused it. The repeat is what is proven, with its own timestamp and address.
 */
async function reopenRefused(tx: Tx, system: System, webhookEventId: string, headers: Headers): Promise<boolean> {
  const { numUpdatedRows } = await reopen(tx, system, webhookEventId)
    .set({ headers: JSON.stringify(headers) })
    .where('verdict', 'not in', ['unread', 'genuine', 'unverified'])
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** While the order is open, an identical message may report a new event. */
async function reopenHint(tx: Tx, system: System, webhookEventId: string): Promise<boolean> {
  const { numUpdatedRows } = await reopen(tx, system, webhookEventId)
    .where('read_at', '<=', new Date(system.context.clock.now().getTime() - hintAgainMs))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('deposit_orders as order')
          .select('order.order_id')
          .where('order.workspace_id', '=', system.workspaceId)
          .whereRef('order.order_id', '=', 'event.order_id')
          .where('order.state', 'in', openStates),
      ),
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function scheduleReading(tx: Tx, system: System, id: string): Promise<void> {
  await system.context.jobs.enqueue(tx, 'payments.read-notification', { workspaceId: system.workspaceId, id })
}

/** Queues work that waits for a provider. */
export type QueueProviderCall = (system: System, providerId: string, key: string, work: () => Promise<void>) => void

/**
 * Processes a stored webhook event once; an unproven message matches nothing and changes nothing. A proven message
 * needs no call; only a provider query goes to `queueProviderCall`, if there is one.
 */
export async function readWebhookEvent(
  system: System,
  webhookEventId: string,
  queueProviderCall?: QueueProviderCall,
): Promise<void> {
  const unread = await reading(system, (tx) => findUnread(tx, system, webhookEventId))
  if (!unread) return
  const provider = await connectProvider(system, unread.provider)
  const { method, query, body } = unread.row
  const found = unread.row.headers as Headers
  const headers = provingHeaders(found)
  const read = provider.readWebhookEvent({
    method,
    query,
    headers,
    body,
    ...(found.address && { address: found.address }),
  })
  const finish = async (): Promise<void> => {
    const callback = read.unverifiedCallback
      ? await answerUnverifiedCallback(system, unread.provider, provider, read)
      : null
    await reach('notification.verified')
    await inTransaction(system, async (tx) => {
      await act(tx, system, webhookEventId, unread, { provider, read: callback ?? read })
      await reach('notification.before-commit')
    })
    await reach('notification.applied')
    if (!callback && !read.isGenuine) logUnproven(system, unread.provider, webhookEventId, read.why)
    system.context.jobs.wake('funding.settle-intent')
  }
  if (read.unverifiedCallback && queueProviderCall)
    queueProviderCall(system, unread.provider.provider_id, `webhook event ${webhookEventId}`, finish)
  else await finish()
}

/** Alerts staff: it may be a genuine payment signed with a previous secret at a provider without queries. */
function logUnproven({ context }: System, { app_uid: provider }: ProviderRow, webhookEvent: string, why: string): void {
  context.metrics.unproven(provider, why)
  context.log.warn({ notification: webhookEvent, provider, why }, 'a webhook event is not proven')
}

type CallbackAnswer = { verdict: Closing['verdict']; orderId: string | null; reported: StatusReport | null }

/**
 * Queries outside of every transaction. If the provider is unavailable, the webhook event stays unread and the job
 * retries.
 */
async function answerUnverifiedCallback(
  system: System,
  { provider_id }: ProviderRow,
  provider: PaymentProvider,
  read: WebhookEventReading,
): Promise<CallbackAnswer | null> {
  const { kind, attempt, reference } = read.unverifiedCallback ?? {}
  if (kind !== 'deposit' || !attempt || !provider.readStatus) return null
  const order = await reading(system, (tx) => findOrder(tx, system, provider_id, attempt))
  const verdict = read.isGenuine ? 'genuine' : read.why
  if (order)
    return { verdict, orderId: order.order_id, reported: await queryOrder(system, provider, order, reference ?? null) }
  if (verdict !== 'unverified' || !attemptShape.test(attempt)) return null
  // Signed by the provider, but for an unknown order: only the provider can say whether money was paid under that id.
  const question = { attempt, reference: null, hint: reference ?? null, at: system.context.clock.now() }
  const reported = await answeredOrNull(provider.readStatus(question))
  return { verdict, orderId: null, reported: aboutOrder({ attempt }, reported) }
}

/** A refusal is an answer too: nothing more can be learned about an order that is not ours. */
async function answeredOrNull(asked: Promise<StatusReport | null>): Promise<StatusReport | null> {
  try {
    return await asked
  } catch (problem) {
    const isAnswered = problem instanceof PaymentProblem && ['misconfigured', 'declined'].includes(problem.failure)
    if (isAnswered) return null
    throw problem
  }
}

async function findUnread(tx: Tx, system: System, webhookEventId: string) {
  const row = await tx
    .selectFrom('payment_notifications')
    .select(['provider_id', 'method', 'query', 'headers', 'body', 'verdict', 'times'])
    .where('workspace_id', '=', system.workspaceId)
    .where('notification_id', '=', webhookEventId)
    .executeTakeFirst()
  if (row?.verdict !== 'unread') return null
  return { row, provider: await readProvider(tx, system, row.provider_id) }
}

type UnreadEvent = NonNullable<Awaited<ReturnType<typeof findUnread>>>

async function act(
  tx: Tx,
  system: System,
  webhookEventId: string,
  { row, provider: { provider_id } }: UnreadEvent,
  { provider, read }: { provider: PaymentProvider; read: WebhookEventReading | CallbackAnswer },
): Promise<void> {
  // Serializes two workers: the second finds the webhook event read.
  const locked = await tx
    .selectFrom('payment_notifications')
    .select(['verdict', 'times'])
    .where('workspace_id', '=', system.workspaceId)
    .where('notification_id', '=', webhookEventId)
    .forUpdate()
    .executeTakeFirst()
  if (locked?.verdict !== 'unread') return
  if ('verdict' in read) return actOnAnswer(tx, system, webhookEventId, read)
  if (!read.isGenuine) {
    // A repeat since then has a job of its own, which reads its headers by the settings of today.
    if (locked.times !== row.times) return
    const about = read.unverifiedCallback
      ? await applyHint(tx, system, provider_id, provider, read)
      : { outcome: 'refused' as const }
    return close(tx, system, webhookEventId, { verdict: read.why, ...about })
  }
  const { reported } = read
  const about = await applyToWhatItNames(tx, system, provider_id, reported)
  await close(tx, system, webhookEventId, { verdict: 'genuine', ...about, reported })
}

/** Applies to a payout or a deposit by its kind, because ids of one kind never match the other. */
async function applyToWhatItNames(tx: Tx, system: System, providerId: string, reported: StatusReport) {
  const isPayout = reported.kind === 'payout'
  const order_id = isPayout ? null : ((await findOrder(tx, system, providerId, reported.attempt))?.order_id ?? null)
  const payout_id = isPayout ? await findPayout(tx, system, providerId, reported) : null
  const result = order_id
    ? await applyReport(tx, system, order_id, reported)
    : payout_id && (await applyPayoutReport(tx, system, payout_id, reported))
  return result
    ? { outcome: result.outcome, why: result.why ?? null, order_id, payout_id }
    : { outcome: 'unknown_order' as const }
}

/**
 * A payout is queried by its own job; a deposit arrives here only when it cannot be queried. The message itself is not
 * trusted.
 */
async function applyHint(
  tx: Tx,
  system: System,
  providerId: string,
  { readPayout, readStatus }: PaymentProvider,
  read: Extract<WebhookEventReading, { isGenuine: false }>,
) {
  const { kind, attempt, reference } = read.unverifiedCallback ?? {}
  const order_id =
    kind === 'payout' ? null : ((await findOrder(tx, system, providerId, attempt ?? null))?.order_id ?? null)
  const payout_id =
    kind === 'payout'
      ? await findPayout(tx, system, providerId, { attempt: attempt ?? null, reference: reference ?? null })
      : null
  const canBeAsked = readPayout !== undefined
  const result = payout_id
    ? await applyPayoutHint(tx, system, payout_id, {
        canBeAsked,
        said: read.why === 'unverified' ? read.said : null,
      })
    : order_id && !readStatus && read.why === 'unverified'
      ? await applyUnverified(tx, system, order_id, read.said)
      : null
  return result
    ? { outcome: result.outcome, why: result.why ?? null, order_id, payout_id }
    : { outcome: 'unknown_order' as const }
}

/** The provider's answer counts, not the webhook event. */
async function actOnAnswer(
  tx: Tx,
  system: System,
  id: string,
  { verdict, orderId, reported }: CallbackAnswer,
): Promise<void> {
  const result = reported && orderId ? await applyReport(tx, system, orderId, reported) : null
  const outcome = result?.outcome ?? (orderId ? 'noted' : 'unknown_order')
  const facts = { why: result?.why ?? null, order_id: orderId, ...(reported && { reported }) }
  await close(tx, system, id, { verdict, outcome, ...facts })
}

/** By our attempt id, within this workspace and provider. Anybody may send another text, even one the database refuses. */
async function findOrder(tx: Tx, system: System, providerId: string, attempt: string | null): Promise<Order | null> {
  if (attempt === null || !attemptShape.test(attempt)) return null
  const row = await tx
    .selectFrom('deposit_orders')
    .selectAll()
    .where('workspace_id', '=', system.workspaceId)
    .where('provider_id', '=', providerId)
    .where('attempt', '=', attempt)
    .executeTakeFirst()
  return row ?? null
}

/** By our attempt id, or by their reference when the message has no other id. */
async function findPayout(
  tx: Tx,
  system: System,
  providerId: string,
  { attempt, reference }: Pick<StatusReport, 'attempt' | 'reference'>,
): Promise<string | null> {
  if (attempt === null ? reference === null : !attemptShape.test(attempt)) return null
  const row = await tx
    .selectFrom('payout_orders')
    .select('payout_id')
    .where('workspace_id', '=', system.workspaceId)
    .where('provider_id', '=', providerId)
    .where(attempt === null ? 'reference' : 'attempt', '=', attempt ?? reference)
    .executeTakeFirst()
  return row?.payout_id ?? null
}

/** Whether an unverified callback names one of our orders, of which there is a limited number. */
export async function isKnown(
  tx: Tx,
  system: System,
  providerId: string,
  unverifiedCallback: UnverifiedCallback,
): Promise<boolean> {
  if (unverifiedCallback.kind === 'payout')
    return (await findPayout(tx, system, providerId, unverifiedCallback)) !== null
  return (await findOrder(tx, system, providerId, unverifiedCallback.attempt)) !== null
}

type Closing = {
  verdict: 'genuine' | Extract<WebhookEventReading, { isGenuine: false }>['why']
  outcome: Outcome['outcome'] | 'unknown_order' | 'refused'
  why?: string | null
  order_id?: string | null
  payout_id?: string | null
  reported?: StatusReport
}

async function close(tx: Tx, system: System, id: string, { reported, ...closing }: Closing): Promise<void> {
  // The stored report outlives the message, so it excludes the member's account and card.
  const reportedText = reported ? JSON.stringify({ ...reported, account: undefined, card: undefined }) : null
  await tx
    .updateTable('payment_notifications')
    .set({ ...closing, reported: reportedText, read_at: system.context.clock.now() })
    .where('workspace_id', '=', system.workspaceId)
    .where('notification_id', '=', id)
    .execute()
  await audit(tx, system, {
    action: 'payment-notification.read',
    subject: { kind: 'payment_notification', id },
    after: { verdict: closing.verdict, outcome: closing.outcome, order: closing.order_id ?? closing.payout_id ?? null },
  })
}
