import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../foundation/context.ts'
import { Unavailable } from '../foundation/errors.ts'
import { contentKey, type KeptAsset, listBuilds, readIndex, readWhole } from './kept-build.ts'

/** Of the newest; a month of releases twice a day would be sixty, and nobody reads pages of most of them. */
const buildsMax = 20
const assetBytesMax = 4_000_000
const rememberedBytesMax = 8_000_000
const readsAtOnce = 4
/** Somebody who asks for names that never were has the storage listed once a second, however often they ask. */
const lookEveryMs = 1_000

export type OtherAsset = { content: Buffer; isPacked: boolean; isOpen: boolean }
export type OtherBuilds = { read(name: string): Promise<OtherAsset | null> }

type Named = KeptAsset & { build: string }
type Held = { storedAt: number; assets: Map<string, Named> }

/**
 * What pages of other builds load, out of the storage where each build puts it. The storage is looked through when a name is
 * not known, and a name counts as absent only after a look that began when it was asked for: a build that began a moment ago
 * is found.
 */
export function openOtherBuilds(context: Context): OtherBuilds {
  let builds = new Map<string, Held>()
  const lookAgain = atMostEvery(lookEveryMs, async () => {
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
        await lookAgain()
        return await find(name)
      } catch (problem) {
        throw problem instanceof Unavailable ? problem : new Unavailable('Other builds are out of reach', problem)
      }
    },
  }
}

/** The newest first. What has not been written again since it was read is not read again. */
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
  if (found === 'unreadable') context.log.warn({ build }, 'the list of what pages of a build load cannot be read')
  const files = found === null || found === 'unreadable' ? [] : found.index.files
  return new Map(files.map((file) => [file.name, { ...file, build }]))
}

/** A few of them are remembered, since whoever loads a page of another build loads dozens, and so does the next person. */
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

/** Null where it is not there, or not what the sealed list says. */
async function readAsset({ files, log }: Context, { build, name, at, length, sha256 }: Named): Promise<Buffer | null> {
  if (length > assetBytesMax) return null
  if (length === 0) return Buffer.alloc(0)
  const found = await files.read(contentKey(build), { from: at, to: at + length - 1 })
  const content = found && (await readWhole(found, length))
  found?.destroy()
  if (!content || createHash('sha256').update(content).digest('hex') === sha256) return content
  log.error({ build, name }, 'a file of another build is not what its list says, and is handed to nobody')
  return null
}

/** Each caller gets work that begins after the call; those who call before it begins share it. */
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
