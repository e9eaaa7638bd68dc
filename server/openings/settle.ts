import type { System } from '../foundation/actor.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { judgeAbsence } from '../trading-platforms/absence.ts'
import { GatewayError } from '../trading-platforms/contract.ts'
import type { PlatformLink, PlatformTiming } from '../trading-platforms/platform-connections.ts'
import { findLink } from '../trading-platforms/platform-link.ts'
import { findOpening, lockOpening, moveOpening, type Opening, postpone, recordLookUp, underWay } from './opening.ts'
import { recordEnded, recordOpened } from './outcome.ts'
import { schedulePostSettlementCheck } from './post-settlement-check.ts'

/**
 * Processes an opening whose request has ended; only looks up and never sends, since the password is gone. Idempotent
 * and safe in several processes.
 */
export async function settleOpening(system: System, openingId: string): Promise<void> {
  const opening = await reading(system, (tx) => findOpening(tx, system, openingId))
  if (!opening || !underWay.some((state) => state === opening.state)) return
  if (opening.state === 'ready') return endUnsent(system, opening)
  const link = await findLink(system, opening.platform_id)
  if ('problem' in link) return waitForLink(system, opening, link.problem)
  const held = await leaseLookUp(system, openingId, link.timing)
  if (held) await lookUp(system, held, link)
}

/** Never sent, so its platform need not be reachable. Ended here, so that a late sender finds it closed. */
async function endUnsent(system: System, opening: Opening): Promise<void> {
  if (opening.next_step_at > system.context.clock.now()) return
  await recordEnded(system, opening, { to: 'not_executed', problem: 'The process that wrote it ended.', by: 'mail' })
}

async function waitForLink(system: System, opening: Opening, problem: string): Promise<void> {
  await inTransaction(system, async (tx) => {
    const current = await lockOpening(tx, system, opening.opening_id)
    const now = system.context.clock.now()
    if (current?.state === opening.state && current.next_step_at <= now) {
      await postpone(tx, system, current, 60_000, { last_problem: problem })
    }
  })
}

/** Takes the opening to look up in one transaction; null when nothing is due. */
function leaseLookUp(system: System, openingId: string, timing: PlatformTiming): Promise<Opening | null> {
  return inTransaction(system, async (tx) => {
    const current = await lockOpening(tx, system, openingId)
    if (!current || current.next_step_at > system.context.clock.now()) return null
    if (current.state === 'sending') {
      const problem = { last_problem: 'The process that sent it ended.' }
      const unknown = await moveOpening(tx, system, current, 'unknown', problem)
      await postpone(tx, system, unknown, timing.leaseMs)
      return unknown
    }
    if (current.state !== 'unknown') return null
    await postpone(tx, system, current, timing.leaseMs)
    return current
  })
}

async function lookUp(system: System, opening: Opening, { gateway, timing }: PlatformLink): Promise<void> {
  const lookUpStartedAt = system.context.clock.now()
  try {
    const login = await gateway.findAccountByTag(opening.tag, { group: opening.group_name, ...hintOf(opening) })
    if (login !== null) {
      await recordOpened(system, opening.opening_id, login, 'mail')
      return
    }
    await recordAbsent(system, opening, timing, lookUpStartedAt)
  } catch (problem) {
    if (!(problem instanceof GatewayError)) throw problem
    await inTransaction(system, async (tx) => {
      const current = await lockOpening(tx, system, opening.opening_id)
      if (current?.state !== 'unknown') return
      await postpone(tx, system, current, backoffMs(system, current), { last_problem: problem.reason })
    })
  }
}

/**
 * The first look-up starts above the highest known login, where a new account usually is. Proof of absence reads the
 * whole group, because a platform may assign a lower number.
 */
function hintOf({ absent_since, after_login }: Opening): { afterLogin?: string } {
  return absent_since === null && after_login !== null ? { afterLogin: after_login } : {}
}

/** The time elapsed since the send, but at least 1 s and at most 60 s. */
function backoffMs(system: System, opening: Opening): number {
  const elapsedMs = system.context.clock.now().getTime() - (opening.sent_at ?? opening.created_at).getTime()
  return Math.min(60_000, Math.max(1_000, elapsedMs))
}

async function recordAbsent(
  system: System,
  opening: Opening,
  timing: PlatformTiming,
  lookUpStartedAt: Date,
): Promise<void> {
  await inTransaction(system, (tx) => recordLookUp(tx, system, opening))
  const now = system.context.clock.now()
  const observation = {
    sentAt: opening.sent_at ?? opening.created_at,
    absentSince: opening.absent_since,
    lookUpStartedAt,
    now,
  }
  const absence = judgeAbsence(observation, timing)
  if (absence.isProven) {
    const ended = { to: 'not_opened', problem: 'Searched for and not found.', by: 'mail' } as const
    const also = (tx: Tx) => schedulePostSettlementCheck(tx, system, opening)
    await recordEnded(system, opening, { ...ended, also })
    return
  }
  await inTransaction(system, async (tx) => {
    const current = await lockOpening(tx, system, opening.opening_id)
    if (current?.state !== 'unknown') return
    await postpone(tx, system, current, absence.dueInMs, { absent_since: absence.since })
  })
}
