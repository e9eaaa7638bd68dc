import DataLoader from 'dataloader'
import { builder } from '../graphql/builder.ts'
import type { GraphContext } from '../graphql/context.ts'
import { type DownloadShape, fileUrl, listDownloads } from './queries.ts'

/** Loads the downloads of all platforms of a query in one statement. */
const downloadLoader = ({ read, member }: GraphContext) =>
  new DataLoader<string, DownloadShape[]>(async (ids) => {
    const rows = Map.groupBy(await read((tx) => listDownloads(tx, member, ids)), (row) => row.platform_id)
    return ids.map((id) => rows.get(id) ?? [])
  })

/** The file as GraphQL returns it. */
function fileOf({ file_id, file_name, file_created_at }: DownloadShape) {
  if (file_id === null || file_name === null) return null
  const url = fileUrl(file_id, file_name)
  return { _id: file_id, title: file_name, description: null, url, created_at: file_created_at }
}

export function describeDownloads(): void {
  builder.objectType('PlatformDownload', {
    fields: (t) => ({
      _id: t.exposeID('download_id'),
      platform: t.exposeString('system'),
      name: t.exposeString('name'),
      trading_platform: t.field({ type: 'TradingPlatform', resolve: (row) => row }),
      trading_platform_name: t.exposeString('platform_name'),
      link: t.exposeString('link', { nullable: true }),
      file: t.field({ type: 'File', nullable: true, resolve: fileOf }),
    }),
  })
  builder.objectField('TradingPlatform', 'downloads', (t) =>
    t.field({
      scopes: ['downloads'],
      reads: 1,
      type: ['PlatformDownload'],
      resolve: (row, _args, context) => context.own(downloadLoader).load(row.platform_id),
    }),
  )
}
