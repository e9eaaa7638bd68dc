import { randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import type { FileStore } from '../files/store.ts'
import { BackupProblem } from './problem.ts'
import { type BackupKey, opened, sealed } from './sealing.ts'

/** The store of the backups (folder or bucket), their encryption key, and a spool folder for large objects. */
export type Archive = {
  store: FileStore
  key: BackupKey
  spool: string
  /** Called for each object written or read, to report progress. */
  onMove?: (name: string) => void
}

/** Larger objects are spooled to disk, so that memory use is bounded. */
const inMemoryBytesMax = 16 * 1024 * 1024
/** Maximum size of a part before compression; a part may exceed it slightly. */
const partBytesMax = 64 * 1024 * 1024

/** Encrypts an object into the archive, completely or not at all. */
export function keepSealed(archive: Archive, name: string, source: AsyncIterable<Buffer>): Promise<void> {
  archive.onMove?.(name)
  return keep(archive.store, name, sealed(archive.key, name, source), archive.spool)
}

/** The content of an object; null if it does not exist. */
export async function readSealed(archive: Archive, name: string): Promise<AsyncGenerator<Buffer> | null> {
  archive.onMove?.(name)
  const found = await archive.store.read(name)
  return found && opened(archive.key, name, found)
}

/** Writes a stream of pieces as one file of a store. */
export async function keep(
  store: FileStore,
  name: string,
  source: AsyncIterable<Buffer>,
  spool: string,
): Promise<void> {
  const pieces = source[Symbol.asyncIterator]()
  const held: Buffer[] = []
  let size = 0
  try {
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
      held.push(next.value)
      size += next.value.length
      if (size > inMemoryBytesMax) return await keepByDisk(store, name, { held, rest: pieces }, spool)
    }
    await store.write(name, Buffer.concat(held))
  } finally {
    await pieces.return?.()
  }
}

type Pieces = { held: Buffer[]; rest: AsyncIterator<Buffer> }

async function keepByDisk(store: FileStore, name: string, { held, rest }: Pieces, spool: string): Promise<void> {
  await mkdir(spool, { recursive: true, mode: 0o700 })
  const path = join(spool, randomUUID())
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      for (const piece of held.splice(0)) await file.writeFile(piece)
      for (let next = await rest.next(); !next.done; next = await rest.next()) await file.writeFile(next.value)
    } finally {
      await file.close()
    }
    await store.write(name, { path })
  } finally {
    await rm(path, { force: true })
  }
}

export type StoredParts = { parts: number; bytes: number }

/** Compresses and encrypts into numbered parts below `name`. */
export async function keepParts(archive: Archive, name: string, source: AsyncIterable<Buffer>): Promise<StoredParts> {
  const written = { parts: 0, bytes: 0 }
  const counted = counting(source, (bytes) => {
    written.bytes += bytes
  })
  for await (const part of inParts(counted)) {
    written.parts += 1
    await keepSealed(archive, `${name}/${written.parts}`, through(createZstdCompress(), part))
  }
  return written
}

/** The bytes of all parts in order. */
export async function* readParts(archive: Archive, name: string, parts: number): AsyncGenerator<Buffer> {
  for (let part = 1; part <= parts; part += 1) {
    const found = await readSealed(archive, `${name}/${part}`)
    if (!found) throw new BackupProblem(`${name}/${part} is missing.`)
    yield* through(createZstdDecompress(), found)
  }
}

async function* counting(source: AsyncIterable<Buffer>, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const piece of source) {
    count(piece.length)
    yield piece
  }
}

async function* inParts(source: AsyncIterable<Buffer>): AsyncGenerator<AsyncGenerator<Buffer>> {
  const pieces = source[Symbol.asyncIterator]()
  let next = await pieces.next()
  async function* part(): AsyncGenerator<Buffer> {
    for (let size = 0; !next.done && size < partBytesMax; next = await pieces.next()) {
      size += next.value.length
      yield next.value
    }
  }
  while (!next.done) yield part()
}

async function* through(
  way: ReturnType<typeof createZstdCompress | typeof createZstdDecompress>,
  source: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const input = Readable.from(source, { objectMode: false })
  input.on('error', (problem) => way.destroy(problem))
  input.pipe(way)
  try {
    for await (const piece of way) yield piece
  } finally {
    input.destroy()
    way.destroy()
  }
}
