import { fixedDays } from '@atrium/contract/workspaces/retention.ts'
import type { System } from '../foundation/actor.ts'
import { sweepDue } from '../queue/sweeping.ts'
import { daysAgo, retainedSince } from '../workspaces/retention.ts'

export type Swept = {
  tries: number
  challenges: number
  sessions: number
  devices: number
  tokens: number
  resets: number
  requests: number
}

/** Removes rows past their retention; challenges before their sessions, which they reference. */
export async function sweepSessions(system: System): Promise<Swept> {
  const now = system.context.clock.now()
  return {
    tries: await sweepDue(system, { table: 'rate_limits', key: 'bucket', moment: 'expires_at', until: now }),
    challenges:
      (await sweepDue(system, { table: 'passkey_challenges', key: 'session_id', moment: 'expires_at', until: now })) +
      (await sweepDue(system, { table: 'sign_in_challenges', key: 'challenge_id', moment: 'expires_at', until: now })),
    sessions: await sweepDue(system, {
      table: 'sessions',
      key: 'session_id',
      moment: 'ended_at',
      until: await retainedSince(system, 'session_days'),
    }),
    devices: await sweepDue(system, {
      table: 'known_devices',
      key: 'device_id',
      moment: 'last_used_at',
      until: daysAgo(system, fixedDays.known_devices),
    }),
    tokens: await sweepDue(system, { table: 'nonces', key: 'token_hash', moment: 'expires_at', until: now }),
    resets: await sweepDue(system, {
      table: 'password_resets',
      key: 'reset_id',
      moment: 'created_at',
      until: daysAgo(system, fixedDays.password_resets),
    }),
    requests: await sweepDue(system, {
      table: 'password_reset_requests',
      key: 'request_id',
      moment: 'created_at',
      until: daysAgo(system, fixedDays.reset_requests),
    }),
  }
}
