import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { Unavailable } from '../foundation/errors.ts'

export type StoredFile = { key: string; storedAt: Date }

/** A file on the local disk, which a retry can read again. `isFlushed`: by `settle`. */
type LocalFile = { path: string; isFlushed?: boolean }
export type StoredContent = Buffer | LocalFile

/** Both ends are inclusive, as in a `range` header. */
export type ByteRange = { from: number; to: number }

/** Stores uploaded bytes in a folder or a bucket (s3-store.ts). Problems of the store throw `Unavailable`. */
export type FileStore = {
  /** Atomic and durable: a reader never sees half a file, and a written file survives a power cut. */
  write(key: string, content: StoredContent): Promise<void>
  /** The file of a key, to be written in place by a caller that makes it durable itself. A bucket has none. */
  pathOf?(key: string): string
  /** Makes the folder of a key that is written in place. */
  makeFolderOf?(key: string): Promise<void>
  /** Flushes a local file that is about to be written, so that the write need not. */
  settle?(path: string): Promise<void>
  /** Null if the file does not exist. `chunkBytes`: for a caller that reads the whole file at full speed. */
  read(key: string, range?: ByteRange, chunkBytes?: number): Promise<Readable | null>
  /** Removing a missing file is a no-op: a sweep and an upload may both clean up. */
  remove(key: string): Promise<void>
  list(prefix: string): AsyncIterable<StoredFile>
  /** Creates the missing bucket if the keys allow it. A store that creates its folder on the first write has no `prepare`. */
  prepare?(): Promise<'there' | 'made'>
  close(): Promise<void>
}

/** Keys are our own (ids and slashes), never user text, so no key can lead outside the store. */
const keyShape = /^[a-z0-9-]{1,64}(\/[a-z0-9-]{1,64}){0,3}$/

/** A draft left by a killed write is listed and removed like any other file, so its name is a valid key. */
const draftMark = '-draft-'

export function checkedKey(key: string): string {
  if (!keyShape.test(key)) throw new Error('This is not a key of the file store')
  return key
}

export function openFolderStore(folder: string): FileStore {
  const pathOf = (key: string): string => join(folder, checkedKey(key))
  const makeFolder = openFolderMaker(folder)

  return {
    pathOf,
    makeFolderOf: (key) => makeFolder(dirname(pathOf(key))),
    async write(key, content) {
      const path = pathOf(key)
      try {
        await makeFolder(dirname(path))
        if (Buffer.isBuffer(content) || !(await linkDurably(content, path))) await replaceDurably(path, content)
        await flushFolder(dirname(path))
      } catch (problem) {
        throw asUnavailable(problem)
      }
    },
    async settle(path) {
      await flushFile(path).catch((problem) => {
        throw asUnavailable(problem)
      })
    },
    async read(key, range, highWaterMark = 65_536) {
      const file = await open(pathOf(key), 'r').catch(nullIfAbsent)
      const bounds = range && { start: range.from, end: range.to }
      return file ? createReadStream('', { fd: file, highWaterMark, ...bounds }) : null
    },
    async remove(key) {
      await rm(pathOf(key), { force: true })
    },
    list: (prefix) => listFolder(pathOf(prefix), prefix),
    close: async () => undefined,
  }
}

/** Temporary problems: a disk that is full, over a quota or size limit, failing or not writable, and too many open files. */
const diskProblems = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS', 'ENOTCONN', 'ESTALE', 'EMFILE', 'ENFILE']

const hasCode = (problem: unknown, codes: readonly string[]): boolean =>
  problem instanceof Error && 'code' in problem && codes.includes(String(problem.code))

export const asUnavailable = (problem: unknown): unknown =>
  hasCode(problem, diskProblems) ? new Unavailable('The disk takes no files', problem) : problem

/**
 * Hard-links a received file where both are on one disk, so that nothing is copied; the caller flushes the folder.
 * False if the name is taken, as by a file that a crash cut short.
 */
async function linkDurably({ path, isFlushed }: LocalFile, to: string): Promise<boolean> {
  if (!isFlushed) await flushFile(path)
  return link(path, to).then(
    () => true,
    () => false,
  )
}

/**
 * Copies, also where a link is possible: renaming one name of a file to another of the same file changes nothing. The flush after it
 * would then confirm a name whose own flush failed.
 */
async function replaceDurably(path: string, content: StoredContent): Promise<void> {
  const draft = `${path}${draftMark}${randomUUID().slice(0, 8)}`
  try {
    await writeDurably(draft, content)
    await rename(draft, path)
  } catch (problem) {
    await rm(draft, { force: true })
    throw problem
  }
}

/**
 * Linux reports a failed write once to each open file and then counts the pages as written: a flush through a file opened later
 * succeeds. So no error of a flush may be ignored.
 */
async function flushFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.datasync()
  } finally {
    await file.close()
  }
}

async function writeDurably(path: string, content: StoredContent): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(Buffer.isBuffer(content) ? content : createReadStream(content.path))
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Makes folders below a root. This process flushes the name of each once, since a concurrent write or another process
 * may not have flushed it yet; after a failure it removes those it made, so that a retry flushes them.
 */
function openFolderMaker(root: string): (folder: string) => Promise<void> {
  const durable = new Set<string>()
  return async (folder) => {
    const first = await mkdir(folder, { recursive: true, mode: 0o700 })
    const isMade = (each: string): boolean => first !== undefined && each.length >= resolve(first).length
    const due: string[] = []
    for (let each = resolve(folder); isMade(each) || isBelow(each, root); each = dirname(each))
      if (isMade(each) || !durable.has(each)) due.push(each)
    try {
      for (const each of due) await flushFolder(dirname(each))
    } catch (problem) {
      for (const each of due.filter(isMade)) await rmdir(each).catch(() => undefined)
      throw problem
    }
    for (const each of due) durable.add(each)
  }
}

const isBelow = (path: string, root: string): boolean => path.length >= resolve(root).length

/** The codes of a platform or file system that cannot flush a folder. */
const noFolderFlush = ['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP']

/** A new name is durable only once its folder is flushed; where a platform cannot flush a folder, this is best effort. */
export async function flushFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r')
    await handle.sync().finally(() => handle.close())
  } catch (problem) {
    if (!hasCode(problem, noFolderFlush)) throw problem
  }
}

async function* listFolder(path: string, prefix: string): AsyncIterable<StoredFile> {
  const entries = (await readdir(path, { withFileTypes: true }).catch(nullIfAbsent)) ?? []
  for (const entry of entries) {
    const key = `${prefix}/${entry.name}`
    if (entry.isDirectory()) {
      yield* listFolder(join(path, entry.name), key)
      continue
    }
    const found = await stat(join(path, entry.name)).catch(nullIfAbsent)
    if (found) yield { key, storedAt: found.mtime }
  }
}

export const isAbsent = (problem: unknown): boolean => hasCode(problem, ['ENOENT', 'ENOTDIR'])

export function nullIfAbsent(problem: unknown): null {
  if (isAbsent(problem)) return null
  throw problem
}
