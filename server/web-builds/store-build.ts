import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { FileStore, StoredFile } from '../files/store.ts'
import type { Context } from '../foundation/context.ts'
import { describeProblem } from '../observability/log.ts'
import { type OwnBuild, readOwnBuild } from './own-build.ts'
import {
  type BuildIndex,
  buildsFolder,
  contentKey,
  indexKey,
  readIndex,
  type StoredAsset,
  sealIndex,
} from './stored-build.ts'

/** A page may stay open for long; after a month the member has to sign in again, which reloads the page. */
export const unusedForMs = 30 * 24 * 3_600_000
const renewAfterMs = 24 * 3_600_000

/** A hanging storage does not delay the start beyond this; the process keeps trying. */
const startMsMax = 10_000
const turnEveryMs = 3_600_000
const againAfterMs = 60_000

/**
 * Stores this build's assets where every process finds them, before any page of it is served. Resolves once they are
 * stored or the attempt failed; then renews them while the process runs, and removes builds that no process renewed for
 * a month.
 */
export async function startStoringBuild(context: Context): Promise<() => void> {
  const own = readOwnBuild(context.config.webDirectory)
  if (!own) return () => undefined
  const stopping = new AbortController()
  const first = tryTo(context, notStored, () => storeBuild(context, own))
  await Promise.race([first, delay(startMsMax, undefined, { ref: false })])
  void repeat(context, own, first, stopping.signal)
  return () => stopping.abort()
}

async function repeat(context: Context, own: OwnBuild, first: Promise<boolean>, signal: AbortSignal): Promise<void> {
  let isStored = await first
  while (!signal.aborted) {
    if (isStored) await tryTo(context, notRemoved, () => removeOldBuilds(context))
    const pause = isStored ? turnEveryMs : againAfterMs
    await delay(pause, undefined, { ref: false, signal }).catch(() => undefined)
    if (!signal.aborted) isStored = await tryTo(context, notStored, () => storeBuild(context, own))
  }
}

const notStored = 'assets of this build could not be stored for other processes'
const notRemoved = 'assets of old builds could not be removed'

async function tryTo({ log }: Context, otherwise: string, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (problem) {
    log.error({ err: describeProblem(problem) }, otherwise)
    return false
  }
}

/** Costs one small read if a process renewed the build less than a day ago. */
export async function storeBuild(context: Context, own: OwnBuild): Promise<void> {
  const { clock, files } = context
  const found = await readIndex(context, own.id)
  const there = found !== 'unreadable' && found !== null && (await isThere(files, contentKey(own.id))) ? found : null
  const isYoung = (index: BuildIndex) => clock.now().getTime() - Date.parse(index.kept_at) < renewAfterMs
  if (there?.isCurrent && isYoung(there.index)) return
  const stored = there?.index.files ?? (await writeContent(files, own))
  const index = { format: 1 as const, build: own.id, kept_at: clock.now().toISOString(), files: stored }
  await files.write(indexKey(own.id), sealIndex(context, index))
}

async function isThere(files: FileStore, key: string): Promise<boolean> {
  const found = await files.read(key, { from: 0, to: 0 })
  found?.destroy()
  return found !== null
}

/** Processes of the same build may write concurrently, because they write the same. */
async function writeContent(files: FileStore, { id, folder, assets }: OwnBuild): Promise<StoredAsset[]> {
  const stored: StoredAsset[] = []
  const bodies: Buffer[] = []
  let at = 0
  for (const { name, isPacked, isOpen } of assets) {
    const body = await readFile(join(folder, isPacked ? `${name}.br` : name))
    const sha256 = createHash('sha256').update(body).digest('hex')
    stored.push({ name, at, length: body.length, sha256, is_packed: isPacked, is_open: isOpen })
    bodies.push(body)
    at += body.length
  }
  await files.write(contentKey(id), Buffer.concat(bodies))
  return stored
}

/** Removes every build, readable or not, that was not renewed for a month, since no running process uses it. */
export async function removeOldBuilds({ clock, files }: Context): Promise<void> {
  const before = clock.now().getTime() - unusedForMs
  const builds = new Map<string, StoredFile[]>()
  for await (const file of files.list(buildsFolder)) {
    const build = file.key.split('/')[1] ?? ''
    builds.set(build, [...(builds.get(build) ?? []), file])
  }
  for (const found of builds.values()) {
    if (found.some(({ storedAt }) => storedAt.getTime() >= before)) continue
    // Removes the index before the content that it names.
    for (const { key } of found.toSorted((left, right) => (left.key < right.key ? 1 : -1))) await files.remove(key)
  }
}
