import { createHash } from 'node:crypto'
import { limits } from '@atrium/contract/limits.ts'
import type { System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import type { Tx } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { type FactorMethod, type Factors, methodsOf } from './factors/factors.ts'
import { requestOf, siteOf } from './factors/passkey-ceremony.ts'
import { type Kind, memberIdOf, ownedBy, type Person, type PersonKey, rowsOf } from './person.ts'
import { hashToken, makeToken } from './token.ts'

/** The sign-in result for a person with a second factor: a challenge instead of a session. */
export type Challenged = {
  challenge: string
  expiresAt: Date
  methods: FactorMethod[]
  passkey: Awaited<ReturnType<typeof requestOf>> | null
}

/** Ties the challenge to the password that opened it: a new password ends the challenge. */
export function markOfPassword(passwordHash: string): Buffer {
  return createHash('sha256').update(passwordHash).digest()
}

type Asked = { person: PersonKey; row: Person; factors: Factors }

export async function openChallenge(tx: Tx, system: System, { person, row, factors }: Asked): Promise<Challenged> {
  const challenge = makeToken()
  const now = system.context.clock.now()
  const expiresAt = new Date(now.getTime() + limits.secondFactorMinutes * 60_000)
  const passkey = await requestOf(await siteOf(tx, system), factors)
  await dropExpired(tx, system, person, now)
  await tx
    .insertInto('sign_in_challenges')
    .values({
      workspace_id: system.workspaceId,
      challenge_id: newId(),
      ...ownedBy(person),
      token_hash: hashToken(challenge),
      password_mark: markOfPassword(row.passwordHash),
      passkey_challenge: passkey.challenge,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute()
  const subject = { kind: person.kind, id: person.id }
  const memberId = memberIdOf(person) ?? undefined
  await audit(tx, system, { action: 'second-factor.asked', subject, by: subject, memberId })
  const methods = await methodsOf(tx, system, person, factors)
  return { challenge, expiresAt, methods, passkey: factors.passkeys.length > 0 ? passkey : null }
}

/** Each sign-in adds a row, so expired ones are deleted. */
async function dropExpired(tx: Tx, system: System, person: PersonKey, now: Date): Promise<void> {
  await tx.deleteFrom('sign_in_challenges').where(rowsOf(system, person)).where('expires_at', '<=', now).execute()
}

export type OpenChallenge = { id: string; person: PersonKey; passwordMark: Buffer; passkeyChallenge: string }

/** An open challenge for this kind of person: a member's does not work at the desk. */
export async function findChallenge(
  tx: Tx,
  system: System,
  kind: Kind,
  challenge: string,
): Promise<OpenChallenge | null> {
  const now = system.context.clock.now()
  const row = await tx
    .selectFrom('sign_in_challenges')
    .select(['challenge_id', 'member_id', 'staff_id', 'password_mark', 'passkey_challenge'])
    .where('workspace_id', '=', system.workspaceId)
    .where('token_hash', '=', hashToken(challenge))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    // A clock that was set back revives nothing.
    .where('created_at', '<=', now)
    .executeTakeFirst()
  const id = kind === 'member' ? row?.member_id : row?.staff_id
  if (!row || !id) return null
  const { challenge_id, password_mark: passwordMark, passkey_challenge: passkeyChallenge } = row
  return { id: challenge_id, person: { kind, id }, passwordMark, passkeyChallenge }
}

/** True for exactly one of several concurrent calls. */
export async function spendChallenge(tx: Tx, system: System, { id }: OpenChallenge): Promise<boolean> {
  const spent = await tx
    .updateTable('sign_in_challenges')
    .set({ used_at: system.context.clock.now() })
    .where('workspace_id', '=', system.workspaceId)
    .where('challenge_id', '=', id)
    .where('used_at', 'is', null)
    .returning('challenge_id')
    .executeTakeFirst()
  return spent !== undefined
}
