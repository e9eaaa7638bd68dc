import type { System } from '../foundation/actor.ts'
import { makeConcurrencyLimiter } from '../foundation/concurrency-limiter.ts'

/** Of one brokerage, so that its hanging platforms leave turns to other brokerages. */
const platformsAtOnce = 8

/** A part of the reading of one platform. False ends the reading: the platform does not answer. */
export type ReadPart<Item> = (platformId: string, items: readonly Item[]) => Promise<boolean>

type Reading<Item> = { items: ReadonlyMap<string, readonly Item[]>; itemsPerPart: number; readPart: ReadPart<Item> }

/**
 * Reads items from their platforms: several platforms at a time, each part by part, and each part in its brokerage's
 * turn. So neither a platform that does not answer nor a brokerage with many items delays the others. Returns the items
 * that were not reached.
 */
export async function readEachPlatform<Item>(
  system: System,
  { items, itemsPerPart, readPart }: Reading<Item>,
): Promise<Item[]> {
  const limiter = makeConcurrencyLimiter(platformsAtOnce)
  const unreached: Item[] = []

  async function readPlatform(platformId: string, own: readonly Item[]): Promise<void> {
    for (let first = 0; first < own.length; first += itemsPerPart) {
      const end = first + itemsPerPart
      const part = () => readPart(platformId, own.slice(first, end))
      if (await system.context.platforms.takeTurn(system, part)) continue
      unreached.push(...own.slice(end))
      return
    }
  }

  const readings = [...items].map(([platformId, own]) => limiter(() => readPlatform(platformId, own)))
  const failed = (await Promise.allSettled(readings)).find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
  return unreached
}
