/**
 * Decides which shared modules go into one chunk. By default the bundler makes one chunk per set of screens that share code:
 * exact, but about a hundred requests a page. Here chunks are joined while a saved request outweighs the extra bytes that
 * some screens then load.
 */

/** A chunk as the bundler makes it by default. Bytes are before compression. */
export type NaturalChunk = {
  name: string
  bytes: number
  /** Its styles are a file of their own, and so a second request. */
  hasStyles?: boolean
  imports: string[]
  /** Not joined, because it is loaded by name. An `app` entry starts its app, so other apps must not load it. */
  entry?: 'app' | 'part'
}

/** The chunk names that a browser loads together, and the loads that preceded it. */
export type Load = {
  entries: string[]
  after?: Load
  weight: number
  /** Overrides the cost of a request; lower where bytes matter more. */
  requestBytes?: number
}

/** The cost of one more request on a slow connection, in bytes before compression. */
const requestBytes = 20_000

type Size = Pick<NaturalChunk, 'bytes' | 'hasStyles'>
type Group = Omit<NaturalChunk, 'imports'> & { chunks: string[]; imports: Set<string>; neededBy: Set<Load> }
type Groups = Map<string, Group>

/** The groups of chunks to join, without entries. No group starts another app, and no two import each other. */
export function planChunks(chunks: readonly NaturalChunk[], loads: readonly Load[]): string[][] {
  const groups: Groups = new Map(
    chunks.map((chunk): [string, Group] => [
      chunk.name,
      { ...chunk, chunks: [chunk.name], imports: new Set(chunk.imports), neededBy: new Set() },
    ]),
  )
  for (const load of loads) addNeeds(groups, load.entries, load)
  joinGroups(groups, loads)
  return [...groups.values()].filter(({ entry }) => !entry).map((group) => group.chunks)
}

/** Marks these chunks and their imports as needed by the load, unless already loaded. */
function addNeeds(groups: Groups, names: Iterable<string>, load: Load): void {
  for (const name of reachFrom(names, groups)) {
    const group = groups.get(name)
    if (group && !isHeld(group, load)) group.neededBy.add(load)
  }
}

const isHeld = (group: Group, { after }: Load): boolean =>
  after !== undefined && (group.neededBy.has(after) || isHeld(group, after))

/** Transitive imports, including the names themselves. */
function reachFrom(names: Iterable<string>, groups: Groups): Set<string> {
  const found = new Set<string>()
  const open = [...names]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue
    found.add(name)
    open.push(...(groups.get(name)?.imports ?? []))
  }
  return found
}

type Pair = { one: Group; other: Group; gain: number }

/** Joins the best pair first. Joining can change the gain of another pair, so each gain is recomputed before use. */
function joinGroups(groups: Groups, loads: readonly Load[]): void {
  const gainOf = (one: Group, other: Group) => gainFrom(one, other, loads, groups)
  const pairsOf = (one: Group, others: Iterable<Group>): Pair[] =>
    [...others].flatMap((other) => {
      const gain = other === one || other.entry ? 0 : gainOf(one, other)
      return gain > 0 ? [{ one, other, gain }] : []
    })
  const shared = [...groups.values()].filter(({ entry }) => !entry)
  let pairs = shared.flatMap((one, index) => pairsOf(one, shared.slice(index + 1)))
  while (pairs.length > 0) {
    const best = pairs.reduce((most, each) => (each.gain > most.gain ? each : most))
    const gain = gainOf(best.one, best.other)
    if (gain < best.gain && gain > 0) {
      best.gain = gain
      continue
    }
    if (gain <= 0 || isBetween(groups, best.one, best.other)) {
      pairs = pairs.filter((pair) => pair !== best)
      continue
    }
    const { one, other } = best
    join(groups, one, other)
    pairs = pairs.filter((pair) => ![pair.one, pair.other].some((each) => each === one || each === other))
    pairs.push(...pairsOf(one, groups.values()))
  }
}

/** The bytes saved over all loads, a request counted as bytes, less the bytes loaded unnecessarily. */
function gainFrom(one: Group, other: Group, loads: readonly Load[], groups: Groups): number {
  if (one.neededBy.isDisjointFrom(other.neededBy)) return 0
  if (appsOf(one, groups).symmetricDifference(appsOf(other, groups)).size > 0) return 0
  let gain = 0
  for (const load of loads) {
    const needs = [one, other].filter((group) => group.neededBy.has(load))
    if (needs.length === 0) continue
    const costOf = ({ bytes, hasStyles }: Size): number =>
      bytes + (hasStyles ? 2 : 1) * (load.requestBytes ?? requestBytes)
    const before = needs.reduce((sum, group) => sum + costOf(group), 0)
    const isThere = isHeld(one, load) || isHeld(other, load)
    gain += load.weight * (before - (isThere ? 0 : costOf(joined(one, other))))
  }
  return gain > 0 ? gain - importedInVain(one, other, groups) - importedInVain(other, one, groups) : gain
}

/** The app entries that this group starts. */
const appsOf = (one: Group, groups: Groups): Set<string> =>
  new Set([...reachFrom(one.imports, groups)].filter((name) => groups.get(name)?.entry === 'app'))

/** The cost of this group's imports for loads that need only the other group. */
function importedInVain(one: Group, other: Group, groups: Groups): number {
  let cost = 0
  const others = [...other.neededBy].filter((load) => !one.neededBy.has(load) && !isHeld(one, load))
  if (others.length === 0) return 0
  for (const name of reachFrom(one.imports, groups)) {
    const group = groups.get(name)
    for (const load of others) {
      if (!group || group.neededBy.has(load) || isHeld(group, load)) continue
      cost += load.weight * (group.bytes + requestBytes)
    }
  }
  return cost
}

/** Chunks in an import cycle would run before their imports. */
function isBetween(groups: Groups, one: Group, other: Group): boolean {
  const leads = (from: Group, to: Group): boolean =>
    reachFrom(
      [...from.imports].filter((name) => name !== to.name),
      groups,
    ).has(to.name)
  return leads(one, other) || leads(other, one)
}

const joined = (one: Size, other: Size): Size => ({
  bytes: one.bytes + other.bytes,
  hasStyles: Boolean(one.hasStyles || other.hasStyles),
})

function join(groups: Groups, one: Group, other: Group): void {
  Object.assign(one, joined(one, other))
  one.chunks.push(...other.chunks)
  one.imports = one.imports.union(other.imports)
  groups.delete(other.name)
  for (const group of groups.values()) if (group.imports.delete(other.name)) group.imports.add(one.name)
  one.imports.delete(one.name)
  one.neededBy = one.neededBy.union(other.neededBy)
  for (const load of [...one.neededBy]) if (isHeld(one, load)) one.neededBy.delete(load)
  for (const load of one.neededBy) addNeeds(groups, one.imports, load)
}
