import type { GroupInfo } from './contract.ts'

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
