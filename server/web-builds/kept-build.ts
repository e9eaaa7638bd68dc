import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { Context } from '../foundation/context.ts'

/** A folder of its own in the storage of uploads: every workspace has one that is named by its id. */
export const buildsFolder = 'web-builds'
/** All assets one behind the other, those that pack well packed. What everybody may read is not sealed. */
export const contentKey = (build: string): string => `${buildsFolder}/${build}/content`
/** Written behind the content, so that what it names is there, and again each day, so that its age tells whether the build runs. */
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
export type KeptAsset = BuildIndex['files'][number]

const indexBytesMax = 4_000_000

/**
 * The list is sealed with the key that all processes share, and says what each file must be: whoever can only write to the
 * storage puts no script on our pages.
 */
export function sealIndex({ seal }: Context, index: BuildIndex): Buffer {
  return seal.seal(JSON.stringify(index))
}

type Listed = { build: string; storedAt: number }

/** The newest first. */
export async function listBuilds({ files }: Context): Promise<Listed[]> {
  const listed: Listed[] = []
  for await (const { key, storedAt } of files.list(buildsFolder)) {
    const build = key.split('/')[1] ?? ''
    if (key === indexKey(build)) listed.push({ build, storedAt: storedAt.getTime() })
  }
  return listed.sort((left, right) => right.storedAt - left.storedAt)
}

export type FoundIndex = { index: BuildIndex; isCurrent: boolean }

/** Null where there is none; `unreadable` where another key sealed it, another version wrote it, or somebody touched it. */
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
    return null // Sealed by another key, or no index at all.
  }
}

/** Null where there is more of it than there may be: nothing that lies in the storage fills our memory. */
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
