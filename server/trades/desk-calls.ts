import * as desk from '@atrium/contract/trades/desk-calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { open, openTable } from '../http/route.ts'
import { exportTradesAtDesk, listPositionsAtDesk, listTradesAtDesk, readHistoryAtDesk } from './desk-queries.ts'

export function openDeskTradeCalls(app: FastifyInstance, context: Context): void {
  open(app, context, desk.listAccountTrades, (staff, input) => listTradesAtDesk(staff, input))
  open(app, context, desk.readAccountHistory, {
    unaudited: 'it asks for the history to be read',
    touches: ['trade_histories'],
    handler: async (staff, { id }) => ({ history: await readHistoryAtDesk(staff, id) }),
  })
  open(app, context, desk.listAccountPositions, {
    unaudited: 'it asks for the history to be read',
    touches: ['trade_histories'],
    handler: (staff, { id }) => listPositionsAtDesk(staff, id),
  })
  openTable(app, context, desk.exportAccountTrades, {
    audit: ['trades.exported'],
    handler: (staff, input) => exportTradesAtDesk(staff, input),
  })
}
