import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql'

type Asking = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>

/** Documents are kept, so what one of their fields selects is looked at once. */
const known = new WeakMap<readonly FieldNode[] | FieldNode, readonly string[]>()

/**
 * The names of the fields that are asked for directly below this one, in order of the alphabet; those that a directive may
 * leave out among them. Whoever reads rows takes no more columns than these need.
 */
export function selectedFields({ fieldNodes, fragments }: Asking): readonly string[] {
  const [only] = fieldNodes
  const key = fieldNodes.length === 1 && only ? only : fieldNodes
  const earlier = known.get(key)
  if (earlier) return earlier
  const names = new Set<string>()
  const add = (set: SelectionSetNode | undefined): void => {
    for (const node of set?.selections ?? []) {
      if (node.kind === Kind.FIELD) names.add(node.name.value)
      else add(node.kind === Kind.INLINE_FRAGMENT ? node.selectionSet : fragments[node.name.value]?.selectionSet)
    }
  }
  for (const node of fieldNodes) add(node.selectionSet)
  const found = [...names].sort()
  known.set(key, found)
  return found
}
