import type { addPlatform as addCall, changePlatform as changeCall } from '@atrium/contract/platforms/desk-calls.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { z } from 'zod'
import { groupsOf } from '../accounts/queries.ts'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { refuseFields, refuseNotFound } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { requireProof } from '../sessions/factors/proof.ts'
import { lockPlatform } from '../trading-platforms/locked-platform.ts'
import { lockWorkspace } from '../workspaces/choices.ts'
import { listPlatformGroups } from './probe.ts'

/** A new platform is disabled and has no connection, so members are not offered it yet. */
export async function addPlatform(actor: Staff, { type, name }: z.output<(typeof addCall)['input']>): Promise<string> {
  authorizeStaff(actor, 'workspace.manage')
  return inTransaction(actor, async (tx) => {
    await lockWorkspace(tx, actor)
    // A repeated form returns the same platform, because names are unique.
    const earlier = await findNamed(tx, actor, name)
    if (earlier?.type === type) return earlier.platform_id
    if (earlier) refuseFields({ name: [deskTexts.platformNameTaken] })
    const platform_id = newId()
    await tx
      .insertInto('trading_platforms')
      .values({
        workspace_id: actor.workspaceId,
        platform_id,
        type,
        name,
        groups: '[]',
        enabled: false,
        created_at: actor.context.clock.now(),
      })
      .execute()
    await audit(tx, actor, {
      action: 'platform.added',
      subject: { kind: 'trading_platform', id: platform_id },
      after: { type, name },
    })
    return platform_id
  })
}

function findNamed(tx: Tx, actor: Staff, name: string) {
  return tx
    .selectFrom('trading_platforms')
    .select(['platform_id', 'type'])
    .where('workspace_id', '=', actor.workspaceId)
    .where('name', '=', name)
    .executeTakeFirst()
}

/** Changes name, offered groups and the members' server. A newly offered group must exist on the platform. */
export async function changePlatform(
  actor: Staff,
  { id, version, name, groups, client_server }: z.output<(typeof changeCall)['input']>,
): Promise<void> {
  authorizeStaff(actor, 'workspace.manage')
  await refuseUnknownGroups(actor, id, groups)
  await inTransaction(actor, async (tx) => {
    await lockWorkspace(tx, actor)
    const platform = await lockPlatform(tx, actor, id)
    const server = platform.row.client_server
    const before = { name: platform.row.name, groups: groupsOf(platform.row.groups), client_server: server }
    const after = { name, groups, client_server: client_server === undefined ? server : client_server }
    if (JSON.stringify(auditedOf(before)) === JSON.stringify(auditedOf(after))) return
    // Members open accounts in these groups and give their passwords to this server.
    await requireProof(tx, actor)
    platform.refuseUnless(version)
    if (name !== before.name && (await findNamed(tx, actor, name)))
      refuseFields({ name: [deskTexts.platformNameTaken] })
    await refuseLiveAsDemo(tx, actor, id, { before: before.groups, after: groups })
    await tx
      .updateTable('trading_platforms')
      .set({ name, groups: JSON.stringify(groups), client_server: after.client_server })
      .where('workspace_id', '=', actor.workspaceId)
      .where('platform_id', '=', id)
      .execute()
    await platform.bump(tx)
    await audit(tx, actor, {
      action: 'platform.changed',
      subject: { kind: 'trading_platform', id },
      before: auditedOf(before),
      after: auditedOf(after),
    })
  })
}

type Group = { name: string; alias: string; kind: string }

type Audited = { name: string; groups: Group[]; client_server: string | null }

const auditedOf = ({ name, groups, client_server }: Audited) => ({
  name,
  client_server,
  groups: groups.map((group) => `${group.alias} (${group.name}, ${group.kind})`),
})

type Change = { before: Group[]; after: Group[] }

/** Demo funds are credited without review, so a group with live accounts is not turned into a demo group. */
async function refuseLiveAsDemo(tx: Tx, actor: Staff, id: string, { before, after }: Change): Promise<void> {
  const demoAlready = new Set(before.filter(({ kind }) => kind === 'demo').map(({ name }) => name))
  const turned = after.filter(({ name, kind }) => kind === 'demo' && !demoAlready.has(name)).map(({ name }) => name)
  if (turned.length === 0) return
  const live = await tx
    .selectFrom('trading_accounts')
    .select('group_name')
    .where('workspace_id', '=', actor.workspaceId)
    .where('platform_id', '=', id)
    .where('group_name', 'in', turned)
    .where('live_account', '=', true)
    .where('archived', '=', false)
    .where('deleted', '=', false)
    .limit(1)
    .executeTakeFirst()
  if (live) refuseFields({ groups: [deskTexts.groupHasLiveAccounts.replace('{{group}}', live.group_name)] })
}

/** Asks the platform before the transaction, and only for new groups. */
async function refuseUnknownGroups(actor: Staff, id: string, groups: Group[]): Promise<void> {
  const row = await reading(actor, (tx) =>
    tx
      .selectFrom('trading_platforms')
      .select('groups')
      .where('workspace_id', '=', actor.workspaceId)
      .where('platform_id', '=', id)
      .executeTakeFirst(),
  )
  if (!row) refuseNotFound()
  const known = new Set(groupsOf(row.groups).map(({ name }) => name))
  const added = groups.filter(({ name }) => !known.has(name))
  if (added.length === 0) return
  const there = new Set((await listPlatformGroups(actor, id)).map(({ name }) => name))
  if (!added.every(({ name }) => there.has(name))) refuseFields({ groups: [deskTexts.groupUnknown] })
}
