import { sql } from 'kysely'
import { type System, systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import type { WatchedRow } from './live-view.ts'

/** Interval between readings of a held account, slightly less than a hub's interval between readings. */
const askedForMs = 900
/** Time after which a claim lapses without renewal, so that another process takes over from a killed one. */
const lapsesAfterMs = 5_000
/** Time after which a process stops trusting its own claim and claims again in the database. */
const trustedForMs = 3_000
/** Each stored reading renews the claim; unchanged metrics do so once the claim is this old. */
export const renewedAfterMs = 1_500

type Held = { workspaceId: string; saidAt: number; askedAt: number }

/**
 * Which accounts this process reads on behalf of all processes. A claim is taken once and then renewed by the stored
 * metrics, so a reading needs no extra statement while claims do not move.
 */
export function makeClaims() {
  const holder = newId()
  const held = new Map<string, Held>()

  function isTrusted(id: string, now: number): boolean {
    const since = now - (held.get(id)?.saidAt ?? 0)
    return since >= 0 && since < trustedForMs
  }

  function isFree(row: WatchedRow, now: number): boolean {
    if (row.asked_by === null || row.asked_by === holder || row.asked_at === null) return true
    return row.asked_at.getTime() <= now - lapsesAfterMs || row.asked_at.getTime() > now
  }

  function isDue(id: string, now: number): boolean {
    const since = now - (held.get(id)?.askedAt ?? 0)
    return since < 0 || since >= askedForMs
  }

  return {
    holder,
    /** The accounts this process reads now: those it holds and those it could claim. */
    async take<Row extends WatchedRow>(system: System, rows: readonly Row[]): Promise<Row[]> {
      const now = system.context.clock.now().getTime()
      const due = rows.filter(({ account_id }) => isDue(account_id, now))
      const free = due.filter((row) => !isTrusted(row.account_id, now) && isFree(row, now))
      const got = free.length === 0 ? [] : await inTransaction(system, (tx) => claim(tx, system, { holder, free }))
      for (const id of got) held.set(id, { workspaceId: system.workspaceId, saidAt: now, askedAt: 0 })
      const taken = due.filter(({ account_id }) => isTrusted(account_id, now))
      for (const { account_id } of taken) held.set(account_id, { ...heldOf(account_id), askedAt: now })
      return taken
    },
    /** Applies the state of claims that the database returned with the stored metrics. */
    renew(said: ReadonlyMap<string, boolean>, now: number): void {
      for (const [id, isHeld] of said) {
        if (isHeld && held.has(id)) held.set(id, { ...heldOf(id), saidAt: now })
        else held.delete(id)
      }
    },
    /** Releases accounts no longer watched here, so that another process need not wait for the claim to lapse. */
    async release(context: Context, watched: ReadonlyMap<string, ReadonlySet<string>>): Promise<void> {
      const left = [...held].filter(([id, { workspaceId }]) => !watched.get(workspaceId)?.has(id))
      for (const [id] of left) held.delete(id)
      for (const [workspaceId, own] of Map.groupBy(left, ([, { workspaceId }]) => workspaceId)) {
        const ids = own.map(([id]) => id)
        const system = systemActor(context, workspaceId)
        await inTransaction(system, (tx) => releaseClaims(tx, system, { holder, ids }))
      }
    },
    isHolding: () => held.size > 0,
  }

  function heldOf(id: string): Held {
    const found = held.get(id)
    if (!found) throw new Error('Nobody holds this account')
    return found
  }
}

/** Skips rows that another process is claiming at the same time. */
async function claim(tx: Tx, system: System, { holder, free }: { holder: string; free: readonly WatchedRow[] }) {
  const now = system.context.clock.now()
  const claimed = await sql<{ account_id: string }>`
    with free as (
      select account_id from trading_accounts
      where workspace_id = ${system.workspaceId} and account_id = any(${free.map((row) => row.account_id)}::uuid[])
        and (asked_by is null or asked_by = ${holder} or asked_at is null
          or asked_at <= ${new Date(now.getTime() - lapsesAfterMs)} or asked_at > ${now})
      for no key update skip locked
    )
    update trading_accounts as account set asked_at = ${now}, asked_by = ${holder} from free
    where account.workspace_id = ${system.workspaceId} and account.account_id = free.account_id
    returning account.account_id
  `.execute(tx)
  return claimed.rows.map(({ account_id }) => account_id)
}

async function releaseClaims(tx: Tx, system: System, { holder, ids }: { holder: string; ids: readonly string[] }) {
  await sql`
    update trading_accounts set asked_by = null
    where workspace_id = ${system.workspaceId} and account_id = any(${ids}::uuid[]) and asked_by = ${holder}
  `.execute(tx)
}
