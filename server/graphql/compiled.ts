import {
  type DocumentNode,
  defaultFieldResolver,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getArgumentValues,
  getVariableValues,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql'

type Values = Record<string, unknown>
/** What a field gets besides its source, for one answer. */
type Given = { args: Values; info: GraphQLResolveInfo }
/** One answer in progress. `begin` and `end` count pending values; `given` is by place of the step. */
type Run = {
  context: unknown
  variables: Values
  given: Given[]
  begin(): void
  end(): void
  fail(problem: unknown): void
}
/** The completed value, in which pending values are null until their promise resolves. */
type Complete = (run: Run, value: unknown) => unknown

type Step = {
  key: string
  /** Its place among the steps of the document. */
  at: number
  resolve: GraphQLFieldResolver<unknown, unknown>
  argumentsOf(variables: Values): Values
  info: Omit<GraphQLResolveInfo, 'variableValues'>
  complete: Complete
}

type Compiled = { operation: OperationDefinitionNode; steps: readonly Step[] }

/** A case left to the general executor, which reports it with its path and runs the whole document. */
class NotCompilable extends Error {}

const compiledOf = new WeakMap<DocumentNode, Compiled | null>()

/**
 * Executes a document as graphql-js does, with fields, types, resolvers and arguments resolved once per document.
 * Documents with a directive or an abstract type go to graphql-js, and so does one after any error, which is safe since
 * a query changes nothing.
 */
export function executeCompiled(args: ExecutionArgs): Promise<ExecutionResult> {
  const compiled = compileOnce(args.schema, args.document)
  const given =
    compiled && getVariableValues(args.schema, compiled.operation.variableDefinitions ?? [], variablesOf(args))
  if (!compiled || !given?.coerced) return Promise.resolve(execute(args))
  return runSteps(compiled, args.contextValue, given.coerced).then(
    (data) => ({ data }),
    () => execute(args),
  )
}

const variablesOf = ({ variableValues }: ExecutionArgs): Values => ({ ...variableValues })

function runSteps({ steps }: Compiled, context: unknown, variables: Values): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const data: Record<string, unknown> = {}
    let open = 1
    const run: Run = {
      context,
      variables,
      given: [],
      begin() {
        open += 1
      },
      end() {
        open -= 1
        if (open === 0) resolve(data)
      },
      fail: reject,
    }
    try {
      for (const step of steps) runStep(run, step, undefined, data)
      run.end()
    } catch (problem) {
      reject(problem)
    }
  })
}

function runStep(run: Run, step: Step, source: unknown, into: Record<string, unknown>): void {
  // The same for each row of a list, which may have thousands of fields.
  run.given[step.at] ??= givenTo(step, run.variables)
  const { args, info } = run.given[step.at] as Given
  put(run, step.complete, step.resolve(source, args, run.context, info), into, step.key)
}

function givenTo(step: Step, variables: Values): Given {
  return { args: step.argumentsOf(variables), info: { ...step.info, variableValues: variables } }
}

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'

function put<Key extends string | number>(
  run: Run,
  complete: Complete,
  value: unknown,
  into: Record<Key, unknown>,
  key: Key,
): void {
  if (!isPromise(value)) {
    into[key] = complete(run, value)
    return
  }
  // Reserves the place now, since fields are answered in the order of the document.
  into[key] = null
  run.begin()
  value
    .then((come) => {
      into[key] = complete(run, come)
      run.end()
    })
    .catch(run.fail)
}

function compileOnce(schema: GraphQLSchema, document: DocumentNode): Compiled | null {
  const known = compiledOf.get(document)
  if (known !== undefined) return known
  let compiled: Compiled | null = null
  try {
    compiled = compile(schema, document)
  } catch (problem) {
    if (!(problem instanceof NotCompilable)) throw problem
  }
  compiledOf.set(document, compiled)
  return compiled
}

function compile(schema: GraphQLSchema, document: DocumentNode): Compiled {
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION)
  const fragments = Object.fromEntries(
    document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
  )
  const [operation] = operations
  const root = schema.getQueryType()
  if (!operation || operations.length > 1 || operation.operation !== OperationTypeNode.QUERY || !root)
    throw new NotCompilable()
  const inside = { schema, operation, fragments, steps: { count: 0 } }
  return { operation, steps: stepsOf(inside, root, [operation.selectionSet]) }
}

type Inside = {
  schema: GraphQLSchema
  operation: OperationDefinitionNode
  fragments: Record<string, FragmentDefinitionNode>
  steps: { count: number }
}

function stepsOf(inside: Inside, type: GraphQLObjectType, sets: readonly SelectionSetNode[]): Step[] {
  const nodes = new Map<string, FieldNode[]>()
  for (const set of sets) collect(inside, type, set, nodes)
  return [...nodes].map(([key, [first, ...others]]) => stepOf(inside, type, key, first ? [first, ...others] : []))
}

function collect(inside: Inside, type: GraphQLObjectType, set: SelectionSetNode, into: Map<string, FieldNode[]>): void {
  for (const node of set.selections) {
    if (node.directives && node.directives.length > 0) throw new NotCompilable()
    if (node.kind === Kind.FIELD) {
      const key = (node.alias ?? node.name).value
      // As a name of our answers it would set their prototype; those of the general executor have none.
      if (key === '__proto__') throw new NotCompilable()
      into.set(key, [...(into.get(key) ?? []), node])
      continue
    }
    const inner = node.kind === Kind.INLINE_FRAGMENT ? node : inside.fragments[node.name.value]
    const condition = inner?.typeCondition?.name.value
    if (!inner || (inner.directives?.length ?? 0) > 0 || (condition !== undefined && condition !== type.name))
      throw new NotCompilable()
    collect(inside, type, inner.selectionSet, into)
  }
}

function stepOf(inside: Inside, parentType: GraphQLObjectType, key: string, fieldNodes: FieldNode[]): Step {
  const [node] = fieldNodes
  const field = node && parentType.getFields()[node.name.value]
  if (!node || !field) {
    if (node?.name.value !== '__typename') throw new NotCompilable()
    return constantStep(inside, key, parentType.name)
  }
  const sets = fieldNodes.flatMap(({ selectionSet }) => selectionSet ?? [])
  const path = { prev: undefined, key, typename: parentType.name }
  const { name: fieldName, type: returnType } = field
  const { steps, ...ofDocument } = inside
  const info = { fieldName, fieldNodes, returnType, parentType, path, rootValue: undefined, ...ofDocument }
  return {
    key,
    at: steps.count++,
    info,
    resolve: field.resolve ?? defaultFieldResolver,
    argumentsOf: argumentsOf(field, node),
    complete: completeOf(inside, returnType, sets),
  }
}

function constantStep({ steps }: Inside, key: string, value: string): Step {
  const at = steps.count++
  return { key, at, resolve: () => value, argumentsOf: () => ({}), info: {} as Step['info'], complete: () => value }
}

type Field = ReturnType<GraphQLObjectType['getFields']>[string]

function argumentsOf(field: Field, node: FieldNode): (variables: Values) => Values {
  const isFixed = !JSON.stringify(node.arguments ?? []).includes(`"${Kind.VARIABLE}"`)
  if (!isFixed) return (variables) => getArgumentValues(field, node, variables)
  const fixed = getArgumentValues(field, node)
  return () => fixed
}

function completeOf(inside: Inside, type: GraphQLOutputType, sets: readonly SelectionSetNode[]): Complete {
  if (isNonNullType(type)) {
    const complete = completeSome(inside, type.ofType, sets)
    return (run, value) => {
      if (value === null || value === undefined) throw new NotCompilable()
      return complete(run, value)
    }
  }
  const complete = completeSome(inside, type, sets)
  return (run, value) => (value === null || value === undefined ? null : complete(run, value))
}

/** Completes a value that is not null. */
function completeSome(inside: Inside, type: GraphQLOutputType, sets: readonly SelectionSetNode[]): Complete {
  if (isListType(type)) return completeList(completeOf(inside, type.ofType, sets))
  if (isLeafType(type)) {
    return (_run, value) => {
      const said = value instanceof Error ? undefined : type.serialize(value)
      if (said === null || said === undefined) throw new NotCompilable()
      return said
    }
  }
  if (!isObjectType(type) || type.isTypeOf) throw new NotCompilable()
  return completeObject(stepsOf(inside, type, sets))
}

function completeList(complete: Complete): Complete {
  return (run, value) => {
    if (!Array.isArray(value)) throw new NotCompilable()
    const said: unknown[] = new Array(value.length)
    for (let at = 0; at < value.length; at += 1) put(run, complete, value[at], said, at)
    return said
  }
}

function completeObject(steps: readonly Step[]): Complete {
  return (run, value) => {
    if (value instanceof Error) throw new NotCompilable()
    const said: Record<string, unknown> = {}
    for (const step of steps) runStep(run, step, value, said)
    return said
  }
}
