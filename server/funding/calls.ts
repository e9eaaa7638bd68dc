import * as transactions from '@atrium/contract/funding/calls.ts'
import { readWaiting } from '@atrium/contract/staff/calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Ground } from '../foundation/ground.ts'
import { open, openTable } from '../http/route.ts'
import { exportTransactions } from './table.ts'
import { readWaitingWork } from './waiting.ts'

export function openFundingCalls(app: FastifyInstance, ground: Ground): void {
  openTable(app, ground, transactions.exportTransactions, {
    scopes: ['transactions'],
    handler: exportTransactions,
  })
}

export function openDeskFundingCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, readWaiting, (staff) => readWaitingWork(staff))
}
