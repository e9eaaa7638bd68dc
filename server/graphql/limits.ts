import { limits as contractLimits } from '@atrium/contract/limits.ts'
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLSchema,
  getNullableType,
  isListType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { factsOf } from './builder.ts'
import { countRepeatedFields } from './repeated-fields.ts'

/** Limits of one document. Our own documents need less than three quarters of each. */
export const graphLimits = {
  textBytes: 20_000,
  variablesBytes: 16_000,
  tokens: 2_000,
  operations: 1,
  fragments: 24,
  variables: 32,
  rootFields: 8,
  depth: 12,
  aliases: 12,
  fields: 400,
  /** Fields whose response name is already taken: the time of validation grows with their square. */
  repeatedFields: 60,
  directives: 12,
  /** Values in the answer, with each list counted at the requested length. */
  cost: 25_000,
  /** Statements besides begin and commit, so that a document has at most twelve. */
  reads: 10,
} as const

export type LimitName = keyof typeof graphLimits
export type Measures = Record<Exclude<LimitName, 'textBytes' | 'variablesBytes' | 'tokens' | 'operations'>, number>

/** A sync with the platform has statements of its own: to find what is stale, and to store the result. */
const readsOfSync = 2

/** Counting a whole list. */
const readsOfCount = 1

/** The assumed length of a list without a `limit`, unless its field states one. */
const usualLength = 10
const usualPage = 25

type Given = { document: DocumentNode; schema: GraphQLSchema; variables: Record<string, unknown> }
type Tally = Record<'width' | 'depth' | 'aliases' | 'fields' | 'directives' | 'cost' | 'reads', number>

const nothing: Tally = { width: 0, depth: 0, aliases: 0, fields: 0, directives: 0, cost: 0, reads: 0 }

/**
 * Measures a whole document, with fragments expanded where they are used and every unused fragment, since validation
 * reads those too; null for circular fragments. Visits each fragment once, so nested fragments take time proportional
 * to the document's length.
 */
export function measureDocument(given: Given): Measures | null {
  const { document, schema } = given
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION)
  const reader = makeReader(given)
  const rootType = operation && schema.getRootType(operation.operation)?.name
  const tally = operation ? reader.measure(operation.selectionSet, rootType ?? '') : nothing
  const { width, ...measures } = tally
  const definitions = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
  const unused = definitions.filter((node) => !reader.isMeasured(node))
  for (const node of unused) add(measures, reader.measureDefinition(node))
  if (reader.isCircular()) return null
  const roots = [...(operation ? [operation] : []), ...unused].map((node) => node.selectionSet)
  const isBounded = measures.fields <= graphLimits.fields
  return {
    ...measures,
    rootFields: width,
    fragments: definitions.length,
    variables: operation?.variableDefinitions?.length ?? 0,
    directives: Math.max(measures.directives, countDirectives(document)),
    // Skipped with too many fields: expanding the fragments could take exponential time.
    repeatedFields: isBounded ? countRepeatedFields(roots, reader.fragments) : 0,
  }
}

function makeReader({ document, schema, variables }: Given) {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const node of document.definitions)
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node)
  const known = new Map<FragmentDefinitionNode, Tally>()
  const open = new Set<FragmentDefinitionNode>()
  let circular = false

  function measure(set: SelectionSetNode, typeName: string): Tally {
    const sum = { ...nothing }
    for (const selection of set.selections) {
      sum.directives += selection.directives?.length ?? 0
      if (selection.kind === Kind.FIELD) addField(sum, selection, typeName)
      else if (selection.kind === Kind.FRAGMENT_SPREAD) add(sum, measureFragment(selection.name.value))
      else add(sum, measure(selection.selectionSet, selection.typeCondition?.name.value ?? typeName))
    }
    return sum
  }

  function measureFragment(name: string): Tally {
    const fragment = fragments.get(name)
    return fragment ? measureDefinition(fragment) : nothing
  }

  /** By definition, not by name, which two fragments may share. */
  function measureDefinition(fragment: FragmentDefinitionNode): Tally {
    const earlier = known.get(fragment)
    if (earlier) return earlier
    if (open.has(fragment)) {
      circular = true
      return nothing
    }
    open.add(fragment)
    const tally = measure(fragment.selectionSet, fragment.typeCondition.name.value)
    open.delete(fragment)
    known.set(fragment, tally)
    return tally
  }

  function addField(sum: Tally, node: FieldNode, typeName: string): void {
    const name = node.name.value
    const type = schema.getType(typeName)
    const field = isObjectType(type) ? type.getFields()[name] : undefined
    const written = node.selectionSet ? measure(node.selectionSet, typeOf(field)) : nothing
    // Introspection is naturally deep and reads nothing; production refuses it, and tools need it elsewhere.
    const isIntrospection = name === '__schema' || name === '__type'
    const inner = isIntrospection ? { ...written, depth: 0, cost: 0, reads: 0 } : written
    sum.width += 1
    sum.fields += 1 + inner.fields
    sum.aliases += (node.alias ? 1 : 0) + inner.aliases
    sum.directives += inner.directives
    sum.depth = Math.max(sum.depth, 1 + inner.depth)
    sum.cost += 1 + lengthOf(node, field, variables) * inner.cost
    sum.reads += (factsOf(field).reads ?? 0) + readsOfArguments(node, variables) + inner.reads
  }

  const isMeasured = (fragment: FragmentDefinitionNode): boolean => known.has(fragment)
  return { fragments, measure, measureDefinition, isMeasured, isCircular: () => circular }
}

function add(sum: Omit<Tally, 'width'> & { width?: number }, inner: Tally): void {
  if (sum.width !== undefined) sum.width += inner.width
  for (const name of ['aliases', 'fields', 'directives', 'cost', 'reads'] as const) sum[name] += inner[name]
  sum.depth = Math.max(sum.depth, inner.depth)
}

type Field = GraphQLField<unknown, unknown> | undefined

function typeOf(field: Field): string {
  return field ? String(field.type).replace(/[[\]!]/g, '') : ''
}

function argumentOf(node: FieldNode, name: string, variables: Record<string, unknown>): unknown {
  const value = node.arguments?.find((argument) => argument.name.value === name)?.value
  if (!value) return undefined
  if (value.kind === Kind.INT) return Number(value.value)
  if (value.kind === Kind.BOOLEAN) return value.value
  // The default of a missing variable is not resolved: the maximum is counted.
  return value.kind === Kind.VARIABLE ? (variables[value.name.value] ?? 'unknown') : 'unknown'
}

function lengthOf(node: FieldNode, field: Field, variables: Record<string, unknown>): number {
  if (!field || !isListType(getNullableType(field.type))) return 1
  if (!field.args.some((argument) => argument.name === 'limit')) return factsOf(field).usualLength ?? usualLength
  const asked = argumentOf(node, 'limit', variables)
  if (asked === undefined) return usualPage
  if (typeof asked !== 'number') return contractLimits.pageSizeMax
  return Math.min(Math.max(asked, 1), contractLimits.pageSizeMax)
}

function readsOfArguments(node: FieldNode, variables: Record<string, unknown>): number {
  const asks = (name: string): boolean => {
    const asked = argumentOf(node, name, variables)
    return asked !== undefined && asked !== null && asked !== false
  }
  return (asks('sync') ? readsOfSync : 0) + (asks('withCount') ? readsOfCount : 0)
}

/** Also counts directives outside selections: on operations, variables and fragments. */
function countDirectives(document: DocumentNode): number {
  let count = 0
  visit(document, {
    Directive() {
      count += 1
    },
  })
  return count
}

/** The first limit exceeded, or null. */
export function brokenLimit(measures: Measures): LimitName | null {
  const names = Object.keys(measures) as (keyof Measures)[]
  return names.find((name) => !(measures[name] <= graphLimits[name])) ?? null
}
