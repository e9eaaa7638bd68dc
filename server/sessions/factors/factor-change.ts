import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import type { Actor, Member, Staff } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import type { Tx } from '../../foundation/database/database.ts'
import { refuse } from '../../foundation/errors.ts'
import { notifyByMail } from '../../notifications/notify.ts'
import { readWorkspace } from '../../workspaces/workspace.ts'
import { lockSelf, personOf } from '../own-sessions.ts'
import { endSessionsOf } from '../passwords/new-password.ts'
import { memberIdOf, type Person, type PersonKey, rowsOf } from '../person.ts'
import { type Factors, readFactors } from './factors.ts'
import { type FactorName, type FactorOwner, factorAddedMail, factorRemovedMail } from './notifications.ts'
import { requireProof } from './proof.ts'
import { endRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts'

export type Changing = { person: PersonKey; row: Person; factors: Factors }

/** Begins every change of a factor: requires a fresh proof and locks the person's row. */
export async function beginChange(tx: Tx, actor: Member | Staff): Promise<Changing> {
  const person = personOf(actor)
  const row = await lockSelf(tx, actor)
  await requireProof(tx, actor)
  return { person, row, factors: await readFactors(tx, actor, person) }
}

export function ownerOf({ person, row }: Pick<Changing, 'person' | 'row'>): FactorOwner {
  return { to: row.email, memberId: memberIdOf(person), kind: person.kind }
}

type Change = { changing: Changing; factor: FactorName; id: string }

/**
 * Finishes adding a factor. The first factor creates recovery codes, ends the person's other sessions and forgets their
 * browsers, because a password alone opened them.
 */
export async function finishAdding(tx: Tx, actor: Member | Staff, change: Change): Promise<string[] | null> {
  const { person, factors } = change.changing
  const now = actor.context.clock.now()
  await tx
    .updateTable('sessions')
    .set({ second_factor_at: now })
    .where('workspace_id', '=', actor.workspaceId)
    .where('session_id', '=', actor.sessionId)
    .where('second_factor_at', 'is', null)
    .execute()
  const isFirst = factors.count === 0
  if (isFirst) await endSessionsOf(tx, actor, person)
  await recordChange(tx, actor, change, 'second-factor.added')
  await notifyByMail(tx, actor, factorAddedMail(ownerOf(change.changing), change.factor, now))
  return isFirst ? replaceRecoveryCodes(tx, actor, person) : null
}

/** Keeps the last factor where the workspace requires one: without it the next call would lock its owner out. */
export async function refuseLastRequired(tx: Tx, actor: Member | Staff, { factors }: Changing): Promise<void> {
  const { settings } = await readWorkspace(tx, actor)
  const rule = actor.kind === 'member' ? settings.second_factor_members : settings.second_factor_staff
  if (factors.count === 1 && rule === 'required') refuse('conflict', sessionTexts.factorNeeded)
}

/** Finishes removing a factor. Without any left, recovery codes end and no session counts as opened with a second factor. */
export async function finishRemoving(tx: Tx, actor: Member | Staff, change: Change): Promise<void> {
  const { person } = change.changing
  const { count } = await readFactors(tx, actor, person)
  if (count === 0) await forgetFactors(tx, actor, person)
  await recordChange(tx, actor, change, 'second-factor.removed')
  await notifyByMail(tx, actor, factorRemovedMail(ownerOf(change.changing), change.factor, actor.context.clock.now()))
}

export async function forgetFactors(tx: Tx, actor: Actor, person: PersonKey): Promise<void> {
  await endRecoveryCodes(tx, actor, person)
  await tx.updateTable('sessions').set({ second_factor_at: null }).where(rowsOf(actor, person)).execute()
}

async function recordChange(tx: Tx, actor: Actor, { changing, factor, id }: Change, action: string): Promise<void> {
  const memberId = memberIdOf(changing.person) ?? undefined
  await audit(tx, actor, { action, subject: { kind: factor, id }, memberId, after: { factor } })
}
