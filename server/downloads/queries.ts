import { type Actor, isOpenTo } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database/database.ts'

export type DownloadShape = Awaited<ReturnType<typeof listDownloads>>[number]

/** The downloads that members may see for each of these platforms, in the brokerage's order. */
export function listDownloads(tx: Tx, actor: Actor, platformIds: readonly string[]) {
  return selectDownloads(tx, actor)
    .where('download.platform_id', 'in', platformIds)
    .where('download.archived_at', 'is', null)
    .execute()
}

/** Downloads by id, including archived ones. */
export function readDownloads(tx: Tx, actor: Actor, downloadIds: readonly string[]) {
  return selectDownloads(tx, actor).where('download.download_id', 'in', downloadIds).execute()
}

/** Including archived ones, which the desk can restore. */
export function listEveryDownload(tx: Tx, actor: Actor, platformId: string) {
  return selectDownloads(tx, actor).where('download.platform_id', '=', platformId).execute()
}

function selectDownloads(tx: Tx, actor: Actor) {
  return tx
    .selectFrom('platform_downloads as download')
    .leftJoin('platform_files as file', (join) =>
      join.onRef('file.workspace_id', '=', 'download.workspace_id').onRef('file.file_id', '=', 'download.file_id'),
    )
    .innerJoin('trading_platforms as platform', (join) =>
      join
        .onRef('platform.workspace_id', '=', 'download.workspace_id')
        .onRef('platform.platform_id', '=', 'download.platform_id'),
    )
    .select([
      'download.download_id',
      'download.platform_id',
      'platform.name as platform_name',
      'platform.type as platform_type',
      'platform.client_server',
    ])
    .select(['download.system', 'download.name', 'download.link'])
    .select(['download.archived_at', 'download.file_id', 'file.name as file_name', 'file.size_bytes'])
    .select('file.created_at as file_created_at')
    .where('download.workspace_id', '=', actor.workspaceId)
    .orderBy('download.position')
    .orderBy('download.download_id')
}

/** The URL of such a file, under the same path as the members' own files. */
export const fileUrl = (fileId: string, name: string): string => `/private/files/${fileId}/${encodeURIComponent(name)}`

/**
 * The file of a download: for staff any of their workspace, for members one that is currently offered to them, if they may see
 * downloads.
 */
export async function findDownloadFile(actor: Actor, fileId: string) {
  // Without access to downloads, the file answers as not found.
  if (actor.kind === 'member' && !isOpenTo(actor, 'downloads')) return null
  const row = await reading(actor, (tx) => {
    const found = tx
      .selectFrom('platform_files as file')
      .select(['file.name', 'file.content_type', 'file.size_bytes', 'file.storage_key', 'file.sha256'])
      .where('file.workspace_id', '=', actor.workspaceId)
      .where('file.file_id', '=', fileId)
    if (actor.kind !== 'member') return found.executeTakeFirst()
    return found
      .where((where) =>
        where.exists(
          where
            .selectFrom('platform_downloads as download')
            .select('download.download_id')
            .whereRef('download.workspace_id', '=', 'file.workspace_id')
            .whereRef('download.file_id', '=', 'file.file_id')
            .where('download.archived_at', 'is', null),
        ),
      )
      .executeTakeFirst()
  })
  return row ?? null
}
