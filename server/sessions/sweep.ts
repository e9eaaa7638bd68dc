import type { DeleteResult } from 'kysely'
import type { System } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database.ts'
import { deleteInBatches, sweepBatch } from '../foundation/sweeping.ts'
import { deviceKnownForMs } from './known-device.ts'

const day = 24 * 3_600_000
/** A session that ended is kept for questions about who was signed in from where, and so that a device stays known. */
const endedSessionKeptMs = 90 * day
const resetKeptMs = 28 * day
/** The job that answers one takes seconds; what is left after a day never will be answered. */
const resetRequestKeptMs = day

export type Swept = {
  tries: number
  challenges: number
  sessions: number
  devices: number
  tokens: number
  resets: number
  requests: number
}

/** Removes what nobody will ask for any more. */
export async function sweepSessions(system: System): Promise<Swept> {
  const now = system.ground.clock.now()
  const ago = (ms: number) => new Date(now.getTime() - ms)
  return {
    tries: await deleteInBatches(system, (tx) => deleteTries(tx, system, now)),
    challenges:
      (await deleteInBatches(system, (tx) => deletePasskeyChallenges(tx, system, now))) +
      (await deleteInBatches(system, (tx) => deleteSignInChallenges(tx, system, now))),
    sessions: await deleteInBatches(system, (tx) => deleteSessions(tx, system, ago(endedSessionKeptMs))),
    devices: await deleteInBatches(system, (tx) => deleteDevices(tx, system, ago(deviceKnownForMs))),
    tokens: await deleteInBatches(system, (tx) => deleteTokens(tx, system, now)),
    resets: await deleteInBatches(system, (tx) => deleteResets(tx, system, ago(resetKeptMs))),
    requests: await deleteInBatches(system, (tx) => deleteRequests(tx, system, ago(resetRequestKeptMs))),
  }
}

/** Each locks its batch first and passes by what somebody else holds: a row in use is no rubbish. */
type Deleting = Promise<DeleteResult>

function deleteTries(tx: Tx, { workspaceId }: System, before: Date): Deleting {
  const batch = tx
    .selectFrom('rate_limits')
    .select('bucket')
    .where('workspace_id', '=', workspaceId)
    .where('expires_at', '<=', before)
    .limit(sweepBatch)
    .forUpdate()
    .skipLocked()
  return tx
    .deleteFrom('rate_limits')
    .where('workspace_id', '=', workspaceId)
    .where('bucket', 'in', batch)
    .executeTakeFirstOrThrow()
}

/** Before the sessions that they belong to. */
function deletePasskeyChallenges(tx: Tx, { workspaceId }: System, before: Date): Deleting {
  const batch = tx
    .selectFrom('passkey_challenges')
    .select('session_id')
    .where('workspace_id', '=', workspaceId)
    .where('expires_at', '<=', before)
    .limit(sweepBatch)
    .forUpdate()
    .skipLocked()
  return tx
    .deleteFrom('passkey_challenges')
    .where('workspace_id', '=', workspaceId)
    .where('session_id', 'in', batch)
    .where('expires_at', '<=', before)
    .executeTakeFirstOrThrow()
}

function deleteSignInChallenges(tx: Tx, { workspaceId }: System, before: Date): Deleting {
  const batch = tx
    .selectFrom('sign_in_challenges')
    .select('challenge_id')
    .where('workspace_id', '=', workspaceId)
    .where('expires_at', '<=', before)
    .limit(sweepBatch)
    .forUpdate()
    .skipLocked()
  return tx
    .deleteFrom('sign_in_challenges')
    .where('workspace_id', '=', workspaceId)
    .where('challenge_id', 'in', batch)
    .executeTakeFirstOrThrow()
}

function deleteSessions(tx: Tx, { workspaceId }: System, before: Date): Deleting {
  const batch = tx
    .selectFrom('sessions')
    .select('session_id')
    .where('workspace_id', '=', workspaceId)
    .where('ended_at', '<=', before)
    .limit(sweepBatch)
    .forUpdate()
    .skipLocked()
  return tx
    .deleteFrom('sessions')
    .where('workspace_id', '=', workspaceId)
    .where('session_id', 'in', batch)
    .executeTakeFirstOrThrow()
}

function deleteDevices(tx: Tx, { workspaceId }: System, before: Date): Deleting {
  const batch = tx
    .selectFrom('known_devices')
    .select('device_id')
    .where('workspace_id', '=', workspaceId)
    .where('last_used_at', '<=', before)
    .limit(sweepBatch)
    .forUpdate()
    .skipLocked()
  return tx
    .deleteFrom('known_devices')
    .where('workspace_id', '=', workspaceId)
    .where('device_id', 'in', batch)
    .executeTakeFirstOrThrow()
}

function deleteTokens(tx: Tx, { workspaceId }: System, before: Date): Deleting {
  const batch = tx
    .selectFrom('nonces')
    .select('token_hash')
    .where('workspace_id', '=', workspaceId)
    .where('expires_at', '<=', before)
    .limit(sweepBatch)
    .forUpdate()
    .skipLocked()
  return tx
    .deleteFrom('nonces')
    .where('workspace_id', '=', workspaceId)
    .where('token_hash', 'in', batch)
    .executeTakeFirstOrThrow()
}

function deleteResets(tx: Tx, { workspaceId }: System, before: Date): Deleting {
  const batch = tx
    .selectFrom('password_resets')
    .select('reset_id')
    .where('workspace_id', '=', workspaceId)
    .where('created_at', '<=', before)
    .limit(sweepBatch)
    .forUpdate()
    .skipLocked()
  return tx
    .deleteFrom('password_resets')
    .where('workspace_id', '=', workspaceId)
    .where('reset_id', 'in', batch)
    .executeTakeFirstOrThrow()
}

function deleteRequests(tx: Tx, { workspaceId }: System, before: Date): Deleting {
  const batch = tx
    .selectFrom('password_reset_requests')
    .select('request_id')
    .where('workspace_id', '=', workspaceId)
    .where('created_at', '<=', before)
    .limit(sweepBatch)
    .forUpdate()
    .skipLocked()
  return tx
    .deleteFrom('password_reset_requests')
    .where('workspace_id', '=', workspaceId)
    .where('request_id', 'in', batch)
    .executeTakeFirstOrThrow()
}
