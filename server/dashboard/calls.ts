import * as contract from '@atrium/contract/dashboard/calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { open } from '../http/route.ts'
import { readDashboardOf } from './queries.ts'

export function openDashboardCalls(app: FastifyInstance, context: Context): void {
  open(app, context, contract.readDashboard, {
    scopes: ['dashboard'],
    handler: (member, { from }) => readDashboardOf(member, from),
  })
}
