/**
 * Decides which shared modules go into one chunk: the bundler's default of one chunk per set of screens makes about a
 * hundred requests a page, so chunks are joined while a saved request outweighs the extra bytes that some screens then
 * load.
 */

/** A chunk as the bundler makes it by default. Bytes are before compression. */
export type NaturalChunk = {
  name: string
  bytes: number
  /** The bytes of its styles, a file of their own and so a second request. */
  styles?: number
  imports: string[]
  /** The chunks that it loads later. */
  opens?: string[]
  /** A `part` is not joined, because it is loaded by name. An `app` starts its app, so other apps must not load it. */
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

const costOfRequest = (load: Load): number => load.requestBytes ?? requestBytes

type Size = Pick<NaturalChunk, 'bytes' | 'styles'>
type Group = Omit<NaturalChunk, 'imports'> & {
  chunks: string[]
  imports: Set<string>
  neededBy: Set<Load>
  /** The app entries that lead here. */
  apps: Set<string>
}
type Groups = Map<string, Group>

/** The groups of chunks to join, and the chunks whose styles are in the file of another chunk. */
type Plan = { groups: string[][]; stylesIn: Map<string, string> }

/** No group starts another app, and no two import each other. */
export function planChunks(chunks: readonly NaturalChunk[], loads: readonly Load[]): Plan {
  const groups: Groups = new Map(
    chunks.map((chunk): [string, Group] => [
      chunk.name,
      { ...chunk, chunks: [chunk.name], imports: new Set(chunk.imports), neededBy: new Set(), apps: new Set() },
    ]),
  )
  for (const { name, entry } of chunks) if (entry === 'app') addApp(groups, [name], name)
  for (const load of loads) addNeeds(groups, load.entries, load)
  // First the code of a single app joins its entry: once joined with code that other apps load, it no longer could.
  const apps = [...groups.values()].filter(({ entry }) => entry === 'app')
  joinGroups(groups, apps)
  joinGroups(groups, [...groups.values()])
  const stylesIn = placeStyles(groups, loads)
  const hasOwnFile = ({ name, entry, chunks }: Group): boolean =>
    !entry || chunks.length > 1 || [...stylesIn.values()].includes(name)
  return { groups: [...groups.values()].filter(hasOwnFile).map((group) => group.chunks), stylesIn }
}

/** Marks these chunks and all that they load, now or later, as part of the app. */
function addApp(groups: Groups, names: Iterable<string>, app: string): void {
  for (const name of names) {
    const group = groups.get(name)
    if (!group || group.apps.has(app)) continue
    group.apps.add(app)
    addApp(groups, [...group.imports, ...(group.opens ?? [])], app)
  }
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

/** Joins these groups with any, the best pair first. Joining can change the gain of another pair, so each gain is recomputed before use. */
function joinGroups(groups: Groups, from: readonly Group[]): void {
  const gainOf = (one: Group, other: Group) => gainFrom(one, other, groups)
  const pairsOf = (one: Group, others: Iterable<Group>): Pair[] =>
    [...others].flatMap((other) => {
      const gain = other === one || [one, other].some(({ entry }) => entry === 'part') ? 0 : gainOf(one, other)
      return gain > 0 ? [{ one, other, gain }] : []
    })
  const paired = new Set<Group>()
  let pairs = from.flatMap((one) => pairsOf(one, new Set(groups.values()).difference(paired.add(one))))
  while (pairs.length > 0) {
    const best = pairs.reduce((most, each) => (each.gain > most.gain ? each : most))
    const gain = gainOf(best.one, best.other)
    if (gain < best.gain && gain > 0) {
      best.gain = gain
      continue
    }
    if (gain <= 0 || !mayJoin(best.one, best.other, groups)) {
      pairs = pairs.filter((pair) => pair !== best)
      continue
    }
    const [one, other] = best.other.entry ? [best.other, best.one] : [best.one, best.other]
    join(groups, one, other)
    pairs = pairs.filter((pair) => ![pair.one, pair.other].some((each) => each === one || each === other))
    pairs.push(...pairsOf(one, groups.values()))
  }
}

/** Bytes that joining the two saves over all page loads: the cost of a request in bytes, minus the bytes that a page does not need. */
function gainFrom(one: Group, other: Group, groups: Groups): number {
  if (!isLoadedWith(one, other) && !isLoadedWith(other, one)) return 0
  let gain = 0
  for (const load of one.neededBy.union(other.neededBy)) {
    const needs = [one, other].filter((group) => group.neededBy.has(load))
    const costOf = ({ bytes, styles = 0 }: Size): number => bytes + styles + (styles > 0 ? 2 : 1) * costOfRequest(load)
    const before = needs.reduce((sum, group) => sum + costOf(group), 0)
    const isThere = isHeld(one, load) || isHeld(other, load)
    gain += load.weight * (before - (isThere ? 0 : costOf(joined(one, other))))
  }
  if (gain <= 0) return gain
  return gain - importedInVain(one, other, groups) - importedInVain(other, one, groups)
}

const mayJoin = (one: Group, other: Group, groups: Groups): boolean =>
  isOfOneApp(one, other, groups) && !isBetween(groups, one, other)

/** True if some load that fetches the first group has the second one, too: fetched now or by an earlier load. */
const isLoadedWith = (one: Group, other: Group): boolean =>
  [...one.neededBy].some((load) => other.neededBy.has(load) || isHeld(other, load))

/** False if an app would start within another one. */
function isOfOneApp(one: Group, other: Group, groups: Groups): boolean {
  const started = [...reachFrom([one.name, other.name], groups)].filter((name) => groups.get(name)?.entry === 'app')
  return started.every((app) => [one, other].every(({ apps }) => apps.size === 1 && apps.has(app)))
}

/** The cost of this group's imports for loads that need only the other group; its requests count in full, as waste. */
function importedInVain(one: Group, other: Group, groups: Groups): number {
  let cost = 0
  const others = [...other.neededBy].filter((load) => !one.neededBy.has(load) && !isHeld(one, load))
  if (others.length === 0) return 0
  for (const name of reachFrom(one.imports, groups)) {
    const group = groups.get(name)
    for (const load of others) {
      if (!group || group.neededBy.has(load) || isHeld(group, load)) continue
      cost += load.weight * (group.bytes + (group.styles ?? 0) + requestBytes)
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
  styles: (one.styles ?? 0) + (other.styles ?? 0),
})

function join(groups: Groups, one: Group, other: Group): void {
  Object.assign(one, joined(one, other))
  one.chunks.push(...other.chunks)
  one.imports = one.imports.union(other.imports)
  one.apps = one.apps.union(other.apps)
  groups.delete(other.name)
  for (const group of groups.values()) if (group.imports.delete(other.name)) group.imports.add(one.name)
  one.imports.delete(one.name)
  for (const name of reachFrom(one.imports, groups)) {
    const group = groups.get(name)
    if (group) group.apps = group.apps.union(one.apps)
  }
  one.neededBy = one.neededBy.union(other.neededBy)
  for (const load of [...one.neededBy]) if (isHeld(one, load)) one.neededBy.delete(load)
  for (const load of one.neededBy) addNeeds(groups, one.imports, load)
}

type Place = { group: Group; gain: number }

/** Moves styles to a file of styles that is loaded before in any case, where a saved request outweighs what others load in vain. */
function placeStyles(groups: Groups, loads: readonly Load[]): Map<string, string> {
  const places = new Map<Group, Group>()
  const place = (group: Group): boolean => {
    const best = placesFor(group, groups)
      .map((each): Place => ({ group: each, gain: gainOfPlace(group, each, loads) }))
      .reduce<Place | undefined>((most, each) => (each.gain > (most?.gain ?? 0) ? each : most), undefined)
    if (!best) return false
    places.set(group, best.group)
    best.group.styles = stylesOf(best.group) + stylesOf(group)
    group.styles = 0
    return true
  }
  let left = [...groups.values()].filter(hasStyles).sort((one, other) => stylesOf(one) - stylesOf(other))
  // Repeated while any styles move: styles that were in the way of others can be gone then.
  for (let count = 0; count !== left.length; ) {
    count = left.length
    left = left.filter((group) => !place(group))
  }
  const lastPlace = (group: Group): Group => {
    const place = places.get(group)
    return place ? lastPlace(place) : group
  }
  return new Map([...places.keys()].flatMap((group) => group.chunks.map((name) => [name, lastPlace(group).name])))
}

const stylesOf = ({ styles = 0 }: Size): number => styles
const hasStyles = (group: Group): boolean => stylesOf(group) > 0

/** The groups that this one imports whose styles come after all others that it imports, so that the cascade stays as it is. */
function placesFor(one: Group, groups: Groups): Group[] {
  const below = [...reachFrom(one.imports, groups)].flatMap((name) => groups.get(name) ?? []).filter(hasStyles)
  return below.filter(({ name, entry }) => {
    const reach = reachFrom([name], groups)
    return entry !== 'part' && below.every((other) => reach.has(other.name))
  })
}

function gainOfPlace(one: Group, place: Group, loads: readonly Load[]): number {
  let gain = 0
  for (const load of loads) {
    const isNeeded = one.neededBy.has(load)
    if (isNeeded) gain += load.weight * (costOfRequest(load) + (isHeld(place, load) ? stylesOf(one) : 0))
    else if (place.neededBy.has(load)) gain -= load.weight * stylesOf(one)
  }
  return gain
}
