import type { OpenedAccount, OpeningInput } from '@atrium/contract/openings/calls.ts'
import type { AccountKind } from '@atrium/contract/openings/states.ts'
import { openingTexts } from '@atrium/contract/openings/texts.ts'
import { sql } from 'kysely'
import { authorize, type Member, type System, systemFor } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { lockOwnMember } from '../foundation/database/member-lock.ts'
import { refuse, refuseFields } from '../foundation/errors.ts'
import { reach } from '../foundation/failpoint.ts'
import { newId } from '../foundation/ids.ts'
import { describeProblem } from '../observability/log.ts'
import { claimUniqueToken } from '../sessions/unique-token.ts'
import {
  type Capabilities,
  GatewayError,
  type GatewayFailure,
  type OpenAccount,
} from '../trading-platforms/contract.ts'
import { makeIntentTag } from '../trading-platforms/intent-tag.ts'
import type { PlatformLink } from '../trading-platforms/platform-connections.ts'
import { findLink } from '../trading-platforms/platform-link.ts'
import { checkEligibility, checkOffer } from './eligibility.ts'
import { kindOf, lockOpening, moveOpening, type Opening, scheduleTask, underWay } from './opening.ts'
import { recordEnded, recordOpened, recordUnknown } from './outcome.ts'
import { makeUnknownPassword, passwordErrors } from './passwords.ts'
import { readPerson } from './person.ts'
import { readOpened } from './queries.ts'
import { fieldsOf } from './refusal.ts'

/** The account, or the opening whose outcome is unknown. */
export type Opened = { account: OpenedAccount } | { checking: string }

/**
 * Opens an account on its platform once: commits the opening before anything is sent. The password is sent with this
 * request and never stored, so after a lost answer the account is looked up and never sent again.
 */
export async function openTradingAccount(member: Member, kind: AccountKind, input: OpeningInput): Promise<Opened> {
  authorize(member, 'my_accounts')
  const system = systemFor(member)
  const earlier = await sentBefore(member, kind, input)
  if (earlier) return resultOf(member, earlier)
  await reading(member, (tx) => checkOffer(tx, member, kind, input))
  const link = await findLink(system, input.trading_platform)
  if ('problem' in link) refuse('unavailable', openingTexts.openingUnavailable)
  const capabilities = await askedBefore(() => link.gateway.capabilities())
  checkCapabilities(capabilities, input)
  const { opening, isNew } = await writeOpening(member, kind, input, link)
  if (!isNew) return resultOf(member, opening)
  const leased = await lease(system, opening, link)
  const outcome = await send(system, leased, link, { capabilities, mainPassword: input.main_password })
  if (outcome === 'checking') return { checking: leased.opening_id }
  const accountId = await recordOpened(system, leased.opening_id, outcome.login, 'answer')
  if (accountId === null) return { checking: leased.opening_id }
  return { account: await reading(member, (tx) => readOpened(tx, member, accountId)) }
}

/** A repeated request finds its opening regardless of the platform's state and the current settings. */
async function sentBefore(member: Member, kind: AccountKind, input: OpeningInput): Promise<Opening | null> {
  const { nonce_token } = input
  if (nonce_token === undefined) return null
  return inTransaction(member, async (tx) => {
    const { earlier } = await claimOpening(tx, member, kind, input, nonce_token)
    return earlier && lockOpening(tx, member, earlier.opening)
  })
}

/** The outcome of the first request with the same key. */
async function resultOf(member: Member, { opening_id, state, account_id }: Opening): Promise<Opened> {
  if (account_id !== null) return { account: await reading(member, (tx) => readOpened(tx, member, account_id)) }
  if (underWay.some((each) => each === state)) return { checking: opening_id }
  // It ended without an account. A new form has a new key.
  refuse('nonce_reused', openingTexts.openingSentBefore)
}

/** Nothing was sent or stored yet, so the member may simply retry. */
async function askedBefore<Answer>(ask: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (problem) {
    if (!(problem instanceof GatewayError)) throw problem
    refuse('unavailable', openingTexts.openingUnavailable)
  }
}

function checkCapabilities({ passwordPolicy, leverage }: Capabilities, input: OpeningInput): void {
  const errors = passwordErrors(input.main_password, passwordPolicy)
  const isTaken = input.leverage >= leverage.min && input.leverage <= leverage.max
  if (errors.length === 0 && isTaken) return
  refuseFields({
    ...(errors.length > 0 && { main_password: errors }),
    ...(!isTaken && { leverage: [openingTexts.openingLeverageRefused] }),
  })
}

async function writeOpening(
  member: Member,
  kind: AccountKind,
  input: OpeningInput,
  link: PlatformLink,
): Promise<{ opening: Opening; isNew: boolean }> {
  const found = await inTransaction(member, async (tx) => {
    await lockOwnMember(tx, member)
    const claim = input.nonce_token ? await claimOpening(tx, member, kind, input, input.nonce_token) : null
    const earlier = claim?.earlier && (await lockOpening(tx, member, claim.earlier.opening))
    if (earlier) return { opening: earlier, isNew: false }
    await checkEligibility(tx, member, kind)
    const now = member.context.clock.now()
    const leaseUntil = new Date(now.getTime() + link.timing.leaseMs)
    const written = await tx
      .insertInto('account_openings')
      .values({
        workspace_id: member.workspaceId,
        opening_id: newId(),
        member_id: member.memberId,
        kind,
        platform_id: input.trading_platform,
        group_name: input.group,
        leverage: input.leverage,
        tag: makeIntentTag(),
        state: 'ready',
        lease_until: leaseUntil,
        next_step_at: leaseUntil,
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await scheduleTask(tx, member, written.opening_id, leaseUntil)
    await audit(tx, member, {
      action: 'opening.requested',
      subject: { kind: 'account_opening', id: written.opening_id },
      after: { kind, platform: input.trading_platform, group: input.group, leverage: input.leverage },
    })
    if (claim?.earlier === null) await claim.keep({ opening: written.opening_id })
    await reach('opening.before-commit')
    return { opening: written, isNew: true }
  })
  await reach('opening.committed')
  return found
}

/** The password is not part of the idempotency hash, so that no trace of it is stored. */
function claimOpening(tx: Tx, member: Member, kind: AccountKind, input: OpeningInput, token: string) {
  const { trading_platform, group, leverage } = input
  const body = { kind, trading_platform, group, leverage }
  return claimUniqueToken<{ opening: string }>(tx, member, { token, purpose: 'account_opening', body })
}

/** Sends only with all that adopting the account needs; an unknown group is refused first. */
async function lease(system: System, opening: Opening, link: PlatformLink): Promise<Opening> {
  const currency = await currencyOf(system, opening, link)
  const leased = await inTransaction(system, async (tx) => {
    const current = await lockOpening(tx, system, opening.opening_id)
    if (current?.state !== 'ready') return null
    const now = system.context.clock.now()
    const leaseUntil = new Date(now.getTime() + link.timing.leaseMs)
    await scheduleTask(tx, system, opening.opening_id, leaseUntil)
    return moveOpening(tx, system, current, 'sending', {
      currency,
      after_login: await highestLogin(tx, system, opening),
      lease_until: leaseUntil,
      next_step_at: leaseUntil,
      sent_at: now,
    })
  })
  await reach('opening.leased')
  return leased ?? refuse('unavailable', openingTexts.openingUnavailable)
}

async function currencyOf(system: System, opening: Opening, { gateway }: PlatformLink): Promise<string> {
  try {
    const group = await gateway.findGroup(opening.group_name)
    if (group) return group.currency
  } catch (problem) {
    if (!(problem instanceof GatewayError)) throw problem
    await recordEnded(system, opening, { to: 'not_executed', problem: problem.reason, failure: problem, by: 'answer' })
    refuse('unavailable', openingTexts.openingUnavailable)
  }
  await recordEnded(system, opening, { to: 'rejected', problem: 'group_unknown', by: 'answer' })
  refuseFields({ group: [openingTexts.openingGroupRefused] })
}

async function highestLogin(tx: Tx, system: System, opening: Opening): Promise<string | null> {
  const found = await sql<{ login: string | null }>`
    select max(platform_login::numeric)::text as login from trading_accounts
    where workspace_id = ${system.workspaceId}::uuid and platform_id = ${opening.platform_id}::uuid
      and group_name = ${opening.group_name}`.execute(tx)
  return found.rows[0]?.login ?? null
}

type Secrets = { capabilities: Capabilities; mainPassword: string }

async function send(system: System, opening: Opening, link: PlatformLink, secrets: Secrets) {
  const person = await reading(system, (tx) => readPerson(tx, system, opening.member_id))
  const command: OpenAccount = {
    ...person,
    tag: opening.tag,
    kind: kindOf(opening),
    group: opening.group_name,
    leverage: opening.leverage,
    mainPassword: secrets.mainPassword,
    investorPassword: makeUnknownPassword(secrets.capabilities.passwordPolicy),
  }
  // After the lease another process may have taken over and recorded the account as absent.
  if (system.context.clock.now() >= opening.lease_until) return 'checking' as const
  try {
    const opened = await link.gateway.openAccount(command)
    await reach('opening.called')
    return opened
  } catch (problem) {
    return recordFailure(system, opening, withoutSecrets(failureOf(system, problem), command))
  }
}

function failureOf(system: System, problem: unknown): GatewayFailure {
  if (problem instanceof GatewayError) return problem
  system.context.log.error({ err: describeProblem(problem) }, 'opening fault')
  return { outcome: 'unknown', reason: 'protocol', sent: true }
}

/** The platform's text is stored for staff, unless it repeats a password. */
function withoutSecrets({ platformText, ...failure }: GatewayFailure, secrets: OpenAccount): GatewayFailure {
  const { mainPassword, investorPassword } = secrets
  const isSecretIncluded = [mainPassword, investorPassword].some((secret) => platformText?.includes(secret))
  return isSecretIncluded ? failure : { ...failure, platformText }
}

async function recordFailure(system: System, opening: Opening, failure: GatewayFailure): Promise<'checking'> {
  const problem = failure.platformCode === undefined ? failure.reason : `${failure.reason} (${failure.platformCode})`
  if (failure.outcome === 'unknown') {
    await recordUnknown(system, opening, problem)
    return 'checking'
  }
  const to = failure.outcome === 'rejected' ? 'rejected' : 'not_executed'
  // False when another process took over; the member is then notified from there.
  if (!(await recordEnded(system, opening, { to, problem, failure, by: 'answer' }))) return 'checking'
  if (to === 'rejected') refuseFields(fieldsOf(failure))
  refuse('unavailable', openingTexts.openingUnavailable)
}
