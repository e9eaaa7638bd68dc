import { createHash, randomBytes } from 'node:crypto'
import { limits } from '@atrium/contract/limits.ts'
import type { Actor } from '../../foundation/actor.ts'
import type { Tx } from '../../foundation/database/database.ts'
import { newId } from '../../foundation/ids.ts'
import { ownedBy, type PersonKey, rowsOf } from '../person.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Eighty bits: 32 letters divide a byte evenly, so every letter is equally likely. */
function makeCode(): string {
  return [...randomBytes(16)].map((byte) => letters.charAt(byte % letters.length)).join('')
}

function hashCode(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}

/** In groups of four, for copying by hand. */
function written(code: string): string {
  return code.match(/.{4}/g)?.join('-') ?? code
}

/** Replaces a person's codes. Returns them in clear this once; only hashes are stored. */
export async function replaceRecoveryCodes(tx: Tx, actor: Actor, person: PersonKey): Promise<string[]> {
  const created_at = actor.context.clock.now()
  await endRecoveryCodes(tx, actor, person)
  const codes = Array.from({ length: limits.recoveryCodes }, makeCode)
  const own = { workspace_id: actor.workspaceId, ...ownedBy(person), created_at }
  const rows = codes.map((code) => ({ ...own, code_id: newId(), code_hash: hashCode(code) }))
  await tx.insertInto('recovery_codes').values(rows).execute()
  return codes.map(written)
}

export async function endRecoveryCodes(tx: Tx, actor: Actor, person: PersonKey): Promise<void> {
  await tx
    .updateTable('recovery_codes')
    .set({ superseded_at: actor.context.clock.now() })
    .where(rowsOf(actor, person))
    .where('used_at', 'is', null)
    .where('superseded_at', 'is', null)
    .execute()
}

export async function countRecoveryCodes(tx: Tx, actor: Actor, person: PersonKey): Promise<number> {
  const { left } = await tx
    .selectFrom('recovery_codes')
    .select((count) => count.fn.countAll<string>().as('left'))
    .where(rowsOf(actor, person))
    .where('used_at', 'is', null)
    .where('superseded_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(left)
}

/** True for exactly one of several concurrent uses of a code. */
export async function useRecoveryCode(tx: Tx, actor: Actor, person: PersonKey, code: string): Promise<boolean> {
  const used = await tx
    .updateTable('recovery_codes')
    .set({ used_at: actor.context.clock.now() })
    .where(rowsOf(actor, person))
    .where('code_hash', '=', hashCode(code))
    .where('used_at', 'is', null)
    .where('superseded_at', 'is', null)
    .returning('code_id')
    .executeTakeFirst()
  return used !== undefined
}
