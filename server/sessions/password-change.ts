import { limits } from '@atrium/contract/limits.ts'
import type { changePassword as changeCall } from '@atrium/contract/sessions.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { z } from 'zod'
import type { Member } from '../foundation/actor.ts'
import { systemActor } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading } from '../foundation/database.ts'
import { assertState, refuse, refuseFields } from '../foundation/errors.ts'
import { guess, type Limit } from '../foundation/rate-limit.ts'
import { sendMail } from '../notifications/mail.ts'
import { passwordChangedMail } from './mails.ts'
import { refuseWeakPassword, replacePassword } from './new-password.ts'
import { hashPassword, isPasswordOf } from './password.ts'
import type { Device } from './session.ts'

type ChangeInput = z.output<(typeof changeCall)['input']>

/**
 * As at sign-in, but counted apart from it: whoever guesses at the door must not keep the owner inside from changing the
 * lock, and a stolen session's guesses must not keep the owner out.
 */
const guesses: Limit[] = [
  { name: 'current-password', triesMax: 10, windowSeconds: 15 * 60 },
  { name: 'current-password-day', triesMax: 100, windowSeconds: 24 * 3600 },
]

/** Needs the current password, or a sign-in of the last minutes: a session left open somewhere changes no password. */
export async function changePassword(member: Member, input: ChangeInput, device: Device): Promise<void> {
  const { email, password_hash, signed_in_at } = await readCredentials(member)
  if (input.current_password) await proveCurrent(member, password_hash, input.current_password)
  else if (!isFresh(member, signed_in_at)) refuseFields({ current_password: [texts.currentPasswordMissing] })
  // Compared with what was typed, never with the hash: that would answer guesses without counting them.
  if (input.password === input.current_password) refuseFields({ password: [texts.passwordUnchanged] })
  await refuseWeakPassword(member, input.password)
  const hash = await hashPassword(input.password)
  await inTransaction(member, async (tx) => {
    const current = await tx
      .selectFrom('members')
      .select('password_hash')
      .where('workspace_id', '=', member.workspaceId)
      .where('member_id', '=', member.memberId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    // Somebody else was faster, with a reset link perhaps: what was proven above is no longer the password.
    if (current.password_hash !== password_hash) refuse('conflict', texts.currentPasswordWrong)
    await replacePassword(tx, member, { memberId: member.memberId, hash })
    await audit(tx, member, { action: 'password.changed', subject: { kind: 'member', id: member.memberId } })
    const at = member.ground.clock.now()
    const recipient = { to: email, memberId: member.memberId }
    await sendMail(tx, member, passwordChangedMail(recipient, { how: 'changed', device, at }))
  })
}

async function readCredentials(member: Member) {
  const row = await reading(member, (tx) =>
    tx
      .selectFrom('members')
      .innerJoin('sessions', (join) =>
        join
          .onRef('sessions.workspace_id', '=', 'members.workspace_id')
          .onRef('sessions.member_id', '=', 'members.member_id'),
      )
      .select(['members.email', 'members.password_hash', 'sessions.created_at as signed_in_at'])
      .where('members.workspace_id', '=', member.workspaceId)
      .where('members.member_id', '=', member.memberId)
      .where('sessions.session_id', '=', member.sessionId)
      .executeTakeFirst(),
  )
  assertState(row, 'a member in a session has both')
  return row
}

/** A clock that was set back makes a sign-in of the future, which is not a fresh one either. */
function isFresh(member: Member, signedInAt: Date): boolean {
  const ageMs = member.ground.clock.now().getTime() - signedInAt.getTime()
  return ageMs >= 0 && ageMs <= limits.freshSignInMinutes * 60_000
}

async function proveCurrent(member: Member, passwordHash: string, typed: string): Promise<void> {
  const counted = guesses.map((limit) => [limit, member.memberId] as const)
  const system = systemActor(member.ground, member.workspaceId)
  const isRight = await guess(system, counted, () => isPasswordOf(passwordHash, typed))
  if (!isRight) refuseFields({ current_password: [texts.currentPasswordWrong] })
}
