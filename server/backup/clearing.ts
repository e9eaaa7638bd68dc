import type { Archive } from './archive.ts'
import { type Contents, type FileEntry, fileName, listBackups, readContents, readFileList } from './contents.ts'
import { SealedOtherwise } from './problem.ts'

export type Cleared = { kept: string[]; removed: string[]; files_removed: number }

/**
 * Keeps the newest complete backups, and removes the others, unfinished ones, and files that no remaining backup names.
 * Backups of the previous key count too; files below its mark are removed with the last of them.
 */
export async function clearBackups(archive: Archive, keep: number): Promise<Cleared> {
  const found = await listBackups(archive)
  const whole = found.filter(({ is_whole }) => is_whole).slice(-keep)
  // Read first, so that a key that opens none of them removes nothing.
  const contents = await readAll(
    archive,
    whole.map(({ backup }) => backup),
  )
  const removed = found.filter((backup) => !whole.includes(backup)).map(({ backup }) => backup)
  for (const backup of removed) await removeBackup(archive, backup)
  const lists = contents.map((each) => inGroups(readFileList(archive, each)))
  const files_removed =
    (await removeUnnamed(archive, lists)) +
    (contents.length === whole.length ? await removeOtherwiseSealed(archive) : 0)
  return { kept: whole.map(({ backup }) => backup), removed, files_removed }
}

/** Contents of the backups that this key opens; throws if it opens none. */
async function readAll(archive: Archive, backups: string[]): Promise<Contents[]> {
  const tried = await Promise.allSettled(backups.map((backup) => readContents(archive, backup)))
  const read = tried.filter((each) => each.status === 'fulfilled').map(({ value }) => value)
  for (const each of tried)
    if (each.status === 'rejected' && (read.length === 0 || !(each.reason instanceof SealedOtherwise)))
      throw each.reason
  return read
}

async function removeOtherwiseSealed({ store, key: { mark } }: Archive): Promise<number> {
  let removed = 0
  for await (const { key } of store.list('files')) {
    if (key.startsWith(`files/${mark}/`)) continue
    await store.remove(key)
    removed += 1
  }
  return removed
}

/** Removes the object that marks the backup complete first. */
async function removeBackup({ store }: Archive, backup: string): Promise<void> {
  await store.remove(`backups/${backup}/contents`)
  for await (const { key } of store.list(`backups/${backup}`)) await store.remove(key)
}

type Group = { prefix: string; digests: Set<string> }

/** The list is sorted by digest, so equal prefixes are adjacent and only one group is in memory. */
async function* inGroups(list: AsyncIterable<FileEntry>): AsyncGenerator<Group> {
  let group = null as Group | null
  for await (const { digest } of list) {
    const prefix = digest.slice(0, 2)
    if (group && group.prefix !== prefix) yield group
    if (group?.prefix !== prefix) group = { prefix, digests: new Set() }
    group.digests.add(digest)
  }
  if (group) yield group
}

const prefixes = Array.from({ length: 256 }, (_, number) => number.toString(16).padStart(2, '0'))

async function removeUnnamed(archive: Archive, lists: AsyncGenerator<Group>[]): Promise<number> {
  const heads = await Promise.all(lists.map((list) => list.next()))
  let removed = 0
  for (const prefix of prefixes) {
    const named = new Set<string>()
    for (const [index, list] of lists.entries()) {
      const head = heads[index]
      if (!head || head.done || head.value.prefix !== prefix) continue
      for (const digest of head.value.digests) named.add(fileName(archive, digest))
      heads[index] = await list.next()
    }
    for await (const { key } of archive.store.list(`files/${archive.key.mark}/${prefix}`)) {
      if (named.has(key)) continue
      await archive.store.remove(key)
      removed += 1
    }
  }
  return removed
}
