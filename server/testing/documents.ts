import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
} from 'graphql'

type Field = GraphQLField<unknown, unknown>
export type Step = { typeName: string; field: Field }

/** The shortest way from the query's root to each type: the fields to go through. */
export function pathsOf(schema: GraphQLSchema): Map<string, Step[]> {
  const found = new Map<string, Step[]>([[schema.getQueryType()?.name ?? '', []]])
  for (const [typeName, path] of found) {
    const type = schema.getType(typeName)
    for (const field of isObjectType(type) ? Object.values(type.getFields()) : []) {
      for (const target of membersOf(getNamedType(field.type)))
        if (!found.has(target)) found.set(target, [...path, { typeName, field }])
    }
  }
  return found
}

function membersOf(type: GraphQLNamedType): string[] {
  return isUnionType(type) ? type.getTypes().map(({ name }) => name) : isObjectType(type) ? [type.name] : []
}

/** Every field that can be asked, as `Type.field`. */
export function fieldsOf(schema: GraphQLSchema): Step[] {
  return Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) && !type.name.startsWith('__')
      ? Object.values(type.getFields()).map((field) => ({ typeName: type.name, field }))
      : [],
  )
}

/** A document that asks for one field and nothing beside it; `idFor` says what goes into an argument of type ID. */
export function documentFor(schema: GraphQLSchema, step: Step, idFor: (argument: string) => string): string {
  const path = pathsOf(schema).get(step.typeName)
  if (!path) throw new Error(`No field of Query leads to ${step.typeName}`)
  const steps = [...path, step]
  const inner = leafOf(getNamedType(step.field.type))
  return steps.reduceRight((selected, { field }, index) => {
    const next = steps[index + 1]
    const isUnion = next && isUnionType(getNamedType(field.type))
    const body = isUnion ? `{ ... on ${next.typeName} ${selected} }` : selected
    return `{ ${field.name}${argumentsOf(field, idFor)} ${body} }`
  }, inner)
}

function leafOf(type: GraphQLNamedType): string {
  if (isLeafType(type)) return ''
  if (isObjectType(type)) {
    const leaf = Object.values(type.getFields()).find((field) => isLeafType(getNamedType(field.type)))
    if (leaf) return `{ ${leaf.name} }`
  }
  return '{ __typename }'
}

/** What must be given, and every id that may be. */
function argumentsOf(field: Field, idFor: (argument: string) => string): string {
  const given = field.args.flatMap((argument) => {
    const type = getNamedType(argument.type).name
    if (type === 'ID') return [`${argument.name}: "${idFor(argument.name)}"`]
    if (!isRequiredArgument(argument)) return []
    throw new Error(`${field.name}(${argument.name}: ${type}) is required: say in testing/documents.ts what to give`)
  })
  return given.length > 0 ? `(${given.join(', ')})` : ''
}
