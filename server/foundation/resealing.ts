import { sql } from 'kysely'
import type { System } from './actor.ts'
import { audit } from './audit.ts'
import { inTransaction, type Tx } from './database/database.ts'

/** Every column with sealed values and the key of its table; a test compares the list with the catalogue. */
export const sealedColumns = [
  { table: 'identity_vendors', key: 'vendor_id', column: 'sealed_secret' },
  { table: 'mails', key: 'mail_id', column: 'sealed_content' },
  { table: 'password_reset_requests', key: 'request_id', column: 'sealed_email' },
  { table: 'payment_provider_connections', key: 'provider_id', column: 'sealed_secret' },
  { table: 'platform_connections', key: 'platform_id', column: 'sealed_secret' },
  { table: 'totp_factors', key: 'totp_id', column: 'sealed_secret' },
] as const

export type Resealed = { sealed_anew: number; unreadable: number }

const batch = 200

/** Reseals values of earlier keys with the current one, in batches. Leaves values that no key opens. */
export async function resealWorkspace(system: System): Promise<Resealed> {
  const done = { sealed_anew: 0, unreadable: 0 }
  for (const place of sealedColumns) {
    let after: string | null = null
    do {
      const step: Step = await inTransaction(system, (tx) => resealSome(tx, system, place, after))
      done.sealed_anew += step.sealed_anew
      done.unreadable += step.unreadable
      after = step.last
    } while (after !== null)
  }
  return done
}

type Place = (typeof sealedColumns)[number]
type Step = Resealed & { last: string | null }

/** Locks the rows, so that a concurrent change of a secret is not overwritten. */
async function resealSome(tx: Tx, system: System, place: Place, after: string | null): Promise<Step> {
  const { seal } = system.context
  const [table, key, column] = [sql.table(place.table), sql.ref(place.key), sql.ref(place.column)]
  const mine = sql`workspace_id = ${system.workspaceId}::uuid`
  const { rows } = await sql<{ key: string; sealed: Buffer }>`
    select ${key} as key, ${column} as sealed from ${table}
    where ${mine} and ${column} is not null and (${after}::uuid is null or ${key} > ${after}::uuid)
    order by ${key} limit ${batch} for update`.execute(tx)
  const step: Step = { sealed_anew: 0, unreadable: 0, last: rows.length < batch ? null : (rows.at(-1)?.key ?? null) }
  for (const row of rows.filter(({ sealed }) => !seal.isCurrent(sealed))) {
    const secret = openOrNull(system, row.sealed)
    if (secret === null) {
      step.unreadable += 1
      continue
    }
    await sql`update ${table} set ${column} = ${seal.seal(secret)} where ${mine} and ${key} = ${row.key}::uuid`.execute(
      tx,
    )
    step.sealed_anew += 1
  }
  if (step.sealed_anew > 0)
    await audit(tx, system, {
      action: 'secrets.sealed-anew',
      subject: { kind: 'workspace', id: system.workspaceId },
      after: { table: place.table, rows: step.sealed_anew },
    })
  return step
}

function openOrNull({ context }: System, sealed: Buffer): string | null {
  try {
    return context.seal.open(sealed)
  } catch {
    return null // Counted and reported; the secret must be entered again.
  }
}
