import type { Staff, System } from '../foundation/actor.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { assertState } from '../foundation/errors.ts'
import { reach } from '../foundation/failpoint.ts'
import { newId } from '../foundation/ids.ts'
import { type MailedNotification, notifyByMail } from '../notifications/notify.ts'
import type { GatewayFailure } from '../trading-platforms/contract.ts'
import { scheduleComparison } from './comparison.ts'
import { giveDemoBalance } from './demo-balance.ts'
import { notOpenedMail, openedMail } from './notifications.ts'
import {
  canMove,
  lockOpening,
  moveOpening,
  type Opening,
  type OpeningState,
  postpone,
  scheduleTask,
} from './opening.ts'
import { primaryPlaceOf } from './person.ts'
import { scheduleChangeAt } from './person-change.ts'

/** Whether the member gets the outcome as a response or by mail. */
type Channel = 'answer' | 'mail'

/**
 * Stores account, initial demo balance and end of the opening in one commit. Null if the opening had ended, or waits for
 * staff.
 */
export async function recordOpened(
  system: System,
  openingId: string,
  login: string,
  by: Channel,
): Promise<string | null> {
  await reach('opening.before-result')
  const accountId = await inTransaction(system, async (tx) => {
    const opening = await lockOpening(tx, system, openingId)
    if (opening?.state === 'done' && opening.platform_login === login) return opening.account_id
    if (!opening || !canMove(opening, 'done')) {
      const fields = { opening: openingId, login, state: opening?.state }
      system.context.log.error(fields, 'unexpected account found for an opening')
      return null
    }
    const known = await findKnown(tx, system, opening, login)
    if (known && isFormer(known, opening)) return holdForStaff(tx, system, opening, login)
    const account = known?.account_id ?? (await addAccount(tx, system, opening, login))
    await moveOpening(tx, system, opening, 'done', { platform_login: login, account_id: account })
    await scheduleComparison(tx, system, opening)
    // Sent before the answer was lost, it has the member's details of that time.
    if (by === 'mail') await scheduleChangeAt(tx, system, account)
    if (opening.kind === 'demo') await giveDemoBalance(tx, system, await demoAccountOf(tx, system, opening, account))
    const signIn = { login, server: await serverOf(tx, system, opening), isLate: by === 'mail' }
    await notifyOpener(tx, system, opening, (owner) => openedMail(owner, opening, signIn))
    return account
  })
  await reach('opening.result-committed')
  system.context.jobs.wake('funding.settle-intent')
  return accountId
}

const heldForMs = 10 * 60_000

/** More than the clocks of two processes differ. */
const skewMs = 60_000

/** Another member's account, or one of this member that was here before the opening: not the one that it opened. */
const isFormer = (known: { member_id: string; created_at: Date }, { member_id, created_at }: Opening): boolean =>
  known.member_id !== member_id || known.created_at.getTime() < created_at.getTime() - skewMs

/**
 * The platform gave the new account the number of a former one, under which that account's history and money are kept
 * here. Once staff have removed the new account there, the opening ends without one.
 */
async function holdForStaff(tx: Tx, system: System, opening: Opening, login: string): Promise<null> {
  const fields = { opening: opening.opening_id, login }
  system.context.log.error(fields, 'an account was opened with the number of a former one')
  if (!canMove(opening, 'unknown') && opening.state !== 'unknown') return null
  const held = opening.state === 'unknown' ? opening : await moveOpening(tx, system, opening, 'unknown')
  const last_problem = `Its number ${login} was a former account’s: remove the new account on the platform.`
  await postpone(tx, system, held, heldForMs, { absent_since: null, last_problem })
  return null
}

/** The account sync may have imported the account already. */
function findKnown(tx: Tx, system: System, opening: Opening, login: string) {
  return tx
    .selectFrom('trading_accounts')
    .select(['account_id', 'member_id', 'created_at'])
    .where('workspace_id', '=', system.workspaceId)
    .where('platform_id', '=', opening.platform_id)
    .where('platform_login', '=', login)
    .executeTakeFirst()
}

async function addAccount(tx: Tx, system: System, opening: Opening, login: string): Promise<string> {
  assertState(opening.currency, 'an opening was sent without a currency')
  const accountId = newId()
  const { member_id, platform_id, group_name, leverage, currency, kind } = opening
  await tx
    .insertInto('trading_accounts')
    .values({
      workspace_id: system.workspaceId,
      account_id: accountId,
      member_id,
      platform_id,
      platform_login: login,
      live_account: kind === 'live',
      group_name,
      leverage,
      currency,
      balance: '0',
      equity: '0',
      floating: '0',
      ...(await primaryPlaceOf(tx, system, member_id)),
      created_at: system.context.clock.now(),
    })
    .execute()
  return accountId
}

/** Reads the stored row, since the account sync may have written it, and it credits no balance. */
async function demoAccountOf(tx: Tx, system: System, { created_at: askedAt }: Opening, accountId: string) {
  const { member_id, currency } = await tx
    .selectFrom('trading_accounts')
    .select(['member_id', 'currency'])
    .where('workspace_id', '=', system.workspaceId)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return { accountId, memberId: member_id, currency, askedAt }
}

/** `also`: what belongs to this end, in its commit. */
type Ending = {
  to: OpeningState
  problem: string
  failure?: GatewayFailure
  by: Channel
  also?: (tx: Tx, ended: Opening) => Promise<void>
}

/**
 * Ends an opening without an account, if its state is still the one the caller saw. Returns false if another process
 * took over, which then records the outcome.
 */
export async function recordEnded(
  system: System,
  opening: Opening,
  { to, problem, failure, by, also }: Ending,
): Promise<boolean> {
  return inTransaction(system, async (tx) => {
    const current = await lockOpening(tx, system, opening.opening_id)
    if (current?.state !== opening.state || !canMove(current, to)) return false
    const said = { platform_code: failure?.platformCode ?? null, platform_text: failure?.platformText ?? null }
    await moveOpening(tx, system, current, to, { ...said, last_problem: problem })
    if (by === 'mail') await notifyOpener(tx, system, current, (owner) => notOpenedMail(owner, current))
    await also?.(tx, current)
    return true
  })
}

/** From here on the member sees the opening as being verified, never as failed. */
export async function recordUnknown(system: System, opening: Opening, problem: string): Promise<void> {
  await inTransaction(system, async (tx) => {
    const current = await lockOpening(tx, system, opening.opening_id)
    if (current?.state !== 'sending') return
    const now = system.context.clock.now()
    await moveOpening(tx, system, current, 'unknown', { next_step_at: now, last_problem: problem })
    await scheduleTask(tx, system, current.opening_id, now)
  })
}

async function serverOf(tx: Tx, system: System, { platform_id }: Opening): Promise<string | null> {
  const platform = await tx
    .selectFrom('trading_platforms')
    .select('client_server')
    .where('workspace_id', '=', system.workspaceId)
    .where('platform_id', '=', platform_id)
    .executeTakeFirst()
  return platform?.client_server ?? null
}

type Write = (owner: { to: string; memberId: string }) => MailedNotification

/** Mails the member who applied, unless they were erased. */
export async function notifyOpener(tx: Tx, system: System | Staff, opening: Opening, write: Write): Promise<void> {
  const member = await tx
    .selectFrom('members')
    .select(['email', 'status'])
    .where('workspace_id', '=', system.workspaceId)
    .where('member_id', '=', opening.member_id)
    .executeTakeFirstOrThrow()
  if (member.status === 'erased') return
  await notifyByMail(tx, system, write({ to: member.email, memberId: opening.member_id }))
}
