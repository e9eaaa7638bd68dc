import type { GraphQLSchema } from 'graphql'
import { describeDomains } from './domains.ts'
import { builder } from './graphql/builder.ts'
import { guardFields } from './graphql/field-scopes.ts'
import { describeSharedTypes } from './graphql/shared-types.ts'

describeSharedTypes()
describeDomains()

/** The members' GraphQL schema, from all domains. One for each process; it holds no data. */
export const schema: GraphQLSchema = guardFields(builder.toSchema())
