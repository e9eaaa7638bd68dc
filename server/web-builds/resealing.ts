import type { Context } from '../foundation/context.ts'
import type { Resealed } from '../foundation/resealing.ts'
import { indexKey, listBuilds, readIndex, sealIndex } from './kept-build.ts'

/**
 * Seals the lists of kept builds with the key of today: of a build that runs no more no process does, and pages of it are
 * open for weeks. The oldest first, since the newest are those that are handed out (other-builds.ts). What no key opens is
 * handed to nobody already, and goes with the others when its time is over.
 */
export async function resealBuilds(context: Context): Promise<Resealed> {
  const done = { sealed_anew: 0, unreadable: 0 }
  for (const { build } of (await listBuilds(context)).reverse()) {
    const found = await readIndex(context, build)
    if (found === 'unreadable') done.unreadable += 1
    if (found === null || found === 'unreadable' || found.isCurrent) continue
    await context.files.write(indexKey(build), sealIndex(context, found.index))
    done.sealed_anew += 1
  }
  return done
}
