import { sql } from 'kysely'
import { isReused, noteDifference, settleDifference } from '../accounts/differences.ts'
import type { Actor, System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { isErased } from '../foundation/database/member-lock.ts'
import {
  GatewayError,
  type TradingGateway,
  type WrittenField,
  type WrittenPerson,
} from '../trading-platforms/contract.ts'
import { findLink } from '../trading-platforms/platform-link.ts'
import { processPatiently } from '../trading-platforms/platform-queue.ts'
import { readPerson } from './person.ts'

const againMs = 10 * 60_000
/** After this time a platform is retried less often, and an error is logged. */
const soonForMs = 24 * 3_600_000
const seldomMs = 6 * 3_600_000

/**
 * Schedules an update of the member's details on every platform with accounts of theirs, each in its own queue. Call it
 * in the transaction that changes the member.
 */
export async function schedulePersonChange(tx: Tx, actor: Actor, memberId: string): Promise<void> {
  const accounts = await tx
    .selectFrom('trading_accounts')
    .select('account_id')
    .where('workspace_id', '=', actor.workspaceId)
    .where('member_id', '=', memberId)
    .where('deleted', '=', false)
    .where('archived', '=', false)
    .execute()
  for (const { account_id } of accounts) await scheduleChangeAt(tx, actor, account_id)
}

/** The same for one account. */
export function scheduleChangeAt(tx: Tx, { context, workspaceId }: Actor, id: string, inMs = 0): Promise<void> {
  const startAfter = new Date(context.clock.now().getTime() + inMs)
  return context.jobs.enqueue(tx, 'openings.change-person', { workspaceId, id }, inMs > 0 ? { startAfter } : {})
}

/** Per round; the others follow in the next one. */
const resumedAtOnce = 500

/** Schedules due changes without a job, as after the restore of an earlier version's backup, which contains no jobs. */
export async function resumePersonChanges(system: System): Promise<void> {
  await inTransaction(system, async (tx) => {
    const { rows } = await sql<{ account_id: string }>`
      select account_id from trading_accounts account
      where workspace_id = ${system.workspaceId}::uuid and person_due_since is not null and not deleted and not archived
        and not exists (select from pgboss.job where name = 'openings.change-person' and state < 'completed'
          and data->>'id' = account.account_id::text)
      limit ${resumedAtOnce}`.execute(tx)
    for (const { account_id } of rows) await scheduleChangeAt(tx, system, account_id)
  })
}

/** Runs in the platform's queue. The desk shows the change as due until a job succeeds. */
export async function changePersonInQueue(system: System, accountId: string): Promise<void> {
  const account = await reading(system, (tx) => readAccount(tx, system, accountId))
  if (!account) return
  const task = { kind: 'account', id: accountId, platformId: account.platform_id } as const
  if (await processPatiently(system, task, changePersonAt)) return
  const now = system.context.clock.now()
  const since = account.person_due_since ?? now
  const isLate = now.getTime() - since.getTime() > soonForMs
  if (isLate) system.context.log.error({ account: accountId }, 'a platform still has outdated details of a member')
  await inTransaction(system, async (tx) => {
    if (!account.person_due_since) await setDueSince(tx, system, accountId, now)
    await scheduleChangeAt(tx, system, accountId, isLate ? seldomMs : againMs)
  })
}

type Account = NonNullable<Awaited<ReturnType<typeof readAccount>>>

function readAccount(tx: Tx, system: System, accountId: string) {
  return tx
    .selectFrom('trading_accounts')
    .select(['account_id', 'member_id', 'platform_id', 'platform_login', 'platform_registered_at', 'person_due_since'])
    .where('workspace_id', '=', system.workspaceId)
    .where('account_id', '=', accountId)
    .where('deleted', '=', false)
    .where('archived', '=', false)
    .executeTakeFirst()
}

async function readWanted(tx: Tx, system: System, account: Account): Promise<WrittenPerson | null> {
  return (await isErased(tx, system, account.member_id)) ? null : readPerson(tx, system, account.member_id)
}

/** Writes, reads back and records. False when the platform does not answer, or when the member changed meanwhile. */
export async function changePersonAt(system: System, accountId: string): Promise<boolean> {
  const found = await reading(system, async (tx) => {
    const account = await readAccount(tx, system, accountId)
    return account && { account, person: await readWanted(tx, system, account) }
  })
  if (!found) return true
  const { account, person } = found
  if (!person) {
    // Nothing is due of an erased member.
    await inTransaction(system, (tx) => setDueSince(tx, system, accountId, null))
    return true
  }
  const link = await findLink(system, account.platform_id)
  if ('problem' in link) return false
  const fields = await write(link.gateway, account, person)
  if (fields === 'no answer') return false
  if (fields === 'not theirs') return true
  return inTransaction(system, async (tx) => {
    const now = await readWanted(tx, system, account)
    if (now && JSON.stringify(now) !== JSON.stringify(person)) return false
    await record(tx, system, account, fields)
    return true
  })
}

type Written = WrittenField[] | 'no answer' | 'not theirs'

/**
 * The fields the platform stores differently; a refusal shows up as such fields. An account that was given to somebody
 * else since, even one that staff restored, gets nothing.
 */
async function write(gateway: TradingGateway, account: Account, person: WrittenPerson): Promise<Written> {
  const { platform_login: login, platform_registered_at } = account
  try {
    if (platform_registered_at !== null && isReused(account, await gateway.readAccount(login))) return 'not theirs'
    await gateway.changePerson(login, person)
  } catch (problem) {
    if (!(problem instanceof GatewayError)) throw problem
    if (problem.outcome !== 'rejected') return 'no answer'
  }
  try {
    return await gateway.compareAccount(login, person)
  } catch (problem) {
    if (problem instanceof GatewayError) return 'no answer'
    throw problem
  }
}

async function record(tx: Tx, system: System, account: Account, fields: WrittenField[]): Promise<void> {
  await setDueSince(tx, system, account.account_id, null)
  const kept_otherwise = fields.join(', ')
  // Names only, since the values are personal data.
  await audit(tx, system, {
    action: fields.length > 0 ? 'account.details-differ' : 'account.details-written',
    subject: { kind: 'trading_account', id: account.account_id },
    memberId: account.member_id,
    after: fields.length > 0 ? { kept_otherwise } : {},
  })
  const { platform_login: login, account_id: accountId, platform_id: platformId } = account
  const open = await tx
    .selectFrom('account_differences')
    .select(['difference_id', 'reason'])
    .where('workspace_id', '=', system.workspaceId)
    .where('platform_id', '=', platformId)
    .where('platform_login', '=', login)
    .where('kind', '=', 'fields')
    .where('state', '=', 'open')
    .forUpdate()
    .executeTakeFirst()
  const settings = open?.reason.split(', ').filter((field) => ofSettings.has(field)) ?? []
  const reason = [...settings, ...fields].join(', ')
  if (reason !== '')
    await noteDifference(tx, system, platformId, { kind: 'fields', login, accountId, reason, at: null })
  else if (open) await settleDifference(tx, system, open.difference_id, 'vanished')
}

/** Fields that an opening writes and a change of the person does not, and which say nothing about them. */
const ofSettings: ReadonlySet<string> = new Set(['group', 'leverage', 'rights', 'comment'])

async function setDueSince(tx: Tx, system: System, accountId: string, since: Date | null): Promise<void> {
  await tx
    .updateTable('trading_accounts')
    .set({ person_due_since: since })
    .where('workspace_id', '=', system.workspaceId)
    .where('account_id', '=', accountId)
    .execute()
}
