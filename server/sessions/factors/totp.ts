import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { Member, Staff } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import { inTransaction, type Tx } from '../../foundation/database/database.ts'
import { refuseFields, refuseNotFound } from '../../foundation/errors.ts'
import { newId } from '../../foundation/ids.ts'
import { readWorkspace } from '../../workspaces/workspace.ts'
import { ownedBy, type PersonKey, rowsOf } from '../person.ts'
import { beginChange, finishAdding, finishRemoving, refuseLastRequired } from './factor-change.ts'
import { makeTotpSecret, stepOfCode, totpUri } from './totp-code.ts'

/** Creates a secret and returns it once. It becomes active when a code confirms it. */
export async function startTotp(actor: Member | Staff): Promise<{ secret: string; uri: string }> {
  const secret = makeTotpSecret()
  return inTransaction(actor, async (tx) => {
    const { person, row } = await beginChange(tx, actor)
    await dropDrafts(tx, actor, person)
    const totp_id = newId()
    const own = { workspace_id: actor.workspaceId, totp_id, ...ownedBy(person) }
    const { clock, seal } = actor.context
    await tx
      .insertInto('totp_factors')
      .values({ ...own, sealed_secret: seal.seal(secret), created_at: clock.now() })
      .execute()
    await audit(tx, actor, { action: 'second-factor.started', subject: { kind: 'totp', id: totp_id } })
    const { name } = await readWorkspace(tx, actor)
    return { secret, uri: totpUri(secret, { issuer: name, label: row.email }) }
  })
}

async function dropDrafts(tx: Tx, actor: Member | Staff, person: PersonKey): Promise<void> {
  await tx.deleteFrom('totp_factors').where(rowsOf(actor, person)).where('confirmed_at', 'is', null).execute()
}

/** A right code proves that the app has the secret. It replaces a previous app. */
export async function confirmTotp(actor: Member | Staff, code: string): Promise<string[] | null> {
  return inTransaction(actor, async (tx) => {
    const changing = await beginChange(tx, actor)
    const { clock, seal } = actor.context
    const now = clock.now()
    const draft = await findDraft(tx, actor, changing.person)
    const step = draft ? stepOfCode(seal.open(draft.sealed_secret), code, now) : null
    if (!draft || step === null) refuseFields({ code: [texts.codeWrong] })
    const earlier = changing.factors.totp
    if (earlier) await markRemoved(tx, actor, earlier.totp_id)
    await tx
      .updateTable('totp_factors')
      .set({ confirmed_at: now, last_step: step })
      .where('workspace_id', '=', actor.workspaceId)
      .where('totp_id', '=', draft.totp_id)
      .execute()
    return finishAdding(tx, actor, { changing, factor: 'totp', id: draft.totp_id })
  })
}

function findDraft(tx: Tx, actor: Member | Staff, person: PersonKey) {
  const startedAfter = new Date(actor.context.clock.now().getTime() - limits.freshSignInMinutes * 60_000)
  return tx
    .selectFrom('totp_factors')
    .select(['totp_id', 'sealed_secret'])
    .where(rowsOf(actor, person))
    .where('confirmed_at', 'is', null)
    .where('created_at', '>', startedAfter)
    .executeTakeFirst()
}

export async function removeTotp(actor: Member | Staff): Promise<void> {
  await inTransaction(actor, async (tx) => {
    const changing = await beginChange(tx, actor)
    const { totp } = changing.factors
    if (!totp) refuseNotFound()
    await refuseLastRequired(tx, actor, changing)
    await markRemoved(tx, actor, totp.totp_id)
    await finishRemoving(tx, actor, { changing, factor: 'totp', id: totp.totp_id })
  })
}

async function markRemoved(tx: Tx, actor: Member | Staff, totpId: string): Promise<void> {
  await tx
    .updateTable('totp_factors')
    .set({ removed_at: actor.context.clock.now() })
    .where('workspace_id', '=', actor.workspaceId)
    .where('totp_id', '=', totpId)
    .execute()
}
