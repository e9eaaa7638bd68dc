import { isFeatureOn, isPermitted, type Scope } from '@atrium/contract/scopes.ts'
import { defaultFieldResolver, type GraphQLFieldResolver, type GraphQLSchema, isObjectType } from 'graphql'
import type { Member } from '../foundation/actor.ts'
import { refuse } from '../foundation/errors.ts'
import type { GraphContext } from './context.ts'

const accountScopes = ['my_accounts', 'deposit', 'withdraw'] as const
const bankScopes = ['bank-accounts', 'deposit', 'withdraw'] as const

/**
 * Which scopes open which field: any of them does. Every field of Query stands here, and every field through which an
 * object leads to data of another scope; a test holds the list to the schema.
 */
export const fieldScopes: Record<string, readonly Scope[]> = {
  'Query.current_member': ['all'],
  'Query.trading_account': accountScopes,
  'Query.trade_records': accountScopes,
  'Query.balance_transactions': ['transactions'],
  'Query.pending_deposits': ['transactions'],
  'Query.available_psps': ['deposit'],
  'Query.system_bank_accounts': bankScopes,
  'Query.bank_accounts': bankScopes,
  'Query.other_accounts': ['other-accounts', 'withdraw'],
  'Query.requests_types': ['requests'],
  'Query.request_type': ['requests'],
  'Query.form': ['requests', 'documents'],
  'Query.requests': ['requests'],
  'Query.tickets': ['support'],
  'Customer.accounts': accountScopes,
  'Customer.bank_accounts': bankScopes,
  'Customer.requests_types_for_quick_links': ['requests'],
  'TradingAccount.balance_transactions': ['transactions'],
  'TradingAccount.trade_records': accountScopes,
}

/** Off for all of them is 'feature off'; on but denied is 'not permitted', as REST calls say it. */
function authorizeAny(member: Member, scopes: readonly Scope[]): void {
  const on = scopes.filter((scope) => isFeatureOn(scope, member.features))
  if (on.length === 0) refuse('feature_off', 'This feature is not available.')
  if (!on.some((scope) => isPermitted(scope, member.permissions)))
    refuse('not_permitted', 'You do not have access to this.')
}

/** Puts the guards in front of the resolvers, in one place and from one table, so that no resolver can forget its own. */
export function guardFields(schema: GraphQLSchema): GraphQLSchema {
  for (const [name, scopes] of Object.entries(fieldScopes)) {
    const [typeName = '', fieldName = ''] = name.split('.')
    const type = schema.getType(typeName)
    const field = isObjectType(type) ? type.getFields()[fieldName] : undefined
    if (!field) throw new Error(`There is no field ${name} to guard`)
    const resolve: GraphQLFieldResolver<unknown, GraphContext> = field.resolve ?? defaultFieldResolver
    field.resolve = (source, args, context: GraphContext, info) => {
      authorizeAny(context.member, scopes)
      return resolve(source, args, context, info)
    }
  }
  return schema
}
