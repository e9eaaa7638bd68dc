import { parser } from '@prometheus-io/lezer-promql'

export type Selector = { metric: string; labels: { name: string; sign: string; value: string }[]; isRange: boolean }
export type Query = { problems: string[]; selectors: Selector[]; groupings: string[] }

type Tree = ReturnType<typeof parser.parse>
type Node = Tree['topNode']

/** Functions that need a range vector and fail on an instant vector. */
const overSpans = /^(rate|irate|increase|delta|idelta|deriv|changes|resets|predict_linear|\w+_over_time)$/

/** Parses a PromQL query: the metrics it reads, and its syntax errors. */
export function readQuery(text: string): Query {
  const query: Query = { problems: [], selectors: [], groupings: [] }
  const said = ({ from, to }: { from: number; to: number }) => text.slice(from, to)
  parser.parse(text).iterate({
    enter({ node, type }) {
      if (type.isError) query.problems.push(`not understood at ${node.from}: ${text.slice(node.from, node.from + 20)}`)
      if (type.name === 'VectorSelector') query.selectors.push(readSelector(node, said))
      if (type.name === 'GroupingLabels')
        query.groupings.push(...node.getChildren('LabelName').map((label) => said(label)))
      if (type.name === 'FunctionCall') query.problems.push(...validateCall(node, said))
    },
  })
  return query
}

function readSelector(node: Node, said: (node: Node) => string): Selector {
  const name = node.getChild('Identifier')
  const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []
  return {
    metric: name ? said(name) : '',
    isRange: node.parent?.name === 'MatrixSelector',
    labels: matchers.map((matcher) => {
      const part = (kind: string) => {
        const found = matcher.getChild(kind)
        return found ? said(found) : ''
      }
      return { name: part('LabelName'), sign: part('MatchOp'), value: part('StringLiteral').slice(1, -1) }
    }),
  }
}

function validateCall(node: Node, said: (node: Node) => string): string[] {
  const name = node.getChild('FunctionIdentifier')
  const body = node.getChild('FunctionCallBody')
  if (!name || !body) return []
  const isOverSpan = overSpans.test(said(name))
  const hasSpan = ['MatrixSelector', 'SubqueryExpr'].some((kind) => body.getChild(kind) !== null)
  return isOverSpan === hasSpan ? [] : [`${said(name)} ${isOverSpan ? 'wants' : 'takes no'} span`]
}
