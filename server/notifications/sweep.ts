import type { System } from '../foundation/actor.ts'
import { sweepDue } from '../foundation/sweeping.ts'

/** That a mail went out, to whom and when, is worth knowing for a quarter; what it said is gone with its delivery. */
const settledKeptMs = 90 * 24 * 3_600_000

/** What a member was told is theirs to look up for a year and a month. */
const noticesKeptMs = 400 * 24 * 3_600_000

export function sweepNotices(system: System): Promise<number> {
  const until = new Date(system.ground.clock.now().getTime() - noticesKeptMs)
  return sweepDue(system, { table: 'notices', key: 'notice_id', moment: 'created_at', until })
}

/** Removes mails that were settled long ago: delivered, given up, or kept by an installation without a mail server. */
export function sweepMails(system: System): Promise<number> {
  const before = new Date(system.ground.clock.now().getTime() - settledKeptMs)
  return sweepDue(system, { table: 'mails', key: 'mail_id', moment: 'settled_at', until: before })
}
