import { sql } from 'kysely'
import type { System } from '../foundation/actor.ts'
import { inTransaction, type Tx } from '../foundation/database.ts'
import { describeProblem } from '../foundation/log.ts'
import { type AskedAccount, keepFigures, type ReadAccount, withStates } from './figures.ts'

/** Accounts that some process asked about within this are not asked about again: a little less than the beat of a hub. */
const askedForMs = 900
/** As many as a platform tells of in one call. Figures of the first are told on while the next are still read. */
const batchSize = 100
/** A platform that failed is asked again after this, doubled with each failure up to the most. */
const againFirstMs = 1_000
const againMaxMs = 15_000

type Claimed = AskedAccount & { member_id: string }
type Trouble = { failures: number; notBefore: number }
type Heard = (read: (ReadAccount & { member_id: string })[]) => void

/**
 * Reads accounts at their platforms for everybody who watches: each platform by itself, so that one which hangs keeps
 * nobody from the figures of another, and never a second time while the first is under way.
 */
export function makeLivePolls() {
  const underWay = new Map<string, Promise<void>>()
  const troubles = new Map<string, Trouble>()
  /** Accounts that their platform said nothing of when it was last asked. */
  const silent = new Set<string>()

  async function poll(system: System, platformId: string, accounts: Claimed[], heard: Heard): Promise<void> {
    try {
      const link = await system.ground.platforms.link(system, platformId)
      if (!link) return
      for (let first = 0; first < accounts.length; first += batchSize) {
        const batch = accounts.slice(first, first + batchSize)
        const states = await link.gateway.readAccounts(batch.map(({ platform_login }) => platform_login))
        const read = withStates(batch, states)
        await inTransaction(system, (tx) => keepFigures(tx, system, read))
        for (const { account_id } of batch) silent.add(account_id)
        for (const { account_id } of read) silent.delete(account_id)
        heard(read)
      }
      if (troubles.delete(platformId)) system.ground.log.info({ platform: platformId }, 'live figures again')
    } catch (problem) {
      noteTrouble(system, platformId, problem)
    }
  }

  /** Said once: a platform that is away for an hour is one line, not an hour of them. */
  function noteTrouble({ ground }: System, platformId: string, problem: unknown): void {
    const failures = (troubles.get(platformId)?.failures ?? 0) + 1
    const pauseMs = Math.min(againFirstMs * 2 ** (failures - 1), againMaxMs)
    troubles.set(platformId, { failures, notBefore: ground.clock.now().getTime() + pauseMs })
    if (failures === 1) ground.log.warn({ err: describeProblem(problem), platform: platformId }, 'no live figures')
  }

  /** Platforms that are not to be asked now: one answer is awaited from them, or they have just failed. */
  function resting({ ground }: System): string[] {
    const now = ground.clock.now().getTime()
    const troubled = [...troubles].filter(([, { notBefore }]) => notBefore > now).map(([id]) => id)
    return [...underWay.keys(), ...troubled]
  }

  return {
    isSilent: (accountId: string) => silent.has(accountId),
    claim: (tx: Tx, system: System, memberIds: readonly string[]) =>
      claimAccounts(tx, system, { memberIds, resting: resting(system) }),
    start(system: System, claimed: readonly Claimed[], heard: Heard): void {
      for (const [platformId, accounts] of Map.groupBy(claimed, ({ platform_id }) => platform_id)) {
        const polling = poll(system, platformId, accounts, heard).finally(() => underWay.delete(platformId))
        underWay.set(platformId, polling)
      }
    },
    /** When everything that is under way has been kept. */
    settled: () => Promise.all(underWay.values()),
  }
}

type Wanted = { memberIds: readonly string[]; resting: readonly string[] }

/**
 * Takes the accounts that nobody has asked about just now, and says so where every process sees it. What another one is
 * taking at this very moment is passed by.
 */
async function claimAccounts(tx: Tx, system: System, { memberIds, resting }: Wanted): Promise<Claimed[]> {
  const now = system.ground.clock.now()
  const claimed = await sql<Claimed>`
    with due as (
      select account_id from trading_accounts
      where workspace_id = ${system.workspaceId} and member_id = any(${memberIds}::uuid[])
        and not deleted and not archived and platform_id <> all(${resting}::uuid[])
        and (asked_at is null or asked_at <= ${new Date(now.getTime() - askedForMs)} or asked_at > ${now})
      for no key update skip locked
    )
    update trading_accounts as account set asked_at = ${now} from due
    where account.workspace_id = ${system.workspaceId} and account.account_id = due.account_id
    returning account.account_id, account.member_id, account.platform_id, account.platform_login, account.currency
  `.execute(tx)
  return claimed.rows
}
