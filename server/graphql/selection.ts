import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql'

type Asking = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>

type Nodes = readonly FieldNode[]

/** Cached per field, since documents are remembered. */
const known = new WeakMap<Nodes[number], Map<string, readonly string[]>>()

/**
 * The names of the fields selected directly below this one, or below its field `inside`, in alphabetical order, including those that a
 * directive may skip. Queries read only the columns that these need.
 */
export function selectedFields({ fieldNodes, fragments }: Asking, inside = ''): readonly string[] {
  const [first] = fieldNodes
  const selections =
    first && fieldNodes.length === 1 ? (known.get(first) ?? new Map<string, readonly string[]>()) : null
  const earlier = selections?.get(inside)
  if (earlier) return earlier
  const below = fieldsBelow(fieldNodes, fragments)
  const nodes =
    inside === ''
      ? below
      : fieldsBelow(
          below.filter((node) => node.name.value === inside),
          fragments,
        )
  const found = [...new Set(nodes.map((node) => node.name.value))].sort()
  if (first && selections) known.set(first, selections.set(inside, found))
  return found
}

function fieldsBelow(nodes: Nodes, fragments: Asking['fragments']): FieldNode[] {
  const fieldsOf = (set: SelectionSetNode | undefined): FieldNode[] =>
    (set?.selections ?? []).flatMap((node) => {
      if (node.kind === Kind.FIELD) return [node]
      return fieldsOf(node.kind === Kind.INLINE_FRAGMENT ? node.selectionSet : fragments[node.name.value]?.selectionSet)
    })
  return nodes.flatMap((node) => fieldsOf(node.selectionSet))
}
