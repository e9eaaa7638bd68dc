import * as desk from '@atrium/contract/trades/desk-calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Ground } from '../foundation/ground.ts'
import { open, openTable } from '../http/route.ts'
import { exportTradesAtDesk, listPositionsAtDesk, listTradesAtDesk, readHistoryAtDesk } from './desk-queries.ts'

export function openDeskTradeCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, desk.listAccountTrades, (staff, input) => listTradesAtDesk(staff, input))
  open(app, ground, desk.readAccountHistory, {
    unaudited: 'it asks for the history to be read',
    touches: ['trade_histories'],
    handler: async (staff, { id }) => ({ history: await readHistoryAtDesk(staff, id) }),
  })
  open(app, ground, desk.listAccountPositions, {
    unaudited: 'it asks for the history to be read',
    touches: ['trade_histories'],
    handler: (staff, { id }) => listPositionsAtDesk(staff, id),
  })
  openTable(app, ground, desk.exportAccountTrades, {
    audit: ['trades.exported'],
    handler: (staff, input) => exportTradesAtDesk(staff, input),
  })
}
