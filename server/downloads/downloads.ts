import type { setDownloads as setCall } from '@atrium/contract/platforms/desk-calls.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { refuseFields } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { requireProof } from '../sessions/factors/proof.ts'
import { lockPlatform } from '../trading-platforms/locked-platform.ts'
import { type DownloadShape, listEveryDownload } from './queries.ts'

type Wanted = z.output<(typeof setCall)['input']>
type Entry = Wanted['downloads'][number]

/**
 * Saves the whole ordered list of a platform's downloads; an identical list is a no-op. A saved entry is archived and
 * never deleted, since a complaint may refer to it.
 */
export async function setDownloads(actor: Staff, { id, version, downloads }: Wanted): Promise<void> {
  authorizeStaff(actor, 'workspace.manage')
  await inTransaction(actor, async (tx) => {
    const platform = await lockPlatform(tx, actor, id)
    const before = await listEveryDownload(tx, actor, id)
    const known = new Map(before.map((row) => [row.download_id, row]))
    // Compared by content, since a repeated list has no ids for the entries that it added.
    if (isSame(before.map(compared), downloads.map(comparedEntry))) return
    platform.refuseUnless(version)
    // Members run these programs, so an unattended session must not replace them.
    await requireProof(tx, actor)
    refuseUnknownEntries(known, downloads)
    await refuseMissingFiles(tx, actor, downloads)
    const at = actor.context.clock.now()
    for (const [position, entry] of downloads.entries()) {
      const values = {
        ...{ system: entry.system, name: entry.name, link: entry.link, file_id: entry.file_id, position },
        archived_at: entry.archived ? (known.get(entry._id ?? '')?.archived_at ?? at) : null,
      }
      await keep(tx, actor, { platformId: id, downloadId: entry._id, values })
    }
    await platform.bump(tx)
    await audit(tx, actor, {
      action: 'platform.downloads-changed',
      subject: { kind: 'trading_platform', id },
      before: { downloads: before.map(auditedOf) },
      after: { downloads: (await listEveryDownload(tx, actor, id)).map(auditedOf) },
    })
  })
}

type Values = { system: string; name: string; link: string | null; file_id: string | null; position: number } & {
  archived_at: Date | null
}

async function keep(
  tx: Tx,
  actor: Staff,
  { platformId, downloadId, values }: { platformId: string; downloadId: string | null; values: Values },
): Promise<void> {
  const key = { workspace_id: actor.workspaceId, platform_id: platformId }
  if (downloadId === null) {
    const created_at = actor.context.clock.now()
    await tx
      .insertInto('platform_downloads')
      .values({ ...key, ...values, download_id: newId(), created_at })
      .execute()
    return
  }
  await tx
    .updateTable('platform_downloads')
    .set(values)
    .where('workspace_id', '=', key.workspace_id)
    .where('platform_id', '=', platformId)
    .where('download_id', '=', downloadId)
    .execute()
}

function refuseUnknownEntries(known: Map<string, unknown>, downloads: Entry[]): void {
  const sent = downloads.flatMap(({ _id }) => _id ?? [])
  if (new Set(sent).size !== sent.length || !sent.every((id) => known.has(id)))
    refuseFields({ downloads: [deskTexts.entryUnknown] })
  if (sent.length !== known.size) refuseFields({ downloads: [deskTexts.entryGone] })
}

async function refuseMissingFiles(tx: Tx, actor: Staff, downloads: Entry[]): Promise<void> {
  const wanted = [...new Set(downloads.flatMap(({ file_id }) => file_id ?? []))]
  if (wanted.length === 0) return
  // Locked, so that no sweep deletes a file before the download that refers to it exists.
  const found = await tx
    .selectFrom('platform_files')
    .select('file_id')
    .where('workspace_id', '=', actor.workspaceId)
    .where('file_id', 'in', wanted)
    .forShare()
    .execute()
  if (found.length !== wanted.length) refuseFields({ downloads: [deskTexts.fileUnknown] })
}

type Compared = [system: string, name: string, link: string | null, fileId: string | null, archived: boolean]

const compared = ({ system, name, link, file_id, archived_at }: DownloadShape): Compared => [
  system,
  name,
  link,
  file_id,
  archived_at !== null,
]
const comparedEntry = ({ system, name, link, file_id, archived }: Entry): Compared => [
  system,
  name,
  link,
  file_id,
  archived,
]
const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

/** The audit log's text of an entry. */
const auditedOf = ({ system, name, link, file_name, archived_at }: DownloadShape): string =>
  `${system}: ${name}, ${link ?? file_name ?? ''}${archived_at ? ' (archived)' : ''}`
