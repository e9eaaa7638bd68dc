import { openBeforeTerms, scopesOfReads } from '@atrium/contract/scope-calls.ts'
import { defaultFieldResolver, type GraphQLFieldResolver, type GraphQLSchema, isObjectType } from 'graphql'
import { authorize, authorizeBeforeTerms, authorizeOwnFeature } from '../foundation/actor.ts'
import type { GraphContext } from './context.ts'

/**
 * Puts the guards of the scope table in front of the resolvers, in one place, so that no resolver can forget its own.
 * Every field of Query stands in the table, and every field through which an object leads to data of another scope; a
 * test holds the list to the schema.
 */
export function guardFields(schema: GraphQLSchema): GraphQLSchema {
  for (const [name, scopes] of scopesOfReads()) {
    const [typeName = '', fieldName = ''] = name.split('.')
    const type = schema.getType(typeName)
    const field = isObjectType(type) ? type.getFields()[fieldName] : undefined
    if (!field) throw new Error(`There is no field ${name} to guard`)
    const resolve: GraphQLFieldResolver<unknown, GraphContext> = field.resolve ?? defaultFieldResolver
    const guard = openBeforeTerms.includes(name) ? authorizeBeforeTerms : authorize
    field.resolve = (source, args, context: GraphContext, info) => {
      authorizeOwnFeature(context.member, name)
      guard(context.member, ...scopes)
      return resolve(source, args, context, info)
    }
  }
  return schema
}
