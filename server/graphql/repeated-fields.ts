import { type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql'

/**
 * The number of fields whose response name another field of the same selection has, with fragments expanded; bounds the
 * quadratic time of validation (OverlappingFieldsCanBeMerged). Requires fragments that are not circular and a number of
 * fields within its limit.
 */
export function countRepeatedFields(
  roots: readonly SelectionSetNode[],
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): number {
  const waiting: SelectionSetNode[][] = roots.map((root) => [root])
  let repeated = 0
  for (let merged = waiting.pop(); merged; merged = waiting.pop()) {
    const { fieldsCount, names } = groupByName(merged, fragments)
    repeated += fieldsCount - names.size
    for (const inner of names.values()) if (inner.length > 0) waiting.push(inner)
  }
  return repeated
}

/** The number of fields in sets that merge in the answer, and per response name the sets that merge below it. */
function groupByName(sets: readonly SelectionSetNode[], fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
  const names = new Map<string, SelectionSetNode[]>()
  const seen = new Set<string>()
  const open = [...sets]
  let fieldsCount = 0
  for (let set = open.pop(); set; set = open.pop()) {
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) {
        const name = (node.alias ?? node.name).value
        const inner = names.get(name) ?? []
        if (node.selectionSet) inner.push(node.selectionSet)
        names.set(name, inner)
        fieldsCount += 1
      } else if (node.kind === Kind.INLINE_FRAGMENT) open.push(node.selectionSet)
      else if (!seen.has(node.name.value)) {
        seen.add(node.name.value)
        const fragment = fragments.get(node.name.value)
        if (fragment) open.push(fragment.selectionSet)
      }
    }
  }
  return { fieldsCount, names }
}
