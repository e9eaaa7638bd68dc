import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'

export type StoredFile = { key: string; storedAt: Date }

/** Where uploaded bytes live. A folder here; anything that can write, read, remove and list by key can stand in for it. */
export type FileStore = {
  /** All or nothing: a reader never sees half a file, and what was written survives a power cut. */
  write(key: string, content: Buffer | Readable): Promise<void>
  /** Null when there is no such file. */
  read(key: string): Promise<Readable | null>
  /** Removing what is not there is fine: a sweep and an upload may both clean up. */
  remove(key: string): Promise<void>
  list(prefix: string): AsyncIterable<StoredFile>
}

/** Keys are ours (ids and slashes), never a person's text, so no key can point outside of the store. */
const keyShape = /^[a-z0-9-]{1,64}(\/[a-z0-9-]{1,64}){0,3}$/

/** What a killed write leaves behind is listed and removed like any other file, hence a key as well. */
const draftMark = '-draft-'

export function openFolderStore(folder: string): FileStore {
  const pathOf = (key: string): string => {
    if (!keyShape.test(key)) throw new Error('This is not a key of the file store')
    return join(folder, key)
  }

  return {
    async write(key, content) {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const draft = `${path}${draftMark}${randomUUID().slice(0, 8)}`
      try {
        await writeDurably(draft, content)
        await rename(draft, path)
        await flushFolder(dirname(path))
      } catch (problem) {
        await rm(draft, { force: true })
        throw problem
      }
    },
    async read(key) {
      const file = await open(pathOf(key), 'r').catch(nullIfAbsent)
      return file ? createReadStream('', { fd: file }) : null
    },
    async remove(key) {
      await rm(pathOf(key), { force: true })
    },
    list: (prefix) => listFolder(pathOf(prefix), prefix),
  }
}

async function writeDurably(path: string, content: Buffer | Readable): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
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
