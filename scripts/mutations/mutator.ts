import { parseAst } from 'vite'

/** One place of a source text and its replacement. */
export type Change = { what: string; from: number; to: number; put: string }

type Node = { type: string; start: number; end: number; [key: string]: unknown }
type Place = { node: Node; parent: Node | null; text: string }

/** Calls of a chain that narrow what it reads or changes, or lock it. */
const conditions = ['where', 'whereRef', 'onRef', 'having', 'filter', 'refine']
const locks = ['forUpdate', 'forNoKeyUpdate', 'forShare', 'skipLocked']

/** The boundary moves, or equal becomes unequal. */
const swapped: Record<string, string> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
}

const rules: Record<string, (place: Place) => Change[]> = {
  IfStatement: ({ node }) =>
    node.alternate
      ? ['true', 'false'].map((put) => instead(`with ${put} as its condition`, child(node, 'test'), put))
      : [without('guard', node)],
  ExpressionStatement: ({ node, parent, text }) => {
    const expression = child(node, 'expression')
    const call = expression.type === 'AwaitExpression' ? child(expression, 'argument') : expression
    if (call.type !== 'CallExpression' || isLog(call, text)) return []
    const isAwaited = call !== expression
    const name = isAwaited && /^(?:lock|hold)[A-Z]/.test(text.slice(call.start, call.end)) ? 'lock' : 'call'
    return [
      // The rule for `if` removes a call that is its only statement.
      ...(parent?.type === 'IfStatement' && !parent.alternate ? [] : [without(name, node)]),
      ...(isAwaited ? [{ what: 'without its await', from: expression.start, to: call.start, put: '' }] : []),
    ]
  },
  CallExpression: ({ node }) => {
    const callee = child(node, 'callee')
    if (callee.type !== 'MemberExpression') return []
    const name = String(child(callee, 'property').name)
    const [first] = node.arguments as (Node | undefined)[]
    if (name === 'and' && first?.type === 'ArrayExpression') return withoutEach(first)
    const isJoin = name === 'on' && (node.arguments as unknown[]).length === 3
    const what = conditions.includes(name) || isJoin ? 'condition' : locks.includes(name) ? 'lock' : null
    return what ? [{ what: `without its ${what}`, from: child(callee, 'object').end, to: node.end, put: '' }] : []
  },
  BinaryExpression: ({ node, text }) => {
    const [operator, from] = [String(node.operator), child(node, 'left').end]
    const put = swapped[operator]
    if (!put) return []
    const between = text.slice(from, child(node, 'right').start)
    // A comment before the operator may contain it.
    const bare = between.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, (comment) => ' '.repeat(comment.length))
    const at = from + bare.indexOf(operator)
    return [{ what: `with ${put}`, from: at, to: at + operator.length, put }]
  },
  LogicalExpression: ({ node }) => {
    const [left, right] = [child(node, 'left'), child(node, 'right')]
    if (node.operator === '??') return []
    const what = `without its operand of ${node.operator}`
    const isLongChain = left.type === 'LogicalExpression' && left.operator === node.operator
    const withoutRight = { what, from: left.end, to: right.end, put: '' }
    return isLongChain ? [withoutRight] : [{ what, from: left.start, to: right.start, put: '' }, withoutRight]
  },
  UnaryExpression: ({ node }) =>
    node.operator === '!' ? [{ what: 'without its !', from: node.start, to: node.start + 1, put: '' }] : [],
  ConditionalExpression: ({ node, text }) =>
    ['consequent', 'alternate'].map((name) => {
      const { start, end } = child(node, name)
      return instead(`with its ${name} alone`, node, text.slice(start, end))
    }),
  TaggedTemplateExpression: ({ node, text }) => {
    const { start, end } = child(node, 'quasi')
    return text.startsWith('sql', child(node, 'tag').start) ? sqlChanges(text.slice(start, end), start) : []
  },
}

/** Each guard, condition, lock, await, comparison and call statement of a text, changed once. */
export function changesIn(text: string): Change[] {
  const found: Change[] = []
  const visit = (node: Node, parent: Node | null): void => {
    found.push(...(rules[node.type]?.({ node, parent, text }) ?? []))
    for (const value of Object.values(node))
      for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) visit(each, node)
  }
  visit(parse(text), null)
  const isNew = new Set<string>()
  return found
    .toSorted((one, other) => one.from - other.from)
    .filter((change) => {
      const changed = apply(text, change)
      if (isNew.has(changed) || !isParsed(changed)) return false
      isNew.add(changed)
      return true
    })
}

export const apply = (text: string, { from, to, put }: Change): string => text.slice(0, from) + put + text.slice(to)

export function isParsed(text: string): boolean {
  try {
    parse(text)
    return true
  } catch {
    return false
  }
}

/** Keeps parentheses in the tree: a part between two nodes then contains whole ones. */
const parse = (text: string) => parseAst(text, { lang: 'ts', preserveParens: true }) as unknown as Node

const child = (node: Node, name: string): Node => node[name] as Node

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

const instead = (what: string, { start, end }: Node, put: string): Change => ({ what, from: start, to: end, put })

/** An empty statement stands for the removed one: it may be the only one of a loop. */
const without = (what: string, node: Node): Change => instead(`without its ${what}`, node, ';')

const withoutEach = ({ elements, end }: Node): Change[] =>
  (elements as Node[]).map(({ start }, at, all) => ({
    what: 'without its condition',
    from: start,
    to: all[at + 1]?.start ?? end - 1,
    put: '',
  }))

/** A log statement rarely contains a rule. */
const isLog = (call: Node, text: string): boolean => /^[\w.?]*\blog\??\.\w+\(/.test(text.slice(call.start, call.end))

/** Lines of a query that begin with `and`, and its locks. */
function sqlChanges(sql: string, at: number): Change[] {
  const lines = [...sql.matchAll(/^[ \t]*and\b.*$/gm)].filter(([line]) => isBalanced(line))
  const held = [...sql.matchAll(/\bfor (?:no key )?(?:update|share)\b(?: of \w+(?:, \w+)*)?(?: skip locked| nowait)?/g)]
  const removed = (what: string) => (match: RegExpExecArray) => {
    const from = at + match.index
    return { what: `without its ${what}`, from, to: from + match[0].length, put: '' }
  }
  return [...lines.map(removed('condition')), ...held.map(removed('lock'))]
}

const isBalanced = (line: string): boolean =>
  !line.includes('`') && ['()', '{}', '[]'].every(([open, close]) => count(line, open) === count(line, close))

const count = (text: string, part = ''): number => text.split(part).length - 1
