import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { Unavailable } from '../foundation/errors.ts'

export type StoredFile = { key: string; storedAt: Date }

/** What is to be kept: bytes, or a file on this machine's disk, which can be read again when the first try fails. */
export type StoredContent = Buffer | { path: string }

/** Both ends belong to it, as in a `range` header. */
export type ByteRange = { from: number; to: number }

/** Where uploaded bytes live: a folder here, or a bucket (s3-store.ts). What stands in the way of it is an `Unavailable`. */
export type FileStore = {
  /** All or nothing: a reader never sees half a file, and what was written survives a power cut. */
  write(key: string, content: StoredContent): Promise<void>
  /** Begins to make a file of this machine's disk safe that is about to be written: it is done sooner then. */
  settle?(path: string): Promise<void>
  /** Null when there is no such file. `chunkBytes`: for whoever takes all of it as fast as it comes. */
  read(key: string, range?: ByteRange, chunkBytes?: number): Promise<Readable | null>
  /** Removing what is not there is fine: a sweep and an upload may both clean up. */
  remove(key: string): Promise<void>
  list(prefix: string): AsyncIterable<StoredFile>
  /** Makes what it writes into, where that is not there and may be made; missing where the first write does. */
  prepare?(): Promise<'there' | 'made'>
  close(): Promise<void>
}

/** Keys are ours (ids and slashes), never a person's text, so no key can point outside of the store. */
const keyShape = /^[a-z0-9-]{1,64}(\/[a-z0-9-]{1,64}){0,3}$/

/** What a killed write leaves behind is listed and removed like any other file, hence a key as well. */
const draftMark = '-draft-'

export function checkedKey(key: string): string {
  if (!keyShape.test(key)) throw new Error('This is not a key of the file store')
  return key
}

export function openFolderStore(folder: string): FileStore {
  const pathOf = (key: string): string => join(folder, checkedKey(key))

  return {
    async write(key, content) {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const draft = `${path}${draftMark}${randomUUID().slice(0, 8)}`
      try {
        if (Buffer.isBuffer(content) || !(await linkDurably(content.path, draft))) await writeDurably(draft, content)
        await rename(draft, path)
        await flushFolder(dirname(path))
      } catch (problem) {
        await rm(draft, { force: true })
        throw asUnavailable(problem)
      }
    },
    async settle(path) {
      // What goes wrong is said when it is written.
      const file = await open(path, 'r+').catch(() => null)
      await file?.datasync().catch(() => undefined)
      await file?.close()
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

/** The disk's own troubles pass: full, over its quota or its largest file, failing, or out of reach for writing. */
const diskProblems = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS', 'ENOTCONN', 'ESTALE'])

export function asUnavailable(problem: unknown): unknown {
  const code = problem instanceof Error && 'code' in problem ? String(problem.code) : ''
  return diskProblems.has(code) ? new Unavailable('The disk takes no files', problem) : problem
}

/** A second name for the file that was received, where both lie on one disk: nothing is copied. */
async function linkDurably(from: string, to: string): Promise<boolean> {
  const isLinked = await link(from, to).then(
    () => true,
    () => false,
  )
  if (!isLinked) return false
  const file = await open(to, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
  return true
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

/** The new name is safe only once its folder is; not every platform lets a folder be opened, and then it is best effort. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
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

function nullIfAbsent(problem: unknown): null {
  if (problem instanceof Error && 'code' in problem && (problem.code === 'ENOENT' || problem.code === 'ENOTDIR'))
    return null
  throw problem
}
