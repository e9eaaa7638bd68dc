import * as transactions from '@atrium/contract/funding/calls.ts'
import { readWaiting } from '@atrium/contract/funding/desk-calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { open, openTable } from '../http/route.ts'
import { filterOf } from './filter-graph.ts'
import { exportTransactions } from './table.ts'
import { readWaitingWork } from './waiting.ts'

export function openFundingCalls(app: FastifyInstance, context: Context): void {
  openTable(app, context, transactions.exportTransactions, {
    scopes: ['transactions'],
    handler: (member, input) =>
      exportTransactions(member, filterOf({ ...input, with_cancelled: true }, member.memberId)),
  })
}

export function openDeskFundingCalls(app: FastifyInstance, context: Context): void {
  open(app, context, readWaiting, (staff) => readWaitingWork(staff))
}
