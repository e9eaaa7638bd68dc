import { type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql'

/**
 * How many fields answer to a name that another one beside them has already taken, fragments written out. The validation
 * compares each of them with every other (OverlappingFieldsCanBeMerged), so this bounds what grows with their square.
 * Fragments must not go in a circle, and the fields must have been counted before: this writes them out.
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

/** The fields of sets that are one in the answer, and below each name the sets that become one there. */
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
