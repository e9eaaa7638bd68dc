import { type decideAccountDifference, decisionsFor } from '@atrium/contract/account-sync/desk-calls.ts'
import type { DifferenceKind, DifferenceState } from '@atrium/contract/account-sync/states.ts'
import type { CallInput } from '@atrium/contract/call.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { Selectable } from 'kysely'
import { type AtPlatform, type Decision, reopenDifference, settleDifference } from '../accounts/differences.ts'
import { authorizeStaff, type Staff, systemActor } from '../foundation/actor.ts'
import type { AccountDifferences } from '../foundation/database/database.generated.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { refuse, refuseFields, refuseNotFound } from '../foundation/errors.ts'
import { readGroupKind } from '../funding/group-kind.ts'
import { lockAccount } from '../funding/withdrawable.ts'
import { decide, definePolicy } from '../money-decisions/policy.ts'
import { schedulePersonChange } from '../openings/person-change.ts'
import { GatewayError } from '../trading-platforms/contract.ts'
import { findLink } from '../trading-platforms/platform-link.ts'
import { isGone } from '../trading-platforms/refusals.ts'
import { changeAccount, importAccount } from './account-changes.ts'
import { confirmOwner, holdNamed, readWorth, type Worth } from './owner.ts'
import { asListed, readKnownAccounts } from './platform-list.ts'

type Difference = Selectable<AccountDifferences>
type Wanted = Omit<CallInput<typeof decideAccountDifference>, 'id'>

export const decidingDifference = definePolicy({
  name: 'account-difference.decide',
  right: 'money.decide',
  selfApproval: 'refused',
  approvals: 'one',
  why: 'No money moves; an import is an assignment of its owner, which has a policy of its own.',
})

/**
 * Records the decision of staff on a discrepancy, after reading the platform without a lock; it waits if an import needs
 * a second person. Lock order, shared with the erasure: member, account, difference.
 */
export async function decideDifference(
  staff: Staff,
  differenceId: string,
  wanted: Wanted,
): Promise<{ is_waiting: boolean }> {
  authorizeStaff(staff, decidingDifference.right)
  const found = await reading(staff, (tx) => findDifference(tx, staff, differenceId))
  if (!found) refuseNotFound()
  refuseUnfit(found, wanted)
  const at = wanted.decision === 'import' ? await readAtPlatform(staff, found) : null
  const worth = at && (await readWorth(staff, found.platform_id, found.platform_login))
  return inTransaction(staff, async (tx) => {
    const memberId = wanted.decision === 'import' ? await holdNamed(tx, staff, wanted.customer_number) : null
    if (found.account_id) await lockAccount(tx, staff, found.account_id)
    const current = await lockDifference(tx, staff, differenceId)
    if (!current) refuseNotFound()
    refuseUnfit(current, wanted)
    // Giving a member an account with a balance gives them its money, so the self-approval check names the member.
    const concerned = memberId ?? (await readOwner(tx, staff, current))
    await decide(tx, staff, decidingDifference, { memberId: concerned })
    if (wanted.decision === 'reopen') {
      if (current.reason === 'number_reused') await takeForAnother(tx, staff, current)
      await reopenDifference(tx, staff, differenceId)
      return { is_waiting: false }
    }
    const decision = await carryOut(tx, staff, current, { ...wanted, memberId, at, worth })
    if (decision) await settleDifference(tx, staff, differenceId, decision)
    return { is_waiting: decision === null }
  })
}

function selectDifference(tx: Tx, staff: Staff, differenceId: string) {
  return tx
    .selectFrom('account_differences')
    .selectAll()
    .where('workspace_id', '=', staff.workspaceId)
    .where('difference_id', '=', differenceId)
}

const findDifference = (tx: Tx, staff: Staff, differenceId: string) =>
  selectDifference(tx, staff, differenceId).executeTakeFirst()

async function readOwner(tx: Tx, staff: Staff, { account_id }: Difference): Promise<string | null> {
  if (account_id === null) return null
  const account = await tx
    .selectFrom('trading_accounts')
    .select('member_id')
    .where('workspace_id', '=', staff.workspaceId)
    .where('account_id', '=', account_id)
    .executeTakeFirst()
  return account?.member_id ?? null
}

const lockDifference = (tx: Tx, staff: Staff, differenceId: string) =>
  selectDifference(tx, staff, differenceId).forUpdate().executeTakeFirst()

function refuseUnfit({ state, kind }: Difference, { decision }: Wanted): void {
  const known = { kind: kind as DifferenceKind, state: state as DifferenceState }
  if (decisionsFor(known).includes(decision)) return
  refuse('illegal_move', state === 'open' ? deskTexts.differenceUnfit : deskTexts.differenceOver)
}

async function readAtPlatform(staff: Staff, { platform_id, platform_login }: Difference): Promise<AtPlatform> {
  const link = await findLink(systemActor(staff.context, staff.workspaceId), platform_id)
  if ('problem' in link) refuse('unavailable', deskTexts.platformSilent)
  try {
    return asListed(await link.gateway.readAccount(platform_login))
  } catch (problem) {
    if (isGone(problem)) refuse('illegal_move', deskTexts.differenceOver)
    if (!(problem instanceof GatewayError)) throw problem
    return refuse('unavailable', deskTexts.platformSilent)
  }
}

type Prepared = Wanted & { memberId: string | null; at: AtPlatform | null; worth: Worth | null }

/**
 * The next comparison stores the registration that staff accepted, and asks again about another one. Changes of the member
 * were not sent to the platform before.
 */
async function takeForTheirs(tx: Tx, staff: Staff, difference: Difference): Promise<void> {
  await setRegistration(tx, staff, difference, null)
  const memberId = await readOwner(tx, staff, difference)
  if (memberId !== null) await schedulePersonChange(tx, staff, memberId)
}

/** Before either platform existed. */
const beforeAnyAccount = new Date(Date.UTC(2000, 0, 1))

/** Takes back that the account is theirs: whatever the platform has under its number counts as another one again. */
const takeForAnother = (tx: Tx, staff: Staff, difference: Difference): Promise<void> =>
  setRegistration(tx, staff, difference, beforeAnyAccount)

/** The next comparison stores the platform's where there is none. */
async function setRegistration(
  tx: Tx,
  staff: Staff,
  { account_id }: Difference,
  platform_registered_at: Date | null,
): Promise<void> {
  await tx
    .updateTable('trading_accounts')
    .set({ platform_registered_at })
    .where('workspace_id', '=', staff.workspaceId)
    .where('account_id', '=', account_id)
    .execute()
}

/** Null while an import waits for a second person. */
async function carryOut(tx: Tx, staff: Staff, difference: Difference, wanted: Prepared): Promise<Decision | null> {
  if (wanted.decision === 'keep') {
    if (difference.reason === 'number_reused') await takeForTheirs(tx, staff, difference)
    return 'kept'
  }
  if (wanted.decision === 'import') return importAsDecided(tx, staff, difference, wanted)
  const isArchiving = wanted.decision === 'archive'
  const known = await readKnownAccounts(tx, staff, difference.platform_id)
  const account = known.find(({ account_id }) => account_id === difference.account_id)
  if (!account) refuse('illegal_move', deskTexts.differenceOver)
  const action = isArchiving ? 'account.archived' : 'account.restored'
  await changeAccount(tx, staff, account, { action, set: { archived: isArchiving } })
  if (difference.reason === 'archived_reused') await takeForTheirs(tx, staff, difference)
  // Changes of the member were not sent to the platform while the account was archived.
  else if (!isArchiving) await schedulePersonChange(tx, staff, account.member_id)
  return isArchiving ? 'archived' : 'restored'
}

async function importAsDecided(
  tx: Tx,
  staff: Staff,
  { platform_id, difference_id: id, first_seen_at: since }: Difference,
  { memberId, account_kind, at, worth }: Prepared,
): Promise<'imported' | null> {
  if (!memberId || !account_kind) {
    return refuseFields({
      ...(!memberId && { customer_number: [deskTexts.differenceMember] }),
      ...(!account_kind && { account_kind: [deskTexts.differenceAccountKind] }),
    })
  }
  if (!at || !worth || at.currency === null) return refuse('unavailable', deskTexts.platformSilent)
  // The offer of the group decides; staff choose only where there is none.
  const group = await readGroupKind(tx, staff, platform_id, at.group)
  if (group !== null && group !== account_kind)
    return refuseFields({ account_kind: [deskTexts.differenceGroupKind[group]] })
  const isLive = account_kind === 'live'
  const about = { kind: 'account_difference', id } as const
  // Giving a member an account gives them its money, like a deposit of that amount.
  const isCounted = group !== 'demo'
  const assigned = await confirmOwner(tx, staff, { about, memberId, isLive, isCounted, worth, since })
  if (!assigned) return null
  const owner = { platformId: platform_id, memberId, isLive, currency: at.currency, assigned }
  if (!(await importAccount(tx, staff, { ...owner, at }))) refuse('illegal_move', deskTexts.differenceOver)
  return 'imported'
}
