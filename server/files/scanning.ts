import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import { holdsRight } from '@atrium/contract/staff/rights.ts'
import type { Staff, System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import type { Context } from '../foundation/context.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { refuseFields } from '../foundation/errors.ts'
import type { Verdict } from './clamd.ts'
import { spoolFolder } from './spool.ts'

/** Scans an upload before it is stored. Refuses an infected file; without the scanner the file waits for a later scan. */
export async function scanUpload(context: Context, path: string): Promise<'none' | 'clean' | 'waiting'> {
  if (!context.scanner) return 'none'
  const verdict = await context.scanner.scan(path)
  if (verdict === 'infected') {
    context.log.warn({}, 'an infected upload was refused')
    refuseFields({ file: [fileTexts.fileInfected] })
  }
  return verdict === 'clean' ? 'clean' : 'waiting'
}

/** A file that is infected or not yet scanned is served to nobody, including staff. */
export function problemOfScan({ scanner }: Pick<Context, 'scanner'>, scan: string | undefined): string | null {
  if (scan === 'waiting') return scanner ? fileTexts.fileVerifying : fileTexts.fileUnscanned
  return scan === 'infected' ? fileTexts.fileInfected : null
}

/** Waits for a scanner that was removed from the configuration. Only staff open it, with a reason (documents/file-release.ts). */
export const isUnscannable = ({ scanner }: Pick<Context, 'scanner'>, scan: string): boolean =>
  scan === 'waiting' && scanner === null

export const releaseRight = 'documents.decide'

/** What the desk shows of a member's file with this scan result. */
export function closureOf(staff: Staff, scan: string): { is_unscannable: boolean; may_release: boolean } {
  const is_unscannable = isUnscannable(staff.context, scan)
  return { is_unscannable, may_release: is_unscannable && holdsRight(staff.role, releaseRight) }
}

/** Scans a file stored without a scan. Throws while the scanner is unavailable, so that the job is retried. */
export async function scanWaiting(system: System, mediaId: string): Promise<void> {
  const { scanner } = system.context
  const row = await findWaiting(system, mediaId)
  if (!row) return
  const verdict = scanner ? await scanStored(system, row.storage_key) : 'unknown'
  if (verdict === 'unknown') throw new Error('The virus scanner does not answer')
  await inTransaction(system, async (tx) => {
    const changed = await tx
      .updateTable('media')
      .set({ scan: verdict })
      .where('workspace_id', '=', system.workspaceId)
      .where('media_id', '=', mediaId)
      .where('scan', '=', 'waiting')
      .executeTakeFirst()
    if (verdict !== 'infected' || changed.numUpdatedRows === 0n) return
    const subject = { kind: 'media', id: mediaId }
    await audit(tx, system, { action: 'file.found-infected', subject, memberId: row.member_id })
  })
}

const listedAtOnce = 500

/**
 * Every file still waiting for a scan, in case its job was lost or failed for good. In pages by id: files that are never
 * scanned do not keep later ones from their turn.
 */
export async function* listWaiting(system: System): AsyncGenerator<string[], void> {
  let last: string | undefined
  do {
    const ids = await readWaiting(system, last)
    if (ids.length > 0) yield ids
    last = ids.length === listedAtOnce ? ids.at(-1) : undefined
  } while (last !== undefined)
}

async function readWaiting(system: System, after: string | undefined): Promise<string[]> {
  const rows = await reading(system, (tx) =>
    tx
      .selectFrom('media')
      .select('media_id')
      .where('workspace_id', '=', system.workspaceId)
      .where('scan', '=', 'waiting')
      .$if(after !== undefined, (query) => query.where('media_id', '>', after ?? ''))
      .orderBy('media_id')
      .limit(listedAtOnce)
      .execute(),
  )
  return rows.map((row) => row.media_id)
}

function findWaiting(system: System, mediaId: string) {
  return reading(system, (tx) =>
    tx
      .selectFrom('media')
      .select(['storage_key', 'member_id'])
      .where('workspace_id', '=', system.workspaceId)
      .where('media_id', '=', mediaId)
      .where('scan', '=', 'waiting')
      .executeTakeFirst(),
  )
}

async function scanStored(system: System, key: string): Promise<Verdict> {
  const { config, files, scanner } = system.context
  const folder = spoolFolder(config.dataDirectory)
  const path = join(folder, randomUUID())
  if (!scanner) return 'unknown'
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Last, since whoever opens it must read or close it.
  const content = await files.read(key)
  if (!content) return 'unknown'
  try {
    await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    return await scanner.scan(path)
  } finally {
    await rm(path, { force: true })
  }
}
