import { downloadSystems } from '@atrium/contract/downloads/downloads.ts'
import { type DeskPlatform, platformKinds } from '@atrium/contract/platforms/desk-calls.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { groupsOf } from '../accounts/queries.ts'
import { type DownloadShape, fileUrl, listEveryDownload } from '../downloads/queries.ts'
import { authorizeStaff, type Staff, systemActor } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { describeConnection, timingOf } from './connection-fields.ts'

const kind = z.enum(platformKinds)
const system = z.enum(downloadSystems)

/** The workspace's platforms, oldest first, with a summary for the desk. */
export async function listPlatforms(actor: Staff) {
  authorizeStaff(actor, 'workspace.manage')
  const rows = await reading(actor, (tx) =>
    tx
      .selectFrom('trading_platforms as platform')
      .leftJoin('platform_connections as connection', (join) =>
        join
          .onRef('connection.workspace_id', '=', 'platform.workspace_id')
          .onRef('connection.platform_id', '=', 'platform.platform_id'),
      )
      .select(['platform.platform_id', 'platform.type', 'platform.name', 'platform.enabled', 'platform.groups'])
      .select(sql<boolean>`connection.platform_id is not null`.as('is_connected'))
      .select(['connection.compared_at', 'connection.compare_problem', 'connection.unread_groups'])
      .select((query) => [
        query
          .selectFrom('trading_accounts as account')
          .select(sql<number>`count(*)::int`.as('count'))
          .whereRef('account.workspace_id', '=', 'platform.workspace_id')
          .whereRef('account.platform_id', '=', 'platform.platform_id')
          .where('account.deleted', '=', false)
          .as('accounts'),
        query
          .selectFrom('trading_accounts as account')
          .select(sql<Date | null>`max(account.synced_at)`.as('at'))
          .whereRef('account.workspace_id', '=', 'platform.workspace_id')
          .whereRef('account.platform_id', '=', 'platform.platform_id')
          .as('last_read_at'),
        query
          .selectFrom('platform_downloads as download')
          .select(sql<number>`count(*)::int`.as('count'))
          .whereRef('download.workspace_id', '=', 'platform.workspace_id')
          .whereRef('download.platform_id', '=', 'platform.platform_id')
          .where('download.archived_at', 'is', null)
          .as('downloads'),
      ])
      .where('platform.workspace_id', '=', actor.workspaceId)
      .orderBy('platform.created_at')
      .orderBy('platform.platform_id')
      .limit(100)
      .execute(),
  )
  return rows.map(({ platform_id, type, groups, accounts, downloads, last_read_at, compared_at, ...row }) => ({
    ...row,
    unread_groups: row.unread_groups ?? [],
    ...healthOf(actor, platform_id, [last_read_at, compared_at]),
    compared_at: compared_at?.getTime() ?? null,
    _id: platform_id,
    type: kind.parse(type),
    groups: groupsOf(groups).length,
    accounts: accounts ?? 0,
    downloads: downloads ?? 0,
    last_read_at: last_read_at?.getTime() ?? null,
  }))
}

/** Health as seen by this process, with the latest stored answer of any process. */
function healthOf({ context, workspaceId }: Staff, platformId: string, stored: (Date | null)[]) {
  const circuit = context.platforms.circuitState(systemActor(context, workspaceId), platformId)
  const answers = [circuit?.lastAnswerAt ?? 0, ...stored.map((at) => at?.getTime() ?? 0)]
  return {
    standing:
      circuit === null
        ? ('not_asked' as const)
        : circuit.isCircuitOpen
          ? ('left_in_peace' as const)
          : ('answering' as const),
    last_answer_at: Math.max(...answers) || null,
  }
}

export async function readPlatform(actor: Staff, id: string): Promise<DeskPlatform> {
  authorizeStaff(actor, 'workspace.manage')
  return reading(actor, (tx) => describePlatform(tx, actor, id))
}

/** All details of one platform except the secret, which is write-only. */
export async function describePlatform(tx: Tx, actor: Staff, id: string): Promise<DeskPlatform> {
  const row = await tx
    .selectFrom('trading_platforms as platform')
    .leftJoin('platform_connections as connection', (join) =>
      join
        .onRef('connection.workspace_id', '=', 'platform.workspace_id')
        .onRef('connection.platform_id', '=', 'platform.platform_id'),
    )
    .select(['platform.platform_id', 'platform.type', 'platform.name', 'platform.enabled', 'platform.version'])
    .select(['platform.groups', 'platform.client_server', 'connection.settings'])
    .select(['connection.settle_ms', 'connection.look_again_ms', 'connection.lease_ms'])
    .where('platform.workspace_id', '=', actor.workspaceId)
    .where('platform.platform_id', '=', id)
    .executeTakeFirst()
  if (!row) refuseNotFound()
  const { connection, is_simulated } = describeConnection(row.settings as Record<string, unknown> | null, timingOf(row))
  return {
    _id: row.platform_id,
    type: kind.parse(row.type),
    name: row.name,
    enabled: row.enabled,
    version: row.version,
    groups: groupsOf(row.groups),
    client_server: row.client_server,
    connection,
    is_simulated,
    downloads: (await listEveryDownload(tx, actor, id)).map(describeDownload),
  }
}

function describeDownload(row: DownloadShape): DeskPlatform['downloads'][number] {
  const { download_id, name, link, file_id, file_name, size_bytes, archived_at } = row
  const file =
    file_id === null || file_name === null
      ? null
      : { _id: file_id, name: file_name, size_bytes: Number(size_bytes), url: fileUrl(file_id, file_name) }
  return { _id: download_id, system: system.parse(row.system), name, link, file, archived: archived_at !== null }
}
