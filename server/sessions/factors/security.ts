import type { Member, Staff } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import { inTransaction, reading } from '../../foundation/database/database.ts'
import { refuseNotFound } from '../../foundation/errors.ts'
import { notifyByMail } from '../../notifications/notify.ts'
import { readWorkspace } from '../../workspaces/workspace.ts'
import { personOf } from '../own-sessions.ts'
import { memberIdOf } from '../person.ts'
import { beginChange, ownerOf } from './factor-change.ts'
import { readFactors } from './factors.ts'
import { recoveryCodesRenewedMail } from './notifications.ts'
import { proofMethodsOf, readProvenUntil } from './proof.ts'
import { countRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts'
import { withdrawalsHeldUntil } from './withdrawal-hold.ts'

/** Everything a person sees about the security of their own account. */
export async function readSecurity(actor: Member | Staff) {
  const person = personOf(actor)
  return reading(actor, async (tx) => {
    const { settings } = await readWorkspace(tx, actor)
    const rule = actor.kind === 'member' ? settings.second_factor_members : settings.second_factor_staff
    const { totp, passkeys } = await readFactors(tx, actor, person)
    const heldUntil = actor.kind === 'member' ? await withdrawalsHeldUntil(tx, actor, actor.memberId) : null
    const provenUntil = await readProvenUntil(tx, actor)
    return {
      is_required: rule === 'required',
      must_enrol: actor.mustEnrol,
      totp: totp && { created_at: totp.created_at.getTime() },
      passkeys: passkeys.map(({ passkey_id, name, created_at, last_used_at }) => ({
        _id: passkey_id,
        name,
        created_at: created_at.getTime(),
        last_used_at: last_used_at?.getTime() ?? null,
      })),
      recovery_codes_left: await countRecoveryCodes(tx, actor, person),
      proof_methods: await proofMethodsOf(tx, actor),
      proven_until: provenUntil?.getTime() ?? null,
      withdrawals_held_until: heldUntil?.getTime() ?? null,
    }
  })
}

/** Replaces the recovery codes; refused without a factor for which they could stand in. */
export async function renewRecoveryCodes(actor: Member | Staff): Promise<string[]> {
  return inTransaction(actor, async (tx) => {
    const changing = await beginChange(tx, actor)
    if (changing.factors.count === 0) refuseNotFound()
    const { person } = changing
    const codes = await replaceRecoveryCodes(tx, actor, person)
    const subject = { kind: person.kind, id: person.id }
    await audit(tx, actor, { action: 'recovery-codes.renewed', subject, memberId: memberIdOf(person) ?? undefined })
    await notifyByMail(tx, actor, recoveryCodesRenewedMail(ownerOf(changing), actor.context.clock.now()))
    return codes
  })
}
