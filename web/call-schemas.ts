/** Keeps the schemas of calls out of the start of a page: a slow phone takes 30 ms to build those of an average screen. */

import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const lazySchema = fileURLToPath(new URL('api/lazy-schema.ts', import.meta.url))

type Node = { type: string; start: number; end: number; [name: string]: unknown }
type Property = Node & { key: Node; value: Node; shorthand: boolean }
type Edit = { at: number; to: number; text: string }

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

function* nodesIn(node: Node): Generator<Node> {
  yield node
  for (const child of Object.values(node).flat()) if (isNode(child)) yield* nodesIn(child)
}

const partOf = ({ properties }: Node, name: string): Property | undefined =>
  (properties as Property[]).find(({ key, shorthand }) => key?.name === name && !shorthand)

/** An object with a path, written out or in short, or made of another call. */
const isCall = ({ properties }: Node): boolean =>
  (properties as Property[]).some((each) => each.key?.name === 'path' || isOtherCall(each))

/** Removes the input's schema, which only the server reads, and builds the answer's on its first use. */
function editsOfCall(object: Node): Edit[] {
  if (!isCall(object)) return []
  const input = partOf(object, 'input')
  const answer = partOf(object, 'answer')
  return [
    ...(input ? [{ at: input.start, to: input.end, text: 'input: undefined' }] : []),
    ...(answer && answer.value.type !== 'Identifier' ? editsOfAnswer(answer) : []),
  ]
}

/** `...calls.table`: a call that differs in its schemas. */
const isOtherCall = ({ type, argument }: Node): boolean =>
  type === 'SpreadElement' && isNode(argument) && argument.type === 'MemberExpression'

const editsOfAnswer = ({ start, end, value }: Property): Edit[] => [
  { at: start, to: value.start, text: "get answer() { return Object.defineProperty(this, 'answer', { value: " },
  { at: value.end, to: end, text: ' }).answer }' },
]

/** Builds a schema when it is first used, and lets the bundler remove one that nothing uses. */
function editsOfSchema(value: unknown): Edit[] {
  if (!isNode(value) || (value.type === 'ObjectExpression' && isCall(value))) return []
  if (value.type === 'ObjectExpression')
    return (value.properties as Property[]).flatMap(({ value }) => editsOfSchema(value))
  if (value.type !== 'CallExpression' || !isSchema(value)) return []
  return [
    { at: value.start, to: value.start, text: '/* @__PURE__ */ lazySchema(() => ' },
    { at: value.end, to: value.end, text: ')' },
  ]
}

const derived = new Set(['extend', 'omit', 'pick', 'partial', 'optional', 'nullable', 'default', 'array'])

/** `z.object(…).nullable()`, `row.extend(…)` and the like. */
function isSchema(node: unknown): boolean {
  if (!isNode(node)) return false
  if (node.type === 'Identifier') return node.name === 'z'
  if (isNode(node.property) && derived.has(String(node.property.name))) return true
  return isSchema(node.callee) || isSchema(node.object)
}

function edited(code: string, edits: readonly Edit[]): string {
  const inOrder = edits.toSorted((one, other) => one.at - other.at)
  const ends = [0, ...inOrder.map(({ to }) => to)]
  return inOrder.map(({ at, text }, index) => code.slice(ends[index], at) + text).join('') + code.slice(ends.at(-1))
}

export function leanCalls(code: string, program: Node): string {
  const declarations = (program.body as Node[]).flatMap((each) => {
    const declared = each.type === 'ExportNamedDeclaration' ? each.declaration : each
    return isNode(declared) && declared.type === 'VariableDeclaration' ? (declared.declarations as Node[]) : []
  })
  const objects = [...nodesIn(program)].filter(({ type }) => type === 'ObjectExpression')
  const schemas = declarations.flatMap(({ init }) => editsOfSchema(init))
  const imported = schemas.length > 0 ? `import { lazySchema } from '${lazySchema}'\n` : ''
  return imported + edited(code, [...schemas, ...objects.flatMap(editsOfCall)])
}

export const callSchemas: Plugin = {
  name: 'atrium-call-schemas',
  apply: 'build',
  transform: {
    filter: { id: /\/contract\/.*\.ts$/, code: /\bz\b/ },
    handler(code) {
      return { code: leanCalls(code, this.parse(code) as unknown as Node), map: null }
    },
  },
}
