import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { Context } from '../foundation/context.ts'

/** Separate from the uploads in the same storage, whose folders are named by workspace id. */
export const buildsFolder = 'web-builds'
/** All assets concatenated, compressible ones compressed. They are public, so not sealed. */
export const contentKey = (build: string): string => `${buildsFolder}/${build}/content`
/** Written after the content that it names, and renewed daily, so that its age shows whether the build runs. */
export const indexKey = (build: string): string => `${buildsFolder}/${build}/index`

const count = z.number().int().min(0)
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const shape = z.object({
  format: z.literal(1),
  build: hash,
  kept_at: z.iso.datetime(),
  files: z.array(
    z.object({
      name: z.string(),
      at: count,
      length: count,
      sha256: hash,
      is_packed: z.boolean(),
      is_open: z.boolean(),
    }),
  ),
})

export type BuildIndex = z.output<typeof shape>
export type StoredAsset = BuildIndex['files'][number]

const indexBytesMax = 4_000_000

/**
 * The index is sealed with the key of all processes and holds each file's hash: write access to the storage alone
 * cannot inject a script.
 */
export function sealIndex({ seal }: Context, index: BuildIndex): Buffer {
  return seal.seal(JSON.stringify(index))
}

type Listed = { build: string; storedAt: number }

/** Newest first. */
export async function listBuilds({ files }: Context): Promise<Listed[]> {
  const listed: Listed[] = []
  for await (const { key, storedAt } of files.list(buildsFolder)) {
    const build = key.split('/')[1] ?? ''
    if (key === indexKey(build)) listed.push({ build, storedAt: storedAt.getTime() })
  }
  return listed.sort((left, right) => right.storedAt - left.storedAt)
}

export type FoundIndex = { index: BuildIndex; isCurrent: boolean }

/** Null when missing; `unreadable` when sealed with another key, written by another version, or altered. */
export async function readIndex({ files, seal }: Context, build: string): Promise<FoundIndex | 'unreadable' | null> {
  const found = await files.read(indexKey(build))
  if (!found) return null
  try {
    const sealed = await readWhole(found, indexBytesMax)
    const index = sealed && openIndex(() => seal.open(sealed))
    return sealed && index?.build === build ? { index, isCurrent: seal.isCurrent(sealed) } : 'unreadable'
  } finally {
    found.destroy()
  }
}

function openIndex(open: () => string): BuildIndex | null {
  try {
    return shape.safeParse(JSON.parse(open())).data ?? null
  } catch {
    return null // Sealed with another key, or not an index.
  }
}

/** Null beyond the limit, so that a stored file cannot fill the memory. */
export async function readWhole(source: Readable, bytesMax: number): Promise<Buffer | null> {
  const pieces: Buffer[] = []
  let left = bytesMax
  for await (const piece of source as AsyncIterable<Buffer>) {
    left -= piece.length
    if (left < 0) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
