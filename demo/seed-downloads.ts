import { createHash } from 'node:crypto'
import type { DownloadSystem } from '../contract/downloads/downloads.ts'
import type { System } from '../server/foundation/actor.ts'
import type { Tx } from '../server/foundation/database/database.ts'
import { newId } from '../server/foundation/ids.ts'
import type { DemoAccount } from './harbour-markets.ts'
import { makeReceipt } from './receipt.ts'

type Kind = DemoAccount['platform']
type DemoDownload = { system: DownloadSystem; name: string; link: string }

const links: Record<Kind, DemoDownload[]> = {
  mt5: [
    { system: 'windows', name: 'MetaTrader 5 for Windows', link: 'https://www.metatrader5.com/en/download' },
    { system: 'mac-os', name: 'MetaTrader 5 for macOS', link: 'https://www.metatrader5.com/en/trading-platform' },
    {
      system: 'android',
      name: 'MetaTrader 5 for Android',
      link: 'https://www.metatrader5.com/en/mobile-trading/android',
    },
    {
      system: 'ios',
      name: 'MetaTrader 5 for iPhone and iPad',
      link: 'https://www.metatrader5.com/en/mobile-trading/iphone',
    },
    {
      system: 'web',
      name: 'MetaTrader 5 in the browser',
      link: 'https://www.metatrader5.com/en/trading-platform/web-trading',
    },
  ],
  mt4: [
    { system: 'windows', name: 'MetaTrader 4 for Windows', link: 'https://www.metatrader4.com/en/download' },
    {
      system: 'android',
      name: 'MetaTrader 4 for Android',
      link: 'https://www.metatrader4.com/en/mobile-trading/android',
    },
  ],
}

const guide = [
  'Harbour Markets',
  'Connecting to Harbour MT5',
  '1. Install MetaTrader 5 and open it.',
  '2. Choose File, then Login to Trade Account.',
  '3. Enter the number of your account and its password.',
  '4. Choose the server Harbour-Live, or Harbour-Demo for practice.',
]

/** Download links of the platforms, and a guide of the brokerage as a file. */
export async function addDownloads(tx: Tx, system: System, platformIds: Record<Kind, string>): Promise<void> {
  const key = { workspace_id: system.workspaceId, created_at: system.context.clock.now() }
  for (const kind of ['mt5', 'mt4'] as const)
    await tx
      .insertInto('platform_downloads')
      .values(
        links[kind].map((download, position) => ({
          ...{ ...key, ...download, position },
          ...{ download_id: newId(), platform_id: platformIds[kind] },
        })),
      )
      .execute()
  const file_id = newId()
  const content = makeReceipt(guide)
  const storage_key = `${system.workspaceId}/${file_id}`
  await system.context.files.write(storage_key, content)
  await tx
    .insertInto('platform_files')
    .values({
      ...{ ...key, file_id, storage_key, name: 'connecting-to-harbour-mt5.pdf', content_type: 'application/pdf' },
      ...{ size_bytes: content.length, sha256: createHash('sha256').update(content).digest() },
    })
    .execute()
  await tx
    .insertInto('platform_downloads')
    .values({
      ...{ ...key, file_id, download_id: newId(), platform_id: platformIds.mt5 },
      ...{ system: 'windows', name: 'How to connect (PDF)', position: links.mt5.length },
    })
    .execute()
}
