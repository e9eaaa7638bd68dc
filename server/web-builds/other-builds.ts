import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../foundation/context.ts'
import { Unavailable } from '../foundation/errors.ts'
import { contentKey, listBuilds, readIndex, readWhole, type StoredAsset } from './stored-build.ts'

/** The newest builds; a month of two releases a day makes sixty, and most have no open pages. */
const buildsMax = 20
const assetBytesMax = 4_000_000
const rememberedBytesMax = 8_000_000
const readsAtOnce = 4
/** Requests for unknown names list the storage at most once a second. */
const checkEveryMs = 1_000

export type OtherAsset = { content: Buffer; isPacked: boolean; isOpen: boolean }
export type OtherBuilds = { read(name: string): Promise<OtherAsset | null> }

type Named = StoredAsset & { build: string }
type Held = { storedAt: number; assets: Map<string, Named> }

/**
 * Serves assets of other builds from the storage. An unknown name triggers a listing, and counts as absent only after a
 * listing that began after the request, so that a build stored a moment ago is found.
 */
export function openOtherBuilds(context: Context): OtherBuilds {
  let builds = new Map<string, Held>()
  const checkAgain = atMostEvery(checkEveryMs, async () => {
    builds = await readIndexes(context, builds)
  })
  const contentOf = openContents(context)

  async function find(name: string): Promise<OtherAsset | null> {
    for (const { assets } of builds.values()) {
      const named = assets.get(name)
      const content = named && (await contentOf(named))
      if (content) return { content, isPacked: named.is_packed, isOpen: named.is_open }
    }
    return null
  }

  return {
    async read(name) {
      try {
        const known = await find(name)
        if (known) return known
        await checkAgain()
        return await find(name)
      } catch (problem) {
        throw problem instanceof Unavailable ? problem : new Unavailable('Other builds cannot be read', problem)
      }
    },
  }
}

/** Newest first. Indexes unchanged since the last read are not read again. */
async function readIndexes(context: Context, before: Map<string, Held>): Promise<Map<string, Held>> {
  const newest = (await listBuilds(context)).slice(0, buildsMax)
  const builds = new Map<string, Held>()
  for (const { build, storedAt } of newest) {
    const held = before.get(build)
    const isSame = held?.storedAt === storedAt
    builds.set(build, isSame ? held : { storedAt, assets: await readAssets(context, build) })
  }
  return builds
}

async function readAssets(context: Context, build: string): Promise<Map<string, Named>> {
  const found = await readIndex(context, build)
  if (found === 'unreadable') context.log.warn({ build }, 'the asset index of another build cannot be read')
  const files = found === null || found === 'unreadable' ? [] : found.index.files
  return new Map(files.map((file) => [file.name, { ...file, build }]))
}

/** Caches some contents, since a page of another build loads dozens of files, and the next visitor the same ones. */
function openContents(context: Context): (asset: Named) => Promise<Buffer | null> {
  const remembered = new Map<string, Buffer>()
  let rememberedBytes = 0
  const inTurn = atMostAtOnce(readsAtOnce)

  function remember(key: string, content: Buffer): void {
    if (remembered.has(key)) return
    remembered.set(key, content)
    rememberedBytes += content.length
    for (const [oldest, { length }] of remembered) {
      if (rememberedBytes <= rememberedBytesMax) return
      remembered.delete(oldest)
      rememberedBytes -= length
    }
  }

  return (asset) =>
    inTurn(async () => {
      const known = remembered.get(asset.sha256)
      if (known) return known
      const content = await readAsset(context, asset)
      if (content) remember(asset.sha256, content)
      return content
    })
}

/** Null when missing or different from the sealed index. */
async function readAsset({ files, log }: Context, { build, name, at, length, sha256 }: Named): Promise<Buffer | null> {
  if (length > assetBytesMax) return null
  if (length === 0) return Buffer.alloc(0)
  const found = await files.read(contentKey(build), { from: at, to: at + length - 1 })
  const content = found && (await readWhole(found, length))
  found?.destroy()
  if (!content || createHash('sha256').update(content).digest('hex') === sha256) return content
  log.error({ build, name }, 'a file of another build does not match its index and is not served')
  return null
}

/** Each caller gets work that begins after the call; callers before its beginning share it. */
function atMostEvery(everyMs: number, work: () => Promise<void>): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | null = null
  const begin = async (): Promise<void> => {
    await last
    next = null
    const working = work()
    last = Promise.allSettled([working, delay(everyMs, undefined, { ref: false })])
    return working
  }
  return () => {
    next ??= begin()
    return next
  }
}

function atMostAtOnce(count: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const ends: Promise<unknown>[] = Array.from({ length: count }, () => Promise.resolve())
  let turn = 0
  return (work) => {
    turn = (turn + 1) % count
    const working = (ends[turn] ?? Promise.resolve()).then(work)
    ends[turn] = working.catch(() => undefined)
    return working
  }
}
