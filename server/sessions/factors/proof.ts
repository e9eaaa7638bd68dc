import { limits } from '@atrium/contract/limits.ts'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { type Member, type Staff, systemActor } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import { inTransaction, type Tx } from '../../foundation/database/database.ts'
import { refuse, refuseFields } from '../../foundation/errors.ts'
import { guess } from '../../foundation/rate-limit.ts'
import { lockSelf, personOf } from '../own-sessions.ts'
import { isPasswordOf } from '../passwords/password.ts'
import { currentPasswordGuesses } from '../passwords/password-change.ts'
import { memberIdOf, type PersonKey } from '../person.ts'
import { type GivenFactor, takeFactorTry, useFactor } from './factor-check.ts'
import { type FactorMethod, methodsOf, readFactors } from './factors.ts'
import { requestOf, siteOf } from './passkey-ceremony.ts'
import { keepPasskeyChallenge, takePasskeyChallenge } from './passkey-challenge.ts'

/**
 * An unattended or stolen session must not suffice for irreversible actions: the person proves their identity by a
 * sign-in or a proof within the last `limits.freshSignInMinutes`.
 */
const freshMs = limits.freshSignInMinutes * 60_000

/**
 * When the session's last proof expires; null when it has, or when the session was ended during the call. A proof in the
 * future (a clock set back) is invalid.
 */
export async function readProvenUntil(tx: Tx, actor: Member | Staff): Promise<Date | null> {
  const session = await tx
    .selectFrom('sessions')
    .select('proven_at')
    .where('workspace_id', '=', actor.workspaceId)
    .where('session_id', '=', actor.sessionId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (!session) return null
  const ageMs = actor.context.clock.now().getTime() - session.proven_at.getTime()
  return ageMs >= 0 && ageMs <= freshMs ? new Date(session.proven_at.getTime() + freshMs) : null
}

/**
 * Refuses with `proof_required`, on which the web asks for the proof and repeats the call. Refuses a colleague whose role
 * changed since the call began, too: its right was checked then, and it may have waited for a lock.
 */
export async function requireProof(tx: Tx, actor: Member | Staff): Promise<void> {
  if (!(await readProvenUntil(tx, actor))) refuse('proof_required', sessionTexts.proofRequired)
  if (actor.kind === 'staff') await refuseOtherRole(tx, actor)
}

async function refuseOtherRole(tx: Tx, staff: Staff): Promise<void> {
  const colleague = await tx
    .selectFrom('staff_users')
    .select('role')
    .where('workspace_id', '=', staff.workspaceId)
    .where('staff_id', '=', staff.staffId)
    .executeTakeFirst()
  if (colleague?.role !== staff.role) refuse('not_permitted', deskTexts.ownRoleChanged)
}

export type ProofMethod = FactorMethod | 'password'

/** A person with a second factor proves with it, since it exists to back up the password. */
export async function proofMethodsOf(tx: Tx, actor: Member | Staff): Promise<ProofMethod[]> {
  const person = personOf(actor)
  const factors = await readFactors(tx, actor, person)
  return factors.count > 0 ? methodsOf(tx, actor, person, factors) : ['password']
}

/** Starts a passkey proof. */
export async function startProof(actor: Member | Staff) {
  return inTransaction(actor, async (tx) => {
    await lockSelf(tx, actor)
    const request = await requestOf(await siteOf(tx, actor), await readFactors(tx, actor, personOf(actor)))
    await keepPasskeyChallenge(tx, actor, 'proof', request.challenge)
    await audit(tx, actor, { action: 'proof.asked', subject: { kind: 'session', id: actor.sessionId } })
    return request
  })
}

type Given = GivenFactor & { password?: string | undefined }

/** Records the proof; returns when it expires. */
export async function prove(actor: Member | Staff, given: Given): Promise<Date> {
  const person = personOf(actor)
  if (given.password !== undefined) {
    const passwordHash = await provePassword(actor, person, given.password)
    return inTransaction(actor, async (tx) => {
      const row = await lockSelf(tx, actor)
      // Both may have changed since the check.
      if (row.passwordHash !== passwordHash) refuseFields({ password: [texts.currentPasswordWrong] })
      await refusePasswordAlone(tx, actor, person)
      return record(tx, actor)
    })
  }
  const giveBack = await takeFactorTry(actor, person, given, 'proof')
  const until = await inTransaction(actor, async (tx) => {
    const row = await lockSelf(tx, actor)
    const passkeyChallenge = given.passkey ? await takePasskeyChallenge(tx, actor, 'proof') : null
    await useFactor(tx, actor, { person, row, given, passkeyChallenge })
    return record(tx, actor)
  })
  await giveBack()
  return until
}

/** Counted together with password changes, since both guess the same password from a session. */
async function provePassword(actor: Member | Staff, person: PersonKey, typed: string): Promise<string> {
  const row = await inTransaction(actor, async (tx) => {
    await refusePasswordAlone(tx, actor, person)
    return lockSelf(tx, actor)
  })
  const system = systemActor(actor.context, actor.workspaceId)
  const counted = currentPasswordGuesses.map((limit) => [limit, person.id] as const)
  const isRight = await guess(system, counted, () => isPasswordOf(row.passwordHash, typed, actor))
  if (!isRight) refuseFields({ password: [texts.currentPasswordWrong] })
  return row.passwordHash
}

async function refusePasswordAlone(tx: Tx, actor: Member | Staff, person: PersonKey): Promise<void> {
  const { count } = await readFactors(tx, actor, person)
  if (count > 0) refuseFields({ password: [sessionTexts.proofByFactor] })
}

async function record(tx: Tx, actor: Member | Staff): Promise<Date> {
  const now = actor.context.clock.now()
  const subject = { kind: 'session', id: actor.sessionId }
  await tx
    .updateTable('sessions')
    .set({ proven_at: now })
    .where('workspace_id', '=', actor.workspaceId)
    .where('session_id', '=', actor.sessionId)
    .execute()
  await audit(tx, actor, { action: 'session.proven', subject, memberId: memberIdOf(personOf(actor)) ?? undefined })
  return new Date(now.getTime() + freshMs)
}
