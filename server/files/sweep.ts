import { fixedDays } from '@atrium/contract/workspaces/retention.ts'
import { sql } from 'kysely'
import type { System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { type MediaRow, removeFiles } from './media.ts'
import { isInDraft, isUnattached } from './queries.ts'
import type { StoredFile } from './store.ts'

/** An upload not used within a day counts as abandoned. */
export const unattachedForMs = fixedDays.unused_files * 24 * 3_600_000
const batchSize = 500

export type Swept = { uploads: number; files: number }

/** Deletes unattached uploads, and files without a row. */
export async function sweepUploads(system: System): Promise<Swept> {
  const { clock } = system.context
  const before = new Date(clock.now().getTime() - unattachedForMs)
  const uploads = (await removeUnattached(system, before)) + (await removeUnnamedPrograms(system, before))
  await removeAbandoned(system, before)
  const files = await removeOrphans(system, before)
  return { uploads, files }
}

async function removeUnattached(system: System, before: Date): Promise<number> {
  let removed = 0
  for (;;) {
    const gone = await deleteBatch(system, before)
    // After the commit: a remaining row needs its file, and a remaining file is an orphan for the next sweep.
    await removeFiles(system.context.files, gone)
    removed += gone.length
    if (gone.length < batchSize) return removed
  }
}

/**
 * Locks, then deletes: a transaction that is attaching a file holds its row, which is then skipped; an attachment committed just
 * before is visible to the second statement.
 */
function deleteBatch(system: System, before: Date): Promise<Pick<MediaRow, 'storage_key' | 'small_key'>[]> {
  return inTransaction(system, async (tx) => {
    const locked = await tx
      .selectFrom('media')
      .select('media_id')
      .where('workspace_id', '=', system.workspaceId)
      .where('created_at', '<', before)
      .where(isUnattached)
      .where((where) => where.not(isInDraft))
      .limit(batchSize)
      .forUpdate()
      .skipLocked()
      .execute()
    if (locked.length === 0) return []
    const ids = locked.map((row) => row.media_id)
    return tx
      .deleteFrom('media')
      .where('workspace_id', '=', system.workspaceId)
      .where('media_id', 'in', ids)
      .where(isUnattached)
      .where((where) => where.not(isInDraft))
      .returning(['storage_key', 'small_key'])
      .execute()
  })
}

/** Deletes programs that staff uploaded and no download refers to; skips one that a concurrent save has locked. */
async function removeUnnamedPrograms(system: System, before: Date): Promise<number> {
  const gone = await inTransaction(system, async (tx) => {
    const locked = await tx
      .selectFrom('platform_files as file')
      .select('file.file_id')
      .where('file.workspace_id', '=', system.workspaceId)
      .where('file.created_at', '<', before)
      .where(isUnnamed)
      .limit(batchSize)
      .forUpdate()
      .skipLocked()
      .execute()
    if (locked.length === 0) return []
    return tx
      .deleteFrom('platform_files as file')
      .where('file.workspace_id', '=', system.workspaceId)
      .where(
        'file.file_id',
        'in',
        locked.map((row) => row.file_id),
      )
      .where(isUnnamed)
      .returning('file.storage_key')
      .execute()
  })
  for (const { storage_key } of gone) await system.context.files.remove(storage_key)
  return gone.length
}

const isUnnamed = sql<boolean>`not exists (
  select from platform_downloads as download
  where download.workspace_id = file.workspace_id and download.file_id = file.file_id)`

/** Deletes abandoned resumable uploads. */
async function removeAbandoned(system: System, before: Date): Promise<void> {
  const gone = await inTransaction(system, (tx) =>
    tx
      .deleteFrom('uploads')
      .where('workspace_id', '=', system.workspaceId)
      .where('touched_at', '<', before)
      .returning('part_keys')
      .execute(),
  )
  for (const key of gone.flatMap((upload) => upload.part_keys)) await system.context.files.remove(key)
}

async function removeOrphans(system: System, before: Date): Promise<number> {
  let removed = 0
  let batch: StoredFile[] = []
  const flush = async () => {
    removed += await removeWithoutRow(system, batch)
    batch = []
  }
  for await (const file of system.context.files.list(system.workspaceId)) {
    // A recent file may be an upload whose row is not committed yet.
    if (file.storedAt < before) batch.push(file)
    if (batch.length >= batchSize) await flush()
  }
  await flush()
  return removed
}

async function removeWithoutRow(system: System, files: StoredFile[]): Promise<number> {
  if (files.length === 0) return 0
  const keys = files.map((file) => file.key)
  const rows = await reading(system, (tx) =>
    tx
      .selectFrom('media')
      .select('storage_key')
      .where('workspace_id', '=', system.workspaceId)
      .where('storage_key', 'in', keys)
      .unionAll(
        tx
          .selectFrom('platform_files')
          .select('storage_key')
          .where('workspace_id', '=', system.workspaceId)
          .where('storage_key', 'in', keys),
      )
      .unionAll(
        tx
          .selectFrom('staff_pictures')
          .select('storage_key')
          .where('workspace_id', '=', system.workspaceId)
          .where('storage_key', 'in', keys),
      )
      .unionAll(
        tx
          .selectFrom('media')
          .select(sql<string>`small_key`.as('storage_key'))
          .where('workspace_id', '=', system.workspaceId)
          .where('small_key', 'in', keys),
      )
      .unionAll(
        tx
          .selectFrom((from) =>
            from
              .selectFrom('uploads')
              .select(sql<string>`unnest(part_keys)`.as('storage_key'))
              .where('workspace_id', '=', system.workspaceId)
              .as('part'),
          )
          .select('storage_key')
          .where('storage_key', 'in', keys),
      )
      .execute(),
  )
  const known = new Set(rows.map((row) => row.storage_key))
  const orphans = keys.filter((key) => !known.has(key))
  for (const key of orphans) await system.context.files.remove(key)
  return orphans.length
}
