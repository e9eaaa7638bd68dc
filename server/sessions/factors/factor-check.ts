import type { passkeyAssertion } from '@atrium/contract/sessions/factors.ts'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { z } from 'zod'
import { type Actor, systemActor } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import type { Tx } from '../../foundation/database/database.ts'
import { refuseFields } from '../../foundation/errors.ts'
import { type Limit, returnTries, takeTries } from '../../foundation/rate-limit.ts'
import { notifyByMail } from '../../notifications/notify.ts'
import { memberIdOf, type Person, type PersonKey, rowsOf } from '../person.ts'
import { recoveryCodeUsedMail } from './notifications.ts'
import { siteOf, verifyAssertion } from './passkey-ceremony.ts'
import { countRecoveryCodes, useRecoveryCode } from './recovery-codes.ts'
import { stepOfCode } from './totp-code.ts'

/** The factor given: exactly one field is set. */
export type GivenFactor = {
  code?: string | undefined
  recovery_code?: string | undefined
  passkey?: z.output<typeof passkeyAssertion> | undefined
}

const quarterHour = 15 * 60
/**
 * Six digits can be guessed, so codes have a daily limit too. It does not lock the owner out: passkeys and recovery
 * codes are counted apart, and so are attempts after another password (`place`).
 */
const guesses: Record<keyof GivenFactor, Limit[]> = {
  code: [
    { name: 'factor-code', triesMax: 10, windowSeconds: quarterHour },
    { name: 'factor-code-day', triesMax: 100, windowSeconds: 24 * 3600 },
  ],
  recovery_code: [{ name: 'factor-recovery', triesMax: 10, windowSeconds: quarterHour }],
  passkey: [{ name: 'factor-passkey', triesMax: 30, windowSeconds: quarterHour }],
}

function kindOf(given: GivenFactor): keyof GivenFactor {
  if (given.code !== undefined) return 'code'
  return given.recovery_code !== undefined ? 'recovery_code' : 'passkey'
}

/** Counts the attempt before any check; returns a function that refunds it. `place` separates the counts. */
export async function takeFactorTry(actor: Actor, person: PersonKey, given: GivenFactor, place: string) {
  const system = systemActor(actor.context, actor.workspaceId)
  const subject = `${person.kind}:${person.id}:${place}`
  const counted = guesses[kindOf(given)].map((limit) => [limit, subject] as const)
  await takeTries(system, counted)
  return () => returnTries(system, counted)
}

type Checked = { person: PersonKey; row: Person; given: GivenFactor; passkeyChallenge: string | null }

/** Accepts and consumes a factor under the person's row lock; refuses with the field's error. */
export async function useFactor(
  tx: Tx,
  actor: Actor,
  { person, row, given, passkeyChallenge }: Checked,
): Promise<void> {
  if (given.code !== undefined) {
    if (!(await useTotpCode(tx, actor, person, given.code))) refuseFields({ code: [texts.codeWrong] })
    return
  }
  if (given.recovery_code !== undefined) {
    const isRight = await useRecoveryCode(tx, actor, person, given.recovery_code)
    if (!isRight) refuseFields({ recovery_code: [texts.recoveryCodeWrong] })
    return notifyOfRecoveryCode(tx, actor, person, row)
  }
  const isRight = await usePasskey(tx, actor, person, given, passkeyChallenge)
  if (!isRight) refuseFields({ passkey: [sessionTexts.passkeyWrong] })
}

/** Each code works once: the row stores the last step, and only later steps are accepted. */
async function useTotpCode(tx: Tx, actor: Actor, person: PersonKey, code: string): Promise<boolean> {
  const factor = await tx
    .selectFrom('totp_factors')
    .select(['totp_id', 'sealed_secret', 'last_step'])
    .where(rowsOf(actor, person))
    .where('confirmed_at', 'is not', null)
    .where('removed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!factor) return false
  const { context, workspaceId } = actor
  const step = stepOfCode(context.seal.open(factor.sealed_secret), code, context.clock.now())
  if (step === null || step <= Number(factor.last_step)) return false
  await tx
    .updateTable('totp_factors')
    .set({ last_step: step })
    .where('workspace_id', '=', workspaceId)
    .where('totp_id', '=', factor.totp_id)
    .execute()
  return true
}

async function usePasskey(
  tx: Tx,
  actor: Actor,
  person: PersonKey,
  { passkey }: GivenFactor,
  challenge: string | null,
): Promise<boolean> {
  if (!passkey || challenge === null) return false
  const stored = await tx
    .selectFrom('passkeys')
    .select(['passkey_id', 'credential_id', 'public_key', 'counter'])
    .where(rowsOf(actor, person))
    .where('credential_id', '=', passkey.id)
    .where('removed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!stored) return false
  const counter = await verifyAssertion({ site: await siteOf(tx, actor), challenge }, stored, passkey)
  if (counter === null) return false
  await tx
    .updateTable('passkeys')
    .set({ counter, last_used_at: actor.context.clock.now() })
    .where('workspace_id', '=', actor.workspaceId)
    .where('passkey_id', '=', stored.passkey_id)
    .execute()
  return true
}

async function notifyOfRecoveryCode(tx: Tx, actor: Actor, person: PersonKey, row: Person): Promise<void> {
  const left = await countRecoveryCodes(tx, actor, person)
  const subject = { kind: person.kind, id: person.id }
  await audit(tx, actor, {
    action: 'recovery-code.used',
    subject,
    by: subject,
    memberId: memberIdOf(person) ?? undefined,
    after: { left },
  })
  const recipient = { to: row.email, memberId: memberIdOf(person), kind: person.kind }
  await notifyByMail(tx, actor, recoveryCodeUsedMail(recipient, left, actor.context.clock.now()))
}
