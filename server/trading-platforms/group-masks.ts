import type { GatewayError, GroupInfo, OnRefused } from './contract.ts'
import { isForbidden } from './refusals.ts'

/**
 * The groups matched by any mask: a name, or a text with stars for any characters, case-sensitive, because two groups
 * may differ by case only. Not compiled to a regular expression, so operators' input cannot make one slow.
 */
export function chosenGroups<Group extends Pick<GroupInfo, 'name'>>(
  groups: readonly Group[],
  masks: readonly string[],
): Group[] {
  return groups.filter(({ name }) => masks.some((mask) => matchesMask(name, mask)))
}

function matchesMask(name: string, mask: string): boolean {
  const [first = '', ...pieces] = mask.split('*')
  const last = pieces.pop()
  if (last === undefined) return name === mask
  if (!name.startsWith(first)) return false
  let from = first.length
  for (const piece of pieces) {
    const at = name.indexOf(piece, from)
    if (at === -1) return false
    from = at + piece.length
  }
  return name.length - last.length >= from && name.endsWith(last)
}

/**
 * Reads group by group. One that may not be read fails alone, for a caller that takes note of it; if it is every group,
 * the manager login lacks the permission itself.
 */
export async function* readEachGroup<Page>(
  groups: readonly Pick<GroupInfo, 'name'>[],
  read: (group: string) => AsyncIterable<Page>,
  onRefused?: OnRefused,
): AsyncGenerator<Page> {
  const refusals: GatewayError[] = []
  for (const { name } of groups) {
    try {
      yield* read(name)
    } catch (problem) {
      if (!onRefused || !isForbidden(problem)) throw problem
      refusals.push(problem)
      onRefused(name)
    }
  }
  const [first] = refusals
  if (first && refusals.length === groups.length) throw first
}
