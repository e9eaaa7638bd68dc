import type { GraphQLSchema } from 'graphql'
import { describeDomains } from './domains.ts'
import { builder } from './graph/builder.ts'
import { guardFields } from './graph/field-scopes.ts'
import { describeSharedTypes } from './graph/shared-types.ts'

describeSharedTypes()
describeDomains()

/** What members may ask, domain by domain. One per process: it says nothing about anybody. */
export const schema: GraphQLSchema = guardFields(builder.toSchema())
