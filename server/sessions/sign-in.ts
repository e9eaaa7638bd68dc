import { texts } from '@atrium/contract/texts.ts'
import { sql } from 'kysely'
import type { System } from '../foundation/actor.ts'
import { inTransaction, reading, type Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/errors.ts'
import { guess } from '../foundation/rate-limit.ts'
import { makeTurnstile } from '../foundation/turnstile.ts'
import { admit, type SignedIn } from './admission.ts'
import { readFactors } from './factors.ts'
import { isKnownDevice } from './known-device.ts'
import { refuseOverlongPassword } from './new-password.ts'
import { isPasswordOf } from './password.ts'
import { type Kind, lockPerson, type PersonKey } from './person.ts'
import type { Device } from './session.ts'
import { type Challenged, openChallenge } from './sign-in-challenge.ts'
import { signInLimits } from './sign-in-limits.ts'

type Credentials = { email: string; password: string }

/** Whoever comes through this door waits for those in front of them, and not everybody in the house for whoever comes. */
const arriving = makeTurnstile(2, { waitingMax: 512 })

/**
 * Signs a member or a desk user in, or asks whoever has a second factor for it (second-step.ts goes on from there). A wrong
 * email and a wrong password are the same to the caller: same words, same work. The try is counted before the password is
 * looked at, and given back when it was right.
 */
export async function signIn(
  system: System,
  kind: Kind,
  credentials: Credentials,
  device: Device,
): Promise<SignedIn | Challenged> {
  const found = await arriving(async () => {
    await refuseOverlongPassword(system, credentials.password)
    return findPerson(system, kind, credentials.email, device)
  }, system.workspaceId)
  const limits = signInLimits(`${kind}:${credentials.email.toLowerCase()}`, device, found?.isKnownDevice ?? false)
  const isRight = await guess(system, limits, () =>
    isPasswordOf(found?.passwordHash ?? null, credentials.password, system),
  )
  if (!found || !isRight) refuse('sign_in_failed', texts.loginWrong)
  const { person } = found
  return inTransaction(
    system,
    async (tx) => {
      // Whoever changes the password or a factor waits for this lock, and then ends this session too.
      const row = await lockPerson(tx, system, person)
      // A password changed since it was looked at, in this very moment, is the wrong one.
      if (row?.passwordHash !== found.passwordHash || row.status !== 'active')
        refuse('sign_in_failed', texts.loginWrong)
      const factors = await readFactors(tx, system, person)
      if (factors.count > 0) return openChallenge(tx, system, { person, row, factors })
      return admit(tx, system, { person, row, device, withFactor: false })
    },
    person,
  )
}

type Found = { person: PersonKey; passwordHash: string; isKnownDevice: boolean }

function findPerson(system: System, kind: Kind, email: string, device: Device): Promise<Found | null> {
  return reading(system, async (tx) => {
    const row = await findActive(tx, system, kind, email)
    if (!row) return null
    const person = { kind, id: row.id }
    return { person, passwordHash: row.password_hash, isKnownDevice: await isKnownDevice(tx, system, person, device) }
  })
}

function findActive(tx: Tx, system: System, kind: Kind, email: string) {
  return kind === 'member'
    ? tx
        .selectFrom('members')
        .select(['member_id as id', 'password_hash'])
        .where('workspace_id', '=', system.workspaceId)
        .where(sql`lower(email)`, '=', email.toLowerCase())
        .where('status', '=', 'active')
        .executeTakeFirst()
    : tx
        .selectFrom('staff_users')
        .select(['staff_id as id', 'password_hash'])
        .where('workspace_id', '=', system.workspaceId)
        .where(sql`lower(email)`, '=', email.toLowerCase())
        .where('status', '=', 'active')
        .executeTakeFirst()
}
