import { isDecimal } from '@atrium/contract/money/money.ts'
import SchemaBuilder, {
  type FieldNullability,
  type InputFieldMap,
  type SchemaTypes,
  type TypeParam,
} from '@pothos/core'
import { GraphQLError, type GraphQLField, Kind, type ValueNode } from 'graphql'
import type { AccountShape } from '../accounts/queries.ts'
import type { BankAccountShape, CompanyBankAccountShape } from '../banking/queries.ts'
import type { DownloadShape } from '../downloads/queries.ts'
import type { TransactionShape } from '../funding/queries.ts'
import type { CallFacts } from '../http/call-facts.ts'
import type { OfferedProvider } from '../payment-providers/queries.ts'
import type { RequestTypeShape } from '../requests/queries.ts'
import type { TradeRecordShape } from '../trades/queries.ts'
import type { GraphContext } from './context.ts'

/** Types that several domains refer to; each domain describes its own. The rest are refs inside their domain. */
type SharedObjects = {
  TradingAccount: AccountShape
  BalanceTransaction: TransactionShape
  BankAccount: BankAccountShape
  CompanyBankAccount: CompanyBankAccountShape
  Country: { _id: string; name: string; alpha_2: string }
  Image: { _id: string; type: string | null; url: string; title: string | null; description: string | null }
  File: { _id: string; title: string | null; description: string | null; url: string; created_at: Date | null }
  Person: { _id: string; name: string; profile_pic?: SharedObjects['Image'] | null }
  PaymentProvider: OfferedProvider
  TradeRecord: TradeRecordShape
  TradingPlatform: Pick<AccountShape, 'platform_id' | 'platform_type' | 'platform_name' | 'client_server'>
  PlatformDownload: DownloadShape
  RequestType: RequestTypeShape
  Form: FormShape
}

export type FormFieldShape = {
  name: string
  description: string | null
  type: string
  options: string | null
  scores: string | null
  row: number
  column: number
  config: string | null
  input_name: string
}

export type FormShape = {
  _id: string
  name: string
  show_on: string | null
  archived: boolean
  is_request: boolean
  version: number
  show_conditions: string | null
  input_name_conditions: string | null
  result_bands: string | null
  steps: { _id: string; name: string; fields: FormFieldShape[] }[]
  vendors: string[]
  departments: string[]
  category: string | null
}

/** Access to a field, stated as for a call and required for every field of Query, and its cost (limits.ts). */
export type FieldFacts = Pick<CallFacts, 'scopes' | 'feature' | 'beforeTerms'> & {
  /** Why a field that leads from one scope to data of another needs no scopes of its own. */
  unguarded?: string
  /** The number of statements, whatever the number of rows. Other fields come with their parent's row. */
  reads?: number
  /** The assumed length of a list without a `limit`. */
  usualLength?: number
}

declare global {
  namespace PothosSchemaTypes {
    interface FieldOptions<
      Types extends SchemaTypes = SchemaTypes,
      ParentShape = unknown,
      Type extends TypeParam<Types> = TypeParam<Types>,
      Nullable extends FieldNullability<Type> = FieldNullability<Type>,
      Args extends InputFieldMap = InputFieldMap,
      ResolveShape = unknown,
      ResolveReturnShape = unknown,
    > extends FieldFacts {}
    interface QueryFieldOptions<
      Types extends SchemaTypes,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveReturnShape,
    > {
      scopes: NonNullable<FieldFacts['scopes']>
    }
  }
}

export const builder = new SchemaBuilder<{
  Context: GraphContext
  DefaultFieldNullability: false
  Scalars: {
    ID: { Input: string; Output: string }
    Money: { Input: string; Output: string }
    Millis: { Input: number; Output: Date | number }
    Seconds: { Input: number; Output: number }
    JSONText: { Input: string; Output: string }
  }
  Objects: SharedObjects
}>({ defaultFieldNullability: false })

builder.queryType({})

export const factsOf = (field?: GraphQLField<unknown, unknown>): FieldFacts =>
  (field?.extensions.pothosOptions ?? {}) as FieldFacts

function refuseValue(kind: string): never {
  throw new GraphQLError(`${kind} cannot represent this value.`)
}

/** Digits as written: a number that passed through a float would change the amount. */
function readMoney(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && isDecimal(text) ? text : refuseValue('Money')
}

/** The largest moment that a Date can hold. */
const millisMax = 8_640_000_000_000_000

function readWhole(kind: string, value: unknown): number {
  const isWhole = typeof value === 'number' && Number.isSafeInteger(value) && Math.abs(value) <= millisMax
  return isWhole ? value : refuseValue(kind)
}

function literalNumber(kind: string, node: ValueNode): number {
  return node.kind === Kind.INT ? readWhole(kind, Number(node.value)) : refuseValue(kind)
}

builder.scalarType('Money', {
  description: 'An exact decimal as text, e.g. "1250.00".',
  serialize: (value) => value,
  parseValue: readMoney,
  parseLiteral: (node) =>
    node.kind === Kind.STRING || node.kind === Kind.INT || node.kind === Kind.FLOAT
      ? readMoney(node.value)
      : refuseValue('Money'),
})

builder.scalarType('Millis', {
  description: 'Epoch milliseconds.',
  serialize: (value) => (value instanceof Date ? value.getTime() : value),
  parseValue: (value) => readWhole('Millis', value),
  parseLiteral: (node) => literalNumber('Millis', node),
})

builder.scalarType('Seconds', {
  description: 'Epoch seconds.',
  serialize: (value) => value,
  parseValue: (value) => readWhole('Seconds', value),
  parseLiteral: (node) => literalNumber('Seconds', node),
})

builder.scalarType('JSONText', {
  description: 'JSON as text, to be parsed by the reader.',
  serialize: (value) => value,
})
