import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isObjectType,
} from 'graphql'
import { authorize, authorizeBeforeTerms, authorizeFeature } from '../foundation/actor.ts'
import { type FieldFacts, factsOf } from './builder.ts'
import type { GraphContext } from './context.ts'

type GuardedField = {
  field: GraphQLField<unknown, GraphContext>
  facts: FieldFacts & Required<Pick<FieldFacts, 'scopes'>>
}

/** `Type.field` of each field with scopes: all of Query, and those that lead from an object to data of another scope. */
export function guardedFields(schema: GraphQLSchema): Map<string, GuardedField> {
  const found = new Map<string, GuardedField>()
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType))
    for (const field of Object.values(type.getFields())) {
      const { scopes, ...facts } = factsOf(field)
      if (scopes) found.set(`${type.name}.${field.name}`, { field, facts: { ...facts, scopes } })
    }
  return found
}

/** Guards the resolver of each of them in one place, so that no resolver can forget it. */
export function guardFields(schema: GraphQLSchema): GraphQLSchema {
  for (const { field, facts } of guardedFields(schema).values()) {
    const resolve: GraphQLFieldResolver<unknown, GraphContext> = field.resolve ?? defaultFieldResolver
    const guard = facts.beforeTerms ? authorizeBeforeTerms : authorize
    field.resolve = (source, args, context: GraphContext, info) => {
      authorizeFeature(context.member, facts.feature)
      guard(context.member, ...facts.scopes)
      return resolve(source, args, context, info)
    }
  }
  return schema
}
