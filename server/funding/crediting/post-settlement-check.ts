import type { System } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import { inTransaction, type Tx } from '../../foundation/database/database.ts'
import { type BalanceReceipt, GatewayError } from '../../trading-platforms/contract.ts'
import { findLink, findPlace } from '../../trading-platforms/platform-link.ts'
import { processPatiently } from '../../trading-platforms/platform-queue.ts'
import { lockIntent, sinceOf } from './intent.ts'
import { isSomebodyElses } from './intent-account.ts'
import type { Intent } from './intent-moves.ts'

const postSettlementCheckAfterMs = 3 * 3_600_000
const postSettlementCheckAgainMs = 30 * 60_000
const postSettlementCheckForMs = 14 * 24 * 3_600_000

/** Runs in the commit that ends the intent. */
export function schedulePostSettlementCheck(
  tx: Tx,
  system: System,
  intentId: string,
  inMs = postSettlementCheckAfterMs,
): Promise<void> {
  const data = { workspaceId: system.workspaceId, id: intentId }
  const startAfter = new Date(system.context.clock.now().getTime() + inMs)
  return system.context.jobs.enqueue(tx, 'funding.recount-intent', data, { startAfter })
}

/** The number of deals that must carry the tag of a settled intent; null while it is open. */
function dealsDue({ state }: Intent): number | null {
  if (state === 'done') return 1
  return state === 'rejected' ? 0 : null
}

/** Counts the deals with the tag some hours later. Detects a first send that executed after it was judged absent. */
export async function checkSettledIntent(system: System, intentId: string): Promise<void> {
  if (!(await countDeals(system, intentId))) await checkSettledLater(system, intentId)
}

/** Runs in the platform's queue. A platform that does not answer in time is checked again by a later job. */
export async function checkSettledInQueue(system: System, intentId: string): Promise<void> {
  const place = await findPlace(system, intentId)
  if (!place) return
  const task = { kind: 'intent', id: intentId, platformId: place.platform_id } as const
  if (!(await processPatiently(system, task, countDeals))) await checkSettledLater(system, intentId)
}

/** False when the platform cannot be queried. */
async function countDeals(system: System, intentId: string): Promise<boolean> {
  const intent = await inTransaction(system, (tx) => lockIntent(tx, system, intentId))
  const due = intent && dealsDue(intent)
  if (!intent || due === null) return true
  const receipts = await receiptsForPostSettlementCheck(system, intent)
  if (!receipts) return false
  if (receipts.length === due) return true
  system.context.log.error({ intent: intentId, deals: receipts.length, due }, 'a credit is not exactly once')
  await inTransaction(system, (tx) =>
    audit(tx, system, {
      action: 'intent.miscounted',
      subject: { kind: 'platform_intent', id: intentId },
      after: { deals: receipts.length, due, tickets: receipts.map((receipt) => receipt.ticket) },
    }),
  )
  return true
}

/** Null when the platform cannot be queried. */
async function receiptsForPostSettlementCheck(system: System, intent: Intent): Promise<BalanceReceipt[] | null> {
  const link = await findLink(system, intent.platform_id)
  if ('problem' in link) return null
  try {
    const receipts = await link.gateway.findBalanceByTag(intent.platform_login, intent.tag, sinceOf(intent))
    // The empty history of a deleted account, or of somebody else's with its number, says nothing.
    if (receipts.length === 0 && (await isSomebodyElses(system, intent, link.gateway))) return null
    return receipts
  } catch (problem) {
    if (problem instanceof GatewayError) return null
    throw problem
  }
}

/**
 * The queue's retries end within the hour; a platform may be down for a weekend, and nothing else repeats this check.
 */
async function checkSettledLater(system: System, intentId: string): Promise<void> {
  await inTransaction(system, async (tx) => {
    const intent = await lockIntent(tx, system, intentId)
    if (!intent) return
    const now = system.context.clock.now().getTime()
    const doneAt = intent.done_at ?? intent.created_at
    if (now - doneAt.getTime() <= postSettlementCheckForMs)
      await schedulePostSettlementCheck(tx, system, intentId, postSettlementCheckAgainMs)
    else system.context.log.error({ intent: intentId }, 'post-settlement check of a credit never completed')
  })
}
