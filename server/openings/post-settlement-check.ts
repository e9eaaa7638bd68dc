import type { Actor, System } from '../foundation/actor.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { GatewayError, type Login } from '../trading-platforms/contract.ts'
import { findLink } from '../trading-platforms/platform-link.ts'
import { processPatiently } from '../trading-platforms/platform-queue.ts'
import { lockOpening, type Opening, recordLookUp } from './opening.ts'
import { recordOpened } from './outcome.ts'

const postSettlementCheckAfterMs = 3 * 3_600_000
const postSettlementCheckAgainMs = 30 * 60_000
const postSettlementCheckForMs = 14 * 24 * 3_600_000

export function schedulePostSettlementCheck(
  tx: Tx,
  actor: Actor,
  opening: Opening,
  inMs = postSettlementCheckAfterMs,
): Promise<void> {
  const data = { workspaceId: actor.workspaceId, id: opening.opening_id }
  const startAfter = new Date(actor.context.clock.now().getTime() + inMs)
  return actor.context.jobs.enqueue(tx, 'openings.recount', data, { startAfter })
}

/**
 * Hours after an account was recorded as absent: is it still? A late account belongs to the member; an account unknown
 * to the portal would be worse than one over the limit, and the log reports it.
 */
export async function checkSettledOpening(system: System, openingId: string): Promise<void> {
  if (!(await lookUpLateAccount(system, openingId))) await checkSettledLater(system, openingId)
}

/** Runs in the platform's queue. A platform that does not answer in time is asked again by a later job. */
export async function checkSettledInQueue(system: System, openingId: string): Promise<void> {
  const opening = await inTransaction(system, (tx) => lockOpening(tx, system, openingId))
  if (!opening) return
  const task = { kind: 'opening', id: openingId, platformId: opening.platform_id } as const
  if (!(await processPatiently(system, task, lookUpLateAccount))) await checkSettledLater(system, openingId)
}

/** False when the platform does not answer. */
async function lookUpLateAccount(system: System, openingId: string): Promise<boolean> {
  const opening = await inTransaction(system, (tx) => lockOpening(tx, system, openingId))
  if (opening?.state !== 'not_opened') return true
  const login = await findLate(system, opening)
  if (login === undefined) return false
  await inTransaction(system, (tx) => recordLookUp(tx, system, opening))
  if (login === null) return true
  system.context.log.error({ opening: openingId, login }, 'an account was found after it was recorded as absent')
  await recordOpened(system, openingId, login, 'mail')
  return true
}

/** Undefined when the platform does not answer. */
async function findLate(system: System, opening: Opening): Promise<Login | null | undefined> {
  const link = await findLink(system, opening.platform_id)
  if ('problem' in link) return undefined
  try {
    return await link.gateway.findAccountByTag(opening.tag, { group: opening.group_name })
  } catch (problem) {
    if (problem instanceof GatewayError) return undefined
    throw problem
  }
}

async function checkSettledLater(system: System, openingId: string): Promise<void> {
  await inTransaction(system, async (tx) => {
    const opening = await lockOpening(tx, system, openingId)
    if (opening?.state !== 'not_opened') return
    const elapsedMs = system.context.clock.now().getTime() - opening.created_at.getTime()
    if (elapsedMs <= postSettlementCheckForMs)
      await schedulePostSettlementCheck(tx, system, opening, postSettlementCheckAgainMs)
    else system.context.log.error({ opening: openingId }, 'post-settlement check of an opening never completed')
  })
}
