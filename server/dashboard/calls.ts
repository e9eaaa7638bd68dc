import * as contract from '@atrium/contract/dashboard.ts'
import type { FastifyInstance } from 'fastify'
import { open } from '../foundation/door.ts'
import type { Ground } from '../foundation/ground.ts'
import { readDashboardOf } from './queries.ts'

export function openDashboardCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, contract.readDashboard, (member, { from }) => readDashboardOf(member, from))
}
