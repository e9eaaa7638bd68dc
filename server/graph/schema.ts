import type { GraphQLSchema } from 'graphql'
import { describeAccounts } from '../accounts/graph.ts'
import { describeBanking } from '../banking/graph.ts'
import { describeDocuments } from '../documents/graph.ts'
import { describeDownloads } from '../downloads/graph.ts'
import { describeForms } from '../forms/graph.ts'
import { describeFunding } from '../funding/graph.ts'
import { describeMembers } from '../members/graph.ts'
import { describePaymentProviders } from '../payments/graph.ts'
import { describeRequests } from '../requests/graph.ts'
import { describeTickets } from '../tickets/graph.ts'
import { describeTrades } from '../trades/graph.ts'
import { builder } from './builder.ts'
import { guardFields } from './field-scopes.ts'
import { describeSharedTypes } from './shared-types.ts'

describeSharedTypes()
describeMembers()
describeAccounts()
describeDownloads()
describeDocuments()
describeFunding()
describeBanking()
describePaymentProviders()
describeRequests()
describeForms()
describeTickets()
describeTrades()

/** What members may ask, domain by domain. One per process: it says nothing about anybody. */
export const schema: GraphQLSchema = guardFields(builder.toSchema())
