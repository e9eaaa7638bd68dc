import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { emailKey } from '@atrium/contract/validators/reach.ts'
import { sql } from 'kysely'
import type { System } from '../foundation/actor.ts'
import { makeConcurrencyLimiter } from '../foundation/concurrency-limiter.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { emailSpellings } from '../foundation/email-spellings.ts'
import { refuse } from '../foundation/errors.ts'
import { guess, networkOf, refuseIfUsedUp, takeTry } from '../foundation/rate-limit.ts'
import { admit, type SignedIn } from './admission.ts'
import { readFactors } from './factors/factors.ts'
import { isKnownDevice } from './known-device.ts'
import { refuseOverlongPassword } from './passwords/new-password.ts'
import { isPasswordOf } from './passwords/password.ts'
import { type Kind, lockPerson, type PersonKey } from './person.ts'
import type { Device } from './session.ts'
import { type Challenged, openChallenge } from './sign-in-challenge.ts'
import { rightPasswords, signInLimits } from './sign-in-limits.ts'

type Credentials = { email: string; password: string }

/** Reads of sign-ins wait for each other here, by brokerage and network, so that they never hold every connection. */
const looking = makeConcurrencyLimiter(2, { waitingMax: 512 })

/**
 * Signs a member or a desk user in, or asks whoever has a second factor for it (second-step.ts goes on from there). A wrong
 * email and a wrong password are the same to the caller: same words, same work. The try is counted before the account and
 * its password are looked at, and given back when the password was right. Up to there nothing depends on whether the account
 * exists, so a try beyond a limit, of which there may be any number, says nothing about it.
 */
export async function signIn(
  system: System,
  kind: Kind,
  credentials: Credentials,
  device: Device,
): Promise<SignedIn | Challenged> {
  const { email, password } = credentials
  const name = `${kind}:${emailKey(email)}`
  // Whoever shows no key is a stranger without asking the database.
  if (!device.key) refuseIfUsedUp(system, signInLimits(name, device, false))
  const isKnown = await waitingFairly(system, async (tx) => {
    await refuseOverlongPassword(tx, system, password)
    return isKnownDevice(tx, system, kind, email, device)
  })
  let found = null as Found | null
  const isRight = await guess(system, signInLimits(name, device, isKnown), async () => {
    found = await waitingFairly(system, (tx) => findActive(tx, system, kind, email))
    return isPasswordOf(found?.passwordHash ?? null, password, system)
  })
  if (!isRight || !found) refuse('sign_in_failed', sessionTexts.loginWrong)
  return enter(system, found, device)
}

function waitingFairly<Result>(system: System, read: (tx: Tx) => Promise<Result>): Promise<Result> {
  const place = { whose: system.workspaceId, network: networkOf(system.address) }
  return looking(() => reading(system, read), place)
}

type Found = { person: PersonKey; passwordHash: string }

async function enter(system: System, found: Found, device: Device): Promise<SignedIn | Challenged> {
  const { person, passwordHash } = found
  await takeTry(system, rightPasswords, `${person.kind}:${person.id}`)
  return inTransaction(
    system,
    async (tx) => {
      // Whoever changes the password or a factor waits for this lock, and then ends this session too.
      const row = await lockPerson(tx, system, person)
      // A password changed since it was looked at, in this very moment, is the wrong one.
      if (row?.passwordHash !== passwordHash || row.status !== 'active')
        refuse('sign_in_failed', sessionTexts.loginWrong)
      const factors = await readFactors(tx, system, person)
      if (factors.count > 0) return openChallenge(tx, system, { person, row, factors })
      return admit(tx, system, { person, row, device, withFactor: false })
    },
    person,
  )
}

async function findActive(tx: Tx, system: System, kind: Kind, email: string): Promise<Found | null> {
  const row =
    kind === 'member'
      ? await tx
          .selectFrom('members')
          .select(['member_id as id', 'password_hash'])
          .where('workspace_id', '=', system.workspaceId)
          .where(sql`lower(email)`, 'in', emailSpellings(email))
          .where('status', '=', 'active')
          .executeTakeFirst()
      : await tx
          .selectFrom('staff_users')
          .select(['staff_id as id', 'password_hash'])
          .where('workspace_id', '=', system.workspaceId)
          .where(sql`lower(email)`, 'in', emailSpellings(email))
          .where('status', '=', 'active')
          .executeTakeFirst()
  return row ? { person: { kind, id: row.id }, passwordHash: row.password_hash } : null
}
