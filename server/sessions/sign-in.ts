import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { emailKey } from '@atrium/contract/validators/reach.ts'
import { sql } from 'kysely'
import type { System } from '../foundation/actor.ts'
import { inPreparedTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { prepareStatement } from '../foundation/database/prepared-statement.ts'
import { emailSpellings, memberHasEmail } from '../foundation/email-spellings.ts'
import { Refusal, refuse } from '../foundation/errors.ts'
import {
  type Counted,
  countTries,
  refuseIfUsedUp,
  returnTries,
  takeTries,
  uncountTries,
} from '../foundation/rate-limit.ts'
import { admit, readAdmission, type SignedIn } from './admission.ts'
import { readFactors } from './factors/factors.ts'
import { readFairly } from './fair-reads.ts'
import { isKnownDevice } from './known-device.ts'
import { refuseOverlongPassword } from './passwords/new-password.ts'
import { findByPassword } from './passwords/password.ts'
import { type Kind, lockPerson, type PersonKey } from './person.ts'
import type { Device } from './session.ts'
import { type Challenged, openChallenge } from './sign-in-challenge.ts'
import { limitOfRightPasswords, signInLimits } from './sign-in-limits.ts'

type Credentials = { email: string; password: string }

/**
 * Signs in a member or desk user, or asks for the second factor (second-step.ts continues). The attempt is counted
 * before account and password are checked and refunded for a right password, and a wrong email gets the same answer
 * with the same work as a wrong password, so that nothing reveals whether the account exists.
 */
export async function signIn(
  system: System,
  kind: Kind,
  credentials: Credentials,
  device: Device,
): Promise<SignedIn | Challenged> {
  const { email, password } = credentials
  const name = `${kind}:${emailKey(email)}`
  // A browser without a key is unknown, which needs no query.
  if (!device.key) refuseIfUsedUp(system, signInLimits(name, device, false))
  const { key } = device
  const isKnown = key ? await readFairly(system, (tx) => isKnownDevice(tx, system, kind, email, key)) : false
  const counted = signInLimits(name, device, isKnown)
  await takeTries(system, counted)
  let [isWrong, isEntering] = [false, false]
  try {
    const look = async (tx: Tx) => {
      const finding = [findActive(tx, system, kind, email), refuseOverlongPassword(tx, system, password)] as const
      return (await Promise.all(finding))[0]
    }
    const found = await findByPassword(() => reading(system, look), password, system)
    isWrong = !found
    if (!found) refuse('sign_in_failed', sessionTexts.loginWrong)
    isEntering = true
    return await enter(system, { ...found, counted, isKnown }, device)
  } catch (problem) {
    // A lost answer to the commit leaves open whether the tries were returned: they stay counted.
    const isUnknown = isEntering && !(problem instanceof Refusal)
    const isOverlong = problem instanceof Refusal && problem.code === 'invalid_input'
    if (!isWrong && !isUnknown && !isOverlong) await returnTries(system, counted)
    throw problem
  }
}

type Found = { person: PersonKey; passwordHash: string }
type Proven = Found & { counted: readonly Counted[]; isKnown: boolean }

async function enter(system: System, proven: Proven, device: Device): Promise<SignedIn | Challenged> {
  const { person, counted } = proven
  const sessions = limitOfRightPasswords(person, proven.isKnown)
  refuseIfUsedUp(system, [sessions])
  return inPreparedTransaction(
    system,
    async (tx, commitWith) => {
      // The person's row is locked first, as in every other transaction, and in the same message the right password is counted.
      const proving = provePerson(tx, system, proven, device)
      const counting = countTries(tx, system, [sessions])
      // A changed password is reported first.
      counting.catch(() => undefined)
      const proved = await proving
      await counting
      // The return locks a row of the network until the commit, so it goes with it.
      const giveBack = () => uncountTries(tx, system, counted)
      if (proved.factors.count === 0 && proved.read.isKnown) {
        const [entered] = await commitWith(() => Promise.all([admit(tx, system, proved), giveBack()]))
        return entered
      }
      const entered = await (proved.factors.count > 0 ? openChallenge(tx, system, proved) : admit(tx, system, proved))
      await commitWith(giveBack)
      return entered
    },
    person,
  )
}

/** The person whose password was compared, locked, with what the sign-in needs next. */
async function provePerson(tx: Tx, system: System, { person, passwordHash }: Proven, device: Device) {
  // A change of the password or a factor waits for this lock, and then ends this session too.
  const [row, factors, read] = await Promise.all([
    lockPerson(tx, system, person),
    readFactors(tx, system, person),
    readAdmission(tx, system, person, device),
  ])
  // The password changed after it was compared.
  if (row?.passwordHash !== passwordHash || row.status !== 'active') refuse('sign_in_failed', sessionTexts.loginWrong)
  return { person, row, factors, read, device, withFactor: false }
}

type ByEmail = { workspaceId: string; spellings: readonly string[] }

const memberByEmail = prepareStatement('member_by_email', (tx: Tx, { workspaceId, spellings }: ByEmail) =>
  tx
    .selectFrom('members')
    .select(['member_id as id', 'password_hash'])
    .where('workspace_id', '=', workspaceId)
    .where(memberHasEmail({ workspaceId }, spellings))
    .where('status', '=', 'active'),
)

const staffByEmail = prepareStatement('staff_by_email', (tx: Tx, { workspaceId, spellings }: ByEmail) =>
  tx
    .selectFrom('staff_users')
    .select(['staff_id as id', 'password_hash'])
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`lower(email) = any(${spellings}::text[])`)
    .where('status', '=', 'active'),
)

async function findActive(tx: Tx, { workspaceId }: System, kind: Kind, email: string): Promise<Found | null> {
  const find = kind === 'member' ? memberByEmail : staffByEmail
  const [row] = (await find(tx, { workspaceId, spellings: emailSpellings(email) })).rows
  return row ? { person: { kind, id: row.id }, passwordHash: row.password_hash } : null
}
