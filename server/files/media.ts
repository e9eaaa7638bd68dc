import type { CallAnswer } from '@atrium/contract/call.ts'
import type { uploadImage } from '@atrium/contract/files/calls.ts'
import type { Selectable } from 'kysely'
import type { Media } from '../foundation/database/database.generated.ts'
import type { FileStore } from './store.ts'

export type MediaRow = Selectable<Media>
export type WireMedia = CallAnswer<typeof uploadImage>['image']

/** The URL of a file without the path prefix of the file cookie (the web adds `/cp`). */
export function mediaUrl(file: { media_id: string; name: string }): string {
  return `/private/files/${file.media_id}/${encodeURIComponent(file.name)}`
}

export function wireMedia(row: MediaRow): WireMedia {
  return {
    _id: row.media_id,
    type: row.kind === 'image' || row.kind === 'video' ? row.kind : 'file',
    name: row.name,
    title: row.name,
    extension: row.extension,
    size_bytes: Number(row.size_bytes),
    url: mediaUrl(row),
    small_url: smallUrl(row),
    is_waiting: row.scan === 'waiting',
  }
}

/** The thumbnail's URL, or null. */
export function smallUrl(file: Pick<MediaRow, 'media_id' | 'name' | 'small_key'>): string | null {
  return file.small_key === null ? null : `${mediaUrl(file)}?small=1`
}

/** Removing a missing file is a no-op; a file left by a crash has no row and is swept. */
export async function removeFiles(
  store: FileStore,
  rows: readonly Pick<MediaRow, 'storage_key' | 'small_key'>[],
): Promise<void> {
  for (const { storage_key, small_key } of rows) {
    await store.remove(storage_key)
    if (small_key) await store.remove(small_key)
  }
}

/** No row names these files, and no other attempt has their keys. What cannot be removed either is swept. */
export async function removingOnFailure(
  files: FileStore,
  row: Pick<MediaRow, 'storage_key' | 'small_key'>,
  write: () => Promise<void>,
): Promise<void> {
  try {
    await write()
  } catch (problem) {
    await removeFiles(files, [row]).catch(() => undefined)
    throw problem
  }
}
