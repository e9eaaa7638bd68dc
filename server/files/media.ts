import type { CallAnswer } from '@atrium/contract/call.ts'
import type { uploadImage } from '@atrium/contract/files.ts'
import type { Selectable } from 'kysely'
import type { Media } from '../foundation/database.generated.ts'

export type MediaRow = Selectable<Media>
export type WireMedia = CallAnswer<typeof uploadImage>['image']

/** Where a file is read, without the prefix under which the file cookie is good (the web adds `/cp`). */
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
  }
}
