import type { factorMethods } from '@atrium/contract/sessions/factors.ts'
import type { Actor } from '../../foundation/actor.ts'
import type { Tx } from '../../foundation/database/database.ts'
import { type PersonKey, rowsOf } from '../person.ts'
import { countRecoveryCodes } from './recovery-codes.ts'

export type FactorMethod = (typeof factorMethods)[number]

/** A person's active second factors: a confirmed authenticator app, and passkeys. */
export async function readFactors(tx: Tx, actor: Actor, person: PersonKey) {
  const totp = tx
    .selectFrom('totp_factors')
    .select(['totp_id', 'created_at'])
    .where(rowsOf(actor, person))
    .where('confirmed_at', 'is not', null)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  const keys = tx
    .selectFrom('passkeys')
    .select(['passkey_id', 'credential_id', 'transports', 'name', 'created_at', 'last_used_at'])
    .where(rowsOf(actor, person))
    .where('removed_at', 'is', null)
    .orderBy('passkey_id')
    .execute()
  const [app, passkeys] = await Promise.all([totp, keys])
  return { totp: app ?? null, passkeys, count: passkeys.length + (app ? 1 : 0) }
}

export type Factors = Awaited<ReturnType<typeof readFactors>>

/** The methods that can answer a second-factor challenge, with recovery codes as the fallback. */
export async function methodsOf(tx: Tx, actor: Actor, person: PersonKey, factors: Factors): Promise<FactorMethod[]> {
  if (factors.count === 0) return []
  const codesLeft = await countRecoveryCodes(tx, actor, person)
  return [
    ...(factors.totp ? (['code'] as const) : []),
    ...(factors.passkeys.length > 0 ? (['passkey'] as const) : []),
    ...(codesLeft > 0 ? (['recovery_code'] as const) : []),
  ]
}
