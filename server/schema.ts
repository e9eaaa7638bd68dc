import type { GraphQLSchema } from 'graphql'
import { describeDomains } from './domains.ts'
import { builder } from './graphql/builder.ts'
import { guardFields } from './graphql/field-scopes.ts'
import { describeSharedTypes } from './graphql/shared-types.ts'

describeSharedTypes()
describeDomains()

/** What members may ask, domain by domain. One per process: it says nothing about anybody. */
export const schema: GraphQLSchema = guardFields(builder.toSchema())
