import type { FieldErrors } from '@atrium/contract/error-codes.ts'
import { limits } from '@atrium/contract/limits.ts'
import type { OpeningInput } from '@atrium/contract/openings/calls.ts'
import type { AccountKind } from '@atrium/contract/openings/states.ts'
import { openingTexts } from '@atrium/contract/openings/texts.ts'
import { sql } from 'kysely'
import { readOfferedPlatforms } from '../accounts/queries.ts'
import { authorize, type Member } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { refuse, refuseFields } from '../foundation/errors.ts'
import { readWorkspace } from '../workspaces/workspace.ts'
import { underWay } from './opening.ts'

/** Platform, group and leverage must be offered by the workspace for this kind of account. */
export async function checkOffer(tx: Tx, member: Member, kind: AccountKind, input: OpeningInput): Promise<void> {
  const errors: FieldErrors = {}
  const platform = (await readOfferedPlatforms(tx, member)).find(({ id }) => id === input.trading_platform)
  const group = platform?.groups.find(({ name }) => name === input.group)
  if (!platform) errors.trading_platform = [openingTexts.openingPlatformUnknown]
  else if (platform.groups.every((each) => each.kind !== kind)) errors.group = [openingTexts.openingNoGroups]
  else if (!group) errors.group = [openingTexts.openingGroupUnknown]
  // A demo account in a live group would be given real money as its initial balance.
  else if (group.kind !== kind) errors.group = [openingTexts.openingGroupKind]
  const { settings } = await readWorkspace(tx, member)
  if (!settings.leverage.includes(input.leverage)) errors.leverage = [openingTexts.openingLeverageUnknown]
  if (Object.keys(errors).length > 0) refuseFields(errors)
}

/**
 * Checks that the member may open another account of this kind. Requires the lock on the member's row (lockOwnMember),
 * so that a concurrent request counts the opening of the first.
 */
export async function checkEligibility(tx: Tx, member: Member, kind: AccountKind): Promise<void> {
  const { settings } = await readWorkspace(tx, member)
  const rule = settings[`acc_creation_${kind}_configuration`]
  if (!rule.enabled) refuse('opening_disabled', openingTexts.openingDisabled)
  const { documents_status } = await readHealth(tx, member)
  if (rule.require_kyc && documents_status !== 'approved') refuse('kyc_required', openingTexts.openingKyc)
  const { accounts, openings } = await countOf(tx, member, kind)
  if (openings > 0) refuse('opening_under_way', openingTexts.openingUnderWay)
  if (rule.account_limit !== limits.accountsUnlimited && accounts >= rule.account_limit) {
    refuse('account_limit_reached', openingTexts.openingLimit)
  }
}

function readHealth(tx: Tx, member: Member) {
  return tx
    .selectFrom('members')
    .select('documents_status')
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .executeTakeFirstOrThrow()
}

/** One statement, so that an opening that ends meanwhile is counted once. */
async function countOf(tx: Tx, member: Member, kind: AccountKind): Promise<{ accounts: number; openings: number }> {
  const found = await sql<{ accounts: number; openings: number }>`
    select (select count(*)::int from account_openings where workspace_id = ${member.workspaceId}::uuid
        and member_id = ${member.memberId}::uuid and kind = ${kind} and state = any(${[...underWay]}::text[])) as openings,
      ${countAccounts(member, kind)} as accounts
  `.execute(tx)
  return found.rows[0] ?? { accounts: 0, openings: 0 }
}

/** What counts towards the limit: an archived account takes no place, since its member cannot use it. */
const countAccounts = ({ workspaceId, memberId }: Member, kind: AccountKind) => sql<number>`(
  select count(*)::int from trading_accounts where workspace_id = ${workspaceId}::uuid
    and member_id = ${memberId}::uuid and live_account = ${kind === 'live'} and not deleted and not archived)`

export async function readCounted(member: Member): Promise<Record<AccountKind, number>> {
  authorize(member, 'my_accounts')
  const { rows } = await reading(member, (tx) =>
    sql<Record<AccountKind, number>>`
      select ${countAccounts(member, 'live')} as live, ${countAccounts(member, 'demo')} as demo`.execute(tx),
  )
  return rows[0] ?? { live: 0, demo: 0 }
}
