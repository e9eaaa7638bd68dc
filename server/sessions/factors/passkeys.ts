import { limits } from '@atrium/contract/limits.ts'
import type { passkeyAttestation } from '@atrium/contract/sessions/factors.ts'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import type { z } from 'zod'
import type { Member, Staff } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import { inTransaction, type Tx } from '../../foundation/database/database.ts'
import { refuse, refuseFields, refuseNotFound } from '../../foundation/errors.ts'
import { newId } from '../../foundation/ids.ts'
import { lockSelf, personOf } from '../own-sessions.ts'
import { ownedBy, type PersonKey, rowsOf } from '../person.ts'
import { beginChange, finishAdding, finishRemoving, refuseLastRequired } from './factor-change.ts'
import type { Factors } from './factors.ts'
import { creationOf, siteOf, verifyAttestation } from './passkey-ceremony.ts'
import { keepPasskeyChallenge, takePasskeyChallenge } from './passkey-challenge.ts'

function refuseTooMany({ passkeys }: Factors): void {
  if (passkeys.length >= limits.passkeysMax) refuse('conflict', sessionTexts.passkeysFull)
}

/** Options for creating a passkey. The challenge is stored, and the answer must match it. */
export async function startPasskey(actor: Member | Staff) {
  return inTransaction(actor, async (tx) => {
    const { person, row, factors } = await beginChange(tx, actor)
    refuseTooMany(factors)
    const creation = await creationOf(await siteOf(tx, actor), { ...row, id: person.id }, factors)
    await keepPasskeyChallenge(tx, actor, 'adding', creation.challenge)
    await audit(tx, actor, { action: 'second-factor.started', subject: { kind: 'session', id: actor.sessionId } })
    return creation
  })
}

type NewPasskey = { name: string; passkey: z.output<typeof passkeyAttestation> }

export async function addPasskey(actor: Member | Staff, { name, passkey }: NewPasskey): Promise<string[] | null> {
  return inTransaction(actor, async (tx) => {
    const changing = await beginChange(tx, actor)
    refuseTooMany(changing.factors)
    const challenge = await takePasskeyChallenge(tx, actor, 'adding')
    const made = challenge && (await verifyAttestation({ site: await siteOf(tx, actor), challenge }, passkey))
    if (!made) refuseFields({ passkey: [sessionTexts.passkeyWrong] })
    const passkey_id = newId()
    const added = await tx
      .insertInto('passkeys')
      .values({
        workspace_id: actor.workspaceId,
        passkey_id,
        ...ownedBy(changing.person),
        credential_id: made.id,
        public_key: Buffer.from(made.publicKey),
        counter: made.counter,
        transports: made.transports ?? [],
        name,
        created_at: actor.context.clock.now(),
      })
      // A credential registered before, even if removed since, is refused for anyone else.
      .onConflict((conflict) => conflict.columns(['workspace_id', 'credential_id']).doNothing())
      .returning('passkey_id')
      .executeTakeFirst()
    if (!added) refuseFields({ passkey: [sessionTexts.passkeyWrong] })
    return finishAdding(tx, actor, { changing, factor: 'passkey', id: passkey_id })
  })
}

/** The name only helps its owner distinguish passkeys, so it needs no proof. */
export async function renamePasskey(actor: Member | Staff, passkeyId: string, name: string): Promise<void> {
  await inTransaction(actor, async (tx) => {
    await lockSelf(tx, actor)
    const before = await lockPasskey(tx, actor, personOf(actor), passkeyId)
    if (before.name === name) return
    await tx
      .updateTable('passkeys')
      .set({ name })
      .where('workspace_id', '=', actor.workspaceId)
      .where('passkey_id', '=', passkeyId)
      .execute()
    const subject = { kind: 'passkey', id: passkeyId }
    await audit(tx, actor, { action: 'passkey.renamed', subject, before: { name: before.name }, after: { name } })
  })
}

export async function removePasskey(actor: Member | Staff, passkeyId: string): Promise<void> {
  await inTransaction(actor, async (tx) => {
    const changing = await beginChange(tx, actor)
    await lockPasskey(tx, actor, changing.person, passkeyId)
    await refuseLastRequired(tx, actor, changing)
    await tx
      .updateTable('passkeys')
      .set({ removed_at: actor.context.clock.now() })
      .where('workspace_id', '=', actor.workspaceId)
      .where('passkey_id', '=', passkeyId)
      .execute()
    await finishRemoving(tx, actor, { changing, factor: 'passkey', id: passkeyId })
  })
}

async function lockPasskey(tx: Tx, actor: Member | Staff, person: PersonKey, passkeyId: string) {
  const row = await tx
    .selectFrom('passkeys')
    .select(['passkey_id', 'name'])
    .where(rowsOf(actor, person))
    .where('passkey_id', '=', passkeyId)
    .where('removed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row ?? refuseNotFound()
}
