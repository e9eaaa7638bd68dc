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

/** What one document may ask for. Our own documents need less than three quarters of each. */
export const graphLimits = {
  textBytes: 20_000,
  variablesBytes: 16_000,
  tokens: 2_000,
  operations: 1,
  rootFields: 8,
  depth: 12,
  aliases: 12,
  fields: 400,
  directives: 12,
  /** Values that an answer may hold, each list counted at the length it was asked for. */
  cost: 25_000,
  /** Statements besides begin and commit, so that a document is never more than twelve. */
  reads: 10,
} as const

export type LimitName = keyof typeof graphLimits
export type Measures = Record<'rootFields' | 'depth' | 'aliases' | 'fields' | 'directives' | 'cost' | 'reads', number>

/** Fields that cost statements of their own, however many rows ask for them. All others come with their parent's row. */
const readsOf: Record<string, number> = {
  'Query.current_member': 1,
  'Query.trading_account': 1,
  'Query.balance_transactions': 1,
  'Query.pending_deposits': 1,
  'Query.available_psps': 1,
  'TradingAccount.psps': 1,
  'Query.bank_accounts': 1,
  'Query.system_bank_accounts': 1,
  'Query.other_accounts': 1,
  'Customer.addresses': 1,
  'Customer.accounts': 1,
  'Customer.bank_accounts': 1,
  'Customer.requests_types_for_quick_links': 1,
  'Query.requests_types': 1,
  'Query.request_type': 1,
  'Query.form': 1,
  'Query.requests': 1,
  'RequestType.form': 1,
  'RequestType.last_request': 1,
  'Request.request_type': 1,
  'Request.form_data': 4,
  'TradingAccount.balance_transactions': 1,
  'TradingAccount.trade_records': 1,
  'Query.trade_records': 2,
  'Query.trade_totals': 2,
  'Query.trade_history': 3,
  'TradeHistory.symbols': 1,
  'Query.open_positions': 3,
  'TransactionTradeRecord.comment': 1,
  'TradingPlatform.downloads': 1,
  'BalanceTransaction.trading_account': 1,
  'Query.documents': 1,
  'Query.documents_progress': 5,
  'Document.file_category_object': 1,
  'BalanceTransaction.timeline': 1,
  'BalanceTransaction.attachments': 1,
  'Query.tickets': 1,
  'Ticket.conversation': 1,
  'Ticket.model': 3,
  'BalanceTransaction.psp_transaction': 1,
}

/** Reading the platform goes with statements of its own: to see what is stale, and to keep what was read. */
const readsOfSync = 2

/** The length of a whole list. */
const readsOfCount = 1

/** How long a list without a `limit` is taken to be. */
const usualLengths: Record<string, number> = {
  'Customer.accounts': 20,
  'Customer.addresses': 3,
  'Customer.phones': 3,
  'Customer.emails': 3,
  'TradingAccount.balance_transactions': contractLimits.transactionsPageSize,
  'TradingAccount.trade_records': contractLimits.tradesPageSize,
  'OpenPositions.positions': 50,
  'BalanceTransaction.timeline': 6,
  'BalanceTransaction.attachments': 5,
  'FileCategory.valid_documents': 8,
  'DocumentsProgress.needs': 10,
  'Ticket.conversation': 20,
  'Form.steps': 5,
  'FormStep.fields': 30,
}
const usualLength = 10
const usualPage = 25

type Given = { document: DocumentNode; schema: GraphQLSchema; variables: Record<string, unknown> }
type Tally = Omit<Measures, 'rootFields'> & { width: number }

const nothing: Tally = { width: 0, depth: 0, aliases: 0, fields: 0, directives: 0, cost: 0, reads: 0 }

/**
 * Measures the one operation of a document as it would run, fragments written out where they are used. Each fragment is
 * looked into once, so a document of fragments upon fragments costs no more time than its length. Null when fragments go
 * in a circle. Unknown names count as plain fields; the validation that follows refuses them.
 */
export function measureDocument(given: Given): Measures | null {
  const { document, schema } = given
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION)
  if (!operation) return { ...nothing, rootFields: 0 }
  const reader = makeReader(given)
  const tally = reader.measure(operation.selectionSet, schema.getRootType(operation.operation)?.name ?? '')
  if (reader.isCircular()) return null
  const { width, ...measures } = tally
  const besides = countDirectives(document)
  return { ...measures, rootFields: width, directives: Math.max(measures.directives, besides) }
}

function makeReader({ document, schema, variables }: Given) {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const node of document.definitions)
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node)
  const known = new Map<string, Tally>()
  const open = new Set<string>()
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
    const earlier = known.get(name)
    if (earlier) return earlier
    const fragment = fragments.get(name)
    if (open.has(name)) circular = true
    if (!fragment || open.has(name)) return nothing
    open.add(name)
    const tally = measure(fragment.selectionSet, fragment.typeCondition.name.value)
    open.delete(name)
    known.set(name, tally)
    return tally
  }

  function addField(sum: Tally, node: FieldNode, typeName: string): void {
    const name = node.name.value
    const place = `${typeName}.${name}`
    const type = schema.getType(typeName)
    const field = isObjectType(type) ? type.getFields()[name] : undefined
    // Introspection leads around in circles by nature; production refuses it, elsewhere it is for tools.
    const isIntrospection = name === '__schema' || name === '__type'
    const inner = node.selectionSet && !isIntrospection ? measure(node.selectionSet, typeOf(field)) : nothing
    sum.width += 1
    sum.fields += 1 + inner.fields
    sum.aliases += (node.alias ? 1 : 0) + inner.aliases
    sum.directives += inner.directives
    sum.depth = Math.max(sum.depth, 1 + inner.depth)
    sum.cost += 1 + lengthOf(place, node, field, variables) * inner.cost
    sum.reads += (readsOf[place] ?? 0) + readsOfArguments(node, variables) + inner.reads
  }

  return { measure, isCircular: () => circular }
}

function add(sum: Tally, inner: Tally): void {
  for (const name of ['width', 'aliases', 'fields', 'directives', 'cost', 'reads'] as const) sum[name] += inner[name]
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
  // A variable that was not sent has its default, which is not looked up: the most that it could be is counted.
  return value.kind === Kind.VARIABLE ? (variables[value.name.value] ?? 'unknown') : 'unknown'
}

function lengthOf(place: string, node: FieldNode, field: Field, variables: Record<string, unknown>): number {
  if (!field || !isListType(getNullableType(field.type))) return 1
  if (!field.args.some((argument) => argument.name === 'limit')) return usualLengths[place] ?? usualLength
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

/** Directives may stand where nothing is selected: on operations, variables and fragments. */
function countDirectives(document: DocumentNode): number {
  let count = 0
  visit(document, {
    Directive() {
      count += 1
    },
  })
  return count
}

/** The first limit that the measures break, if any. */
export function brokenLimit(measures: Measures): LimitName | null {
  const names = Object.keys(measures) as (keyof Measures)[]
  return names.find((name) => !(measures[name] <= graphLimits[name])) ?? null
}
