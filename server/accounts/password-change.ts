import { accountTexts } from '@atrium/contract/accounts/texts.ts'
import { platformPasswordRules } from '@atrium/contract/accounts/trading-passwords.ts'
import { openingTexts } from '@atrium/contract/openings/texts.ts'
import { authorize, type Member, systemActor, systemFor } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { holdMember, lockOwnMember } from '../foundation/database/member-lock.ts'
import { refuse, refuseFields, refuseNotFound } from '../foundation/errors.ts'
import { type Limit, takeTries } from '../foundation/rate-limit.ts'
import { notifyByMail } from '../notifications/notify.ts'
import { describeProblem } from '../observability/log.ts'
import { requireProof } from '../sessions/factors/proof.ts'
import {
  type Capabilities,
  GatewayError,
  type PasswordKind,
  type TradingGateway,
} from '../trading-platforms/contract.ts'
import { isReused } from './differences.ts'
import { clearDuePassword } from './due-passwords.ts'
import { tradingPasswordMail } from './notifications.ts'

const quarterHour = 15 * 60
/** Limits calls to the platform. Nothing counts by network, whose other members need not wait for one of them. */
const ofAccount: Limit = { name: 'trading-password-account', triesMax: 10, windowSeconds: quarterHour }
const ofMember: Limit = { name: 'trading-password-member', triesMax: 30, windowSeconds: quarterHour }

type Account = {
  account_id: string
  platform_id: string
  platform_login: string
  platform_registered_at: Date | null
}
type Change = { accountId: string; which: PasswordKind; password: string }
/** The account and the kind of password to change. */
type Target = Account & { which: PasswordKind }

/**
 * Sets one of the account's passwords at its platform. The password is never stored: the request is audited before the
 * call and its outcome after it.
 */
export async function changeTradingPassword(member: Member, { accountId, which, password }: Change): Promise<void> {
  authorize(member, 'my_accounts')
  const account = await reading(member, async (tx) => {
    const found = await findChangeable(tx, member, accountId)
    await requireProof(tx, member)
    return { ...found, which }
  })
  const system = systemActor(member.context, member.workspaceId)
  const counted = [[ofAccount, account.account_id] as const, [ofMember, member.memberId] as const]
  await takeTries(system, counted)
  const gateway = await gatewayOf(member, account)
  await refuseOfAnother(gateway, account)
  await refuseByPolicy(gateway, password)
  await refuseOtherPassword(gateway, account, password)
  await inTransaction(member, async (tx) => {
    await lockOwnMember(tx, member)
    // Staff may have given it to its right owner meanwhile.
    await findChangeable(tx, member, accountId)
    await writeEntry(tx, member, account, 'asked')
  })
  if (!(await setAtPlatform(member, gateway, account, password))) {
    await recordOutcome(member, account, 'not-changed')
    refuse('unavailable', accountTexts.passwordFailed)
  }
  await recordOutcome(member, account, 'changed')
}

/** The platform's password rules; null when it does not answer. */
export async function readPolicy(member: Member, accountId: string): Promise<Capabilities['passwordPolicy'] | null> {
  authorize(member, 'my_accounts')
  const account = await reading(member, (tx) => findChangeable(tx, member, accountId))
  try {
    const link = await member.context.platforms.link(member, account.platform_id)
    return link ? (await link.gateway.capabilities()).passwordPolicy : null
  } catch (problem) {
    if (problem instanceof GatewayError) return null
    throw problem
  }
}

/** Answers "not found" for another member's account, and the reason for an own account whose password cannot change. */
async function findChangeable(tx: Tx, member: Member, accountId: string): Promise<Account> {
  const account = await tx
    .selectFrom('trading_accounts')
    .select(['account_id', 'platform_id', 'platform_login', 'platform_registered_at'])
    .select(['deleted', 'archived', 'enable_read_only', 'enable_change_password'])
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!account) refuseNotFound()
  const { deleted, archived, enable_read_only, enable_change_password } = account
  if (deleted || archived || enable_read_only || !enable_change_password)
    refuse('not_permitted', accountTexts.passwordClosed)
  return account
}

async function gatewayOf(member: Member, { platform_id }: Account): Promise<TradingGateway> {
  const link = await member.context.platforms.link(member, platform_id)
  return link?.gateway ?? refuse('unavailable', accountTexts.passwordFailed)
}

/** The platform may have given the number to somebody else since the last comparison, whose account this would open. */
async function refuseOfAnother(gateway: TradingGateway, account: Account): Promise<void> {
  if (account.platform_registered_at === null) return
  if (isReused(account, await orUnavailable(() => gateway.readAccount(account.platform_login))))
    refuse('not_permitted', accountTexts.passwordClosed)
}

async function refuseByPolicy(gateway: TradingGateway, password: string): Promise<void> {
  const policy = await orUnavailable(() => gateway.capabilities())
  const broken = platformPasswordRules(policy.passwordPolicy).filter((rule) => !rule.holds(password))
  if (broken.length > 0) refuseFields({ new_password: broken.map(({ text }) => text) })
}

async function orUnavailable<Answer>(ask: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (problem) {
    if (problem instanceof GatewayError) refuse('unavailable', accountTexts.passwordFailed)
    throw problem
  }
}

/** Refuses equal passwords, since the platforms accept them and who holds the investor password could then trade. */
async function refuseOtherPassword(gateway: TradingGateway, { which, platform_login }: Target, password: string) {
  const other = which === 'main' ? 'investor' : 'main'
  if (await orUnavailable(() => gateway.checkPassword(platform_login, other, password)))
    refuseFields({ new_password: [which === 'main' ? accountTexts.mainIsInvestor : accountTexts.investorIsMain] })
}

/** True when the platform has the new password, false when not; refuses a rejected password and an unknown outcome. */
async function setAtPlatform(
  member: Member,
  gateway: TradingGateway,
  account: Target,
  password: string,
): Promise<boolean> {
  try {
    await gateway.setPassword(account.platform_login, account.which, password)
    return true
  } catch (problem) {
    if (!(problem instanceof GatewayError)) throw problem
    const { outcome, reason } = problem
    member.context.log.warn({ err: describeProblem(problem), outcome, reason }, 'trading password not set')
    if (reason === 'weak_password') {
      await recordOutcome(member, account, 'not-changed')
      refuseFields({ new_password: [openingTexts.openingPasswordRefused] })
    }
    if (outcome !== 'unknown') return false
    if (await isSet(gateway, account, password)) return true
    // A request whose answer was lost may still arrive after the password was checked.
    await recordOutcome(member, account, 'unknown')
    refuse('unavailable', accountTexts.passwordUnknown)
  }
}

/** Asks the platform after a lost answer, before the member is notified. */
async function isSet(gateway: TradingGateway, account: Target, password: string): Promise<boolean> {
  try {
    return await gateway.checkPassword(account.platform_login, account.which, password)
  } catch (problem) {
    if (!(problem instanceof GatewayError)) throw problem
    return false
  }
}

type Outcome = 'changed' | 'not-changed' | 'unknown'

/** Recorded and mailed by the program: the member's session or sign-in may have ended while the platform was called. */
function recordOutcome(member: Member, account: Target, outcome: Outcome): Promise<void> {
  const system = systemFor(member)
  return inTransaction(system, async (tx) => {
    await holdMember(tx, system, member.memberId)
    await writeEntry(tx, member, account, outcome)
    if (outcome === 'not-changed') return
    const { account_id: accountId, which } = account
    if (outcome === 'changed') await clearDuePassword(tx, system, { accountId, memberId: member.memberId, which })
    await notifyByMail(tx, system, await tradingPasswordMail(tx, member, account, outcome))
  })
}

type Step = 'asked' | Outcome

async function writeEntry(tx: Tx, member: Member, { account_id: id, which }: Target, step: Step): Promise<void> {
  const action = `${which === 'main' ? 'trading' : 'investor'}-password.${step}`
  await audit(tx, member, { action, subject: { kind: 'trading_account', id } })
}
