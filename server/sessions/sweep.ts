import type { System } from '../foundation/actor.ts'
import { sweepDue } from '../foundation/sweeping.ts'
import { deviceKnownForMs } from './known-device.ts'

const day = 24 * 3_600_000
/** A session that ended is kept for questions about who was signed in from where, and so that a device stays known. */
export const endedSessionKeptMs = 90 * day
export const resetKeptMs = 28 * day
/** The job that answers one takes seconds; what is left after a day never will be answered. */
export const resetRequestKeptMs = day

export type Swept = {
  tries: number
  challenges: number
  sessions: number
  devices: number
  tokens: number
  resets: number
  requests: number
}

/** Removes what nobody will ask for any more; challenges before the sessions that they belong to. */
export async function sweepSessions(system: System): Promise<Swept> {
  const now = system.ground.clock.now()
  const ago = (ms: number) => new Date(now.getTime() - ms)
  return {
    tries: await sweepDue(system, { table: 'rate_limits', key: 'bucket', moment: 'expires_at', until: now }),
    challenges:
      (await sweepDue(system, { table: 'passkey_challenges', key: 'session_id', moment: 'expires_at', until: now })) +
      (await sweepDue(system, { table: 'sign_in_challenges', key: 'challenge_id', moment: 'expires_at', until: now })),
    sessions: await sweepDue(system, {
      table: 'sessions',
      key: 'session_id',
      moment: 'ended_at',
      until: ago(endedSessionKeptMs),
    }),
    devices: await sweepDue(system, {
      table: 'known_devices',
      key: 'device_id',
      moment: 'last_used_at',
      until: ago(deviceKnownForMs),
    }),
    tokens: await sweepDue(system, { table: 'nonces', key: 'token_hash', moment: 'expires_at', until: now }),
    resets: await sweepDue(system, {
      table: 'password_resets',
      key: 'reset_id',
      moment: 'created_at',
      until: ago(resetKeptMs),
    }),
    requests: await sweepDue(system, {
      table: 'password_reset_requests',
      key: 'request_id',
      moment: 'created_at',
      until: ago(resetRequestKeptMs),
    }),
  }
}
