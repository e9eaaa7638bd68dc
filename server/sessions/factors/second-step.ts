import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import type { System } from '../../foundation/actor.ts'
import { inTransaction, reading } from '../../foundation/database/database.ts'
import { refuse } from '../../foundation/errors.ts'
import { type Limit, networkOf, takeTry } from '../../foundation/rate-limit.ts'
import { admit, readAdmission, type SignedIn } from '../admission.ts'
import { readFairly } from '../fair-reads.ts'
import { isDeviceOf } from '../known-device.ts'
import { type Kind, lockPerson } from '../person.ts'
import type { Device } from '../session.ts'
import { findChallenge, markOfPassword, type OpenChallenge, spendChallenge } from '../sign-in-challenge.ts'
import { placeOf } from '../sign-in-limits.ts'
import { type GivenFactor, takeFactorTry, useFactor } from './factor-check.ts'

/** A challenge cannot be guessed; this limits the load of attempts with unknown ones. */
const perNetwork: Limit = { name: 'second-step-network', triesMax: 60, windowSeconds: 15 * 60 }
/** A typing error may happen; after several the password is required again. */
const perChallenge: Limit = { name: 'second-step', triesMax: 5, windowSeconds: 15 * 60 }

/**
 * The second step of a sign-in: challenge and factor open the session. Both are consumed in one transaction under the
 * person's lock, so that neither opens another session.
 */
export async function signInWithFactor(
  system: System,
  kind: Kind,
  { challenge, ...given }: GivenFactor & { challenge: string },
  device: Device,
): Promise<SignedIn> {
  const found = await readFairly(system, (tx) => findChallenge(tx, system, kind, challenge))
  if (!found) {
    // After the look-up: attempts of others in the same network must not stop somebody whose password was right.
    await takeTry(system, perNetwork, networkOf(device.address))
    refuseExpired()
  }
  await takeTry(system, perChallenge, found.id)
  // Wrong codes of somebody who knows the password must not use up those of the owner's own browsers.
  const isKnown = await reading(system, (tx) => isDeviceOf(tx, system, found.person, device))
  const place = placeOf(found.passwordMark.toString('hex'), isKnown)
  const giveBack = await takeFactorTry(system, found.person, given, place)
  const signedIn = await openWith(system, found, given, device)
  await giveBack()
  return signedIn
}

function openWith(system: System, challenge: OpenChallenge, given: GivenFactor, device: Device): Promise<SignedIn> {
  const { person, passkeyChallenge } = challenge
  return inTransaction(
    system,
    async (tx) => {
      const row = await lockPerson(tx, system, person)
      if (row?.status !== 'active' || !markOfPassword(row.passwordHash).equals(challenge.passwordMark)) refuseExpired()
      if (!(await spendChallenge(tx, system, challenge))) refuseExpired()
      // A wrong factor rolls this back: it consumes an attempt, but not the challenge.
      await useFactor(tx, system, { person, row, given, passkeyChallenge })
      const read = await readAdmission(tx, system, person, device)
      return admit(tx, system, { person, row, device, withFactor: true, read })
    },
    person,
  )
}

function refuseExpired(): never {
  refuse('sign_in_failed', sessionTexts.secondFactorExpired)
}
