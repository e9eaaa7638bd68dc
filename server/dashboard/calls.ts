import * as contract from '@atrium/contract/dashboard/calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Ground } from '../foundation/ground.ts'
import { open } from '../http/route.ts'
import { readDashboardOf } from './queries.ts'

export function openDashboardCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, contract.readDashboard, {
    scopes: ['dashboard'],
    handler: (member, { from }) => readDashboardOf(member, from),
  })
}
