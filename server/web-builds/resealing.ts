import type { Context } from '../foundation/context.ts'
import type { Resealed } from '../foundation/resealing.ts'
import { indexKey, listBuilds, readIndex, sealIndex } from './stored-build.ts'

/**
 * Seals the indexes of stored builds with the current key, oldest first, which keeps the order by which other-builds.ts
 * serves the newest: no process renews a build that no longer runs, while its pages stay open for weeks. An index that
 * no key opens is never served, and is removed when it expires.
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
