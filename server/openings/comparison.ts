import { noteDifference } from '../accounts/differences.ts'
import type { Actor, System } from '../foundation/actor.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { GatewayError, type WrittenAccount, type WrittenField } from '../trading-platforms/contract.ts'
import { findLink } from '../trading-platforms/platform-link.ts'
import { processPatiently } from '../trading-platforms/platform-queue.ts'
import type { Opening } from './opening.ts'
import { readPerson } from './person.ts'

const againMs = 10 * 60_000
const triedForMs = 24 * 3_600_000

/** A platform may silently change values, so a new account is read back as soon as it exists. */
export function scheduleComparison(tx: Tx, actor: Actor, opening: Opening, inMs = 0): Promise<void> {
  const data = { workspaceId: actor.workspaceId, id: opening.opening_id }
  const startAfter = new Date(actor.context.clock.now().getTime() + inMs)
  return actor.context.jobs.enqueue(tx, 'openings.compare', data, inMs > 0 ? { startAfter } : {})
}

/** Runs in the platform's queue. A platform that does not answer in time is asked again by a later job. */
export async function compareInQueue(system: System, openingId: string): Promise<void> {
  const opening = await readOpened(system, openingId)
  if (!opening) return
  const task = { kind: 'opening', id: openingId, platformId: opening.platform_id } as const
  if (await processPatiently(system, task, compareOpening)) return
  const elapsedMs = system.context.clock.now().getTime() - (opening.ended_at ?? opening.created_at).getTime()
  if (elapsedMs <= triedForMs) await inTransaction(system, (tx) => scheduleComparison(tx, system, opening, againMs))
  else system.context.log.error({ opening: openingId }, 'comparison of an opened account never completed')
}

/** Reads and reports only; never opens again or undoes. False when the platform does not answer. */
export async function compareOpening(system: System, openingId: string): Promise<boolean> {
  const opening = await readOpened(system, openingId)
  const login = opening?.platform_login
  const written = opening && (await readWritten(system, opening))
  if (!opening || !login || !written) return true
  const fields = await readDifferences(system, opening, { login, written })
  if (fields === null) return false
  if (fields.length === 0) return true
  // Names only, since the values are personal data.
  const event = { event: 'platform.account-differs', opening: openingId, login, fields }
  system.context.log.warn(event, 'The trading platform stored other values of an account than were sent')
  const found = { kind: 'fields', login, accountId: opening.account_id, reason: fields.join(', '), at: null } as const
  await inTransaction(system, (tx) => noteDifference(tx, system, opening.platform_id, found))
  return true
}

function readOpened(system: System, openingId: string): Promise<Opening | undefined> {
  return reading(system, (tx) =>
    tx
      .selectFrom('account_openings')
      .selectAll()
      .where('workspace_id', '=', system.workspaceId)
      .where('opening_id', '=', openingId)
      .where('state', '=', 'done')
      .executeTakeFirst(),
  )
}

/** Null for a member erased meanwhile. */
function readWritten(system: System, opening: Opening): Promise<WrittenAccount | null> {
  return reading(system, async (tx) => {
    const { status } = await tx
      .selectFrom('members')
      .select('status')
      .where('workspace_id', '=', system.workspaceId)
      .where('member_id', '=', opening.member_id)
      .executeTakeFirstOrThrow()
    if (status === 'erased') return null
    const { tag, group_name: group, leverage } = opening
    return { ...(await readPerson(tx, system, opening.member_id)), tag, group, leverage }
  })
}

type Asked = { login: string; written: WrittenAccount }

async function readDifferences(
  system: System,
  { platform_id: platformId }: Opening,
  { login, written }: Asked,
): Promise<WrittenField[] | null> {
  const link = await findLink(system, platformId)
  if ('problem' in link) return null
  try {
    return await link.gateway.compareAccount(login, written)
  } catch (problem) {
    if (problem instanceof GatewayError) return null
    throw problem
  }
}
