import { isTimeZone } from '@atrium/contract/languages.ts'
import type { Actor, Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { dayIn, spanOf } from '../foundation/days.ts'
import { readWorkspace } from './workspace.ts'

/** The brokerage's time zone, for the withdrawal cut-off and all its other rules. */
export async function readZone(tx: Tx, actor: Actor): Promise<string> {
  return (await readWorkspace(tx, actor)).settings.withdrawal_cut_off.zone
}

/** The current day in the brokerage's time zone. */
export async function brokerageDay(tx: Tx, actor: Actor, at = actor.context.clock.now()): Promise<string> {
  return dayIn(at, await readZone(tx, actor))
}

/** The member's current day: by the zone of the profile, else the browser's, else the brokerage's. */
export async function memberDay(
  tx: Tx,
  member: Member,
  { at = member.context.clock.now(), zone }: { at?: Date; zone?: string | undefined } = {},
): Promise<string> {
  const { time_zone } = await tx
    .selectFrom('members')
    .select('time_zone')
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .executeTakeFirstOrThrow()
  const own = [time_zone, zone].find((name) => name != null && isTimeZone(name))
  return own ? dayIn(at, own) : brokerageDay(tx, member, at)
}

export type Between = { since?: Date; until?: Date }

/** The moments of a filter's days, both included, in the brokerage's time zone. */
export async function momentsOf(
  tx: Tx,
  actor: Actor,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Promise<Between> {
  if (!from && !to) return {}
  const zone = await readZone(tx, actor)
  return {
    ...(from && { since: (await spanOf(tx, from, zone)).from }),
    ...(to && { until: (await spanOf(tx, to, zone)).to }),
  }
}
