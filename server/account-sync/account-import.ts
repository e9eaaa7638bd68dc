import { emailKey } from '@atrium/contract/validators/reach.ts'
import type { AtPlatform } from '../accounts/differences.ts'
import { confirmSeen, type Finding, lockOwnerless, noteDifference } from '../accounts/differences.ts'
import { readPlatforms } from '../accounts/queries.ts'
import type { System } from '../foundation/actor.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { emailSpellings } from '../foundation/email-spellings.ts'
import { underWay } from '../openings/opening.ts'
import { checkSettledOpening } from '../openings/post-settlement-check.ts'
import { INTENT_TAG_CHARS } from '../trading-platforms/intent-tag.ts'
import { importAccount } from './account-changes.ts'

/** Batch size of one look-up: a platform's groups may hold far more accounts than ours. */
const accountsPerBatch = 500

/** Imports accounts that only the platform has. Returns the logins that remain without an owner. */
export async function importAccounts(
  system: System,
  platformId: string,
  unknownAccounts: readonly AtPlatform[],
): Promise<string[]> {
  const ownerless: string[] = []
  for (let first = 0; first < unknownAccounts.length; first += accountsPerBatch) {
    const some = unknownAccounts.slice(first, first + accountsPerBatch)
    ownerless.push(...(await importBatch(system, platformId, some)))
  }
  return ownerless
}

async function importBatch(system: System, platformId: string, some: readonly AtPlatform[]): Promise<string[]> {
  const openings = await reading(system, (tx) => findOpenings(tx, system, platformId, some))
  const others: AtPlatform[] = []
  for (const at of some) {
    const opening = openings.get(tagOf(at))
    // An account of a pending opening, or of one recorded as not opened, is stored by the opening with all that belongs
    // to it. An account found after the opening finished is another one.
    if (opening?.state === 'not_opened') await checkSettledOpening(system, opening.opening_id)
    if (!opening || !canEnd(opening.state)) others.push(at)
  }
  return inTransaction(system, async (tx) => {
    const logins = others.map(({ login }) => login)
    const ownerless = await lockOwnerless(tx, system, platformId, logins)
    const findOwner = await readOwners(tx, system, platformId, others)
    const unknown: Finding[] = []
    for (const at of others) {
      const owner = findOwner(at)
      if ('reason' in owner) unknown.push({ at, reason: owner.reason })
      else if (ownerless.has(at.login)) unknown.push({ at, reason: 'owner_known' })
      else await importAccount(tx, system, { platformId, at, ...owner })
    }
    await noteUnknown(tx, system, platformId, unknown)
    return unknown.map(({ at }) => at.login)
  })
}

/** Confirms unchanged differences in one statement. */
async function noteUnknown(tx: Tx, system: System, platformId: string, unknown: readonly Finding[]): Promise<void> {
  const confirmed = await confirmSeen(tx, system, platformId, { kind: 'unknown_owner', said: unknown })
  for (const { at, reason } of unknown) {
    if (confirmed.has(at.login)) continue
    const found = { kind: 'unknown_owner', login: at.login, accountId: null, reason, at } as const
    await noteDifference(tx, system, platformId, found)
  }
}

const tagOf = (at: AtPlatform): string => at.comment.slice(0, INTENT_TAG_CHARS).toUpperCase()

const canEnd = (state: string): boolean => [...underWay, 'not_opened'].some((each) => each === state)

async function findOpenings(tx: Tx, system: System, platformId: string, some: readonly AtPlatform[]) {
  const openings = await tx
    .selectFrom('account_openings')
    .select(['opening_id', 'state', 'tag'])
    .where('workspace_id', '=', system.workspaceId)
    .where('platform_id', '=', platformId)
    .where('tag', 'in', some.map(tagOf))
    .execute()
  return new Map(openings.map((opening) => [opening.tag, opening]))
}

type Owner = { memberId: string; isLive: boolean; currency: string }

const addressOf = (at: AtPlatform): string => emailKey(at.email ?? '')

/** The owner is the one member with this address, in an offered group; in every other case it stays unknown. */
async function readOwners(
  tx: Tx,
  system: System,
  platformId: string,
  some: readonly AtPlatform[],
): Promise<(at: AtPlatform) => Owner | { reason: string }> {
  const groups = (await readPlatforms(tx, system)).find(({ id }) => id === platformId)?.groups ?? []
  const offered = new Map(groups.map((group) => [group.name, group]))
  const members = await readMembersByAddress(tx, system, some.map(addressOf))
  return (at) => {
    if (at.email === null) return { reason: 'no_address' }
    const [member, another] = members.get(addressOf(at)) ?? []
    if (!member) return { reason: 'no_member' }
    if (another) return { reason: 'several_members' }
    const group = offered.get(at.group)
    if (!group || at.currency === null) return { reason: 'group_not_offered' }
    return { memberId: member, isLive: group.kind === 'live', currency: at.currency }
  }
}

async function readMembersByAddress(tx: Tx, system: System, addresses: string[]): Promise<Map<string, string[]>> {
  const byAddress = new Map<string, string[]>()
  if (addresses.length === 0) return byAddress
  const members = await tx
    .selectFrom('members')
    .select(['member_id', 'email'])
    .where('workspace_id', '=', system.workspaceId)
    .where(({ fn }) => fn<string>('lower', ['email']), 'in', addresses.flatMap(emailSpellings))
    .where('status', '<>', 'erased')
    .execute()
  for (const { member_id, email } of members)
    byAddress.set(emailKey(email), [...(byAddress.get(emailKey(email)) ?? []), member_id])
  return byAddress
}
