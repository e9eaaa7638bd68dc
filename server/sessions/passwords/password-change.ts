import { limits } from '@atrium/contract/limits.ts'
import type { changePassword as changeCall } from '@atrium/contract/sessions/calls.ts'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { z } from 'zod'
import type { Member, Staff } from '../../foundation/actor.ts'
import { systemActor } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import { inTransaction, reading } from '../../foundation/database/database.ts'
import { assertState, refuse, refuseFields } from '../../foundation/errors.ts'
import { guess, type Limit } from '../../foundation/rate-limit.ts'
import { notifyByMail } from '../../notifications/notify.ts'
import { passwordChangedMail } from '../notifications.ts'
import { lockSelf, personOf } from '../own-sessions.ts'
import { type Person, readPerson } from '../person.ts'
import type { Device } from '../session.ts'
import { refuseWeakPassword, replacePassword } from './new-password.ts'
import { hashPassword, isPasswordOf } from './password.ts'

type ChangeInput = z.output<(typeof changeCall)['input']>

/**
 * As at sign-in, but counted apart: guesses at sign-in must not stop a signed-in owner from changing the password, and
 * guesses of a stolen session must not stop the owner from signing in.
 */
export const currentPasswordGuesses: Limit[] = [
  { name: 'current-password', triesMax: 10, windowSeconds: 15 * 60 },
  { name: 'current-password-day', triesMax: 100, windowSeconds: 24 * 3600 },
]

/** Requires the current password or a recent proof, so that an unattended session cannot change the password. */
export async function changePassword(actor: Member | Staff, input: ChangeInput, device: Device): Promise<void> {
  const { person, provenAt } = await readCredentials(actor)
  if (input.current_password) await proveCurrent(actor, person, input.current_password)
  else if (!isFresh(actor, provenAt)) refuseFields({ current_password: [texts.currentPasswordMissing] })
  // Compared with the typed password, never with the hash, which would answer guesses without counting them.
  if (input.password === input.current_password) refuseFields({ password: [sessionTexts.passwordUnchanged] })
  await refuseWeakPassword(actor, input.password)
  const hash = await hashPassword(input.password, actor)
  await inTransaction(actor, async (tx) => {
    const now = await lockSelf(tx, actor)
    // Another change, such as a reset, came first: the password proven above is outdated.
    if (now.passwordHash !== person.passwordHash) refuse('conflict', texts.currentPasswordWrong)
    await replacePassword(tx, actor, { person, hash })
    await audit(tx, actor, { action: 'password.changed', subject: { kind: person.kind, id: person.id } })
    const at = actor.context.clock.now()
    await notifyByMail(tx, actor, passwordChangedMail(person, { how: 'changed', device, at }))
  })
}

async function readCredentials(actor: Member | Staff): Promise<{ person: Person; provenAt: Date }> {
  return reading(actor, async (tx) => {
    const person = await readPerson(tx, actor, personOf(actor))
    const session = await tx
      .selectFrom('sessions')
      .select('proven_at')
      .where('workspace_id', '=', actor.workspaceId)
      .where('session_id', '=', actor.sessionId)
      .executeTakeFirst()
    assertState(person && session, 'a session without its person')
    return { person, provenAt: session.proven_at }
  })
}

/** A clock set back makes a proof in the future, which is not fresh either. */
function isFresh(actor: Member | Staff, provenAt: Date): boolean {
  const ageMs = actor.context.clock.now().getTime() - provenAt.getTime()
  return ageMs >= 0 && ageMs <= limits.freshSignInMinutes * 60_000
}

async function proveCurrent(actor: Member | Staff, person: Person, typed: string): Promise<void> {
  const counted = currentPasswordGuesses.map((limit) => [limit, person.id] as const)
  const system = systemActor(actor.context, actor.workspaceId)
  const isRight = await guess(system, counted, () => isPasswordOf(person.passwordHash, typed, actor))
  if (!isRight) refuseFields({ current_password: [texts.currentPasswordWrong] })
}
