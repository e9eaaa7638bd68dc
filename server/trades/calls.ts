import * as trades from '@atrium/contract/trades/calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { openTable } from '../http/route.ts'
import { exportTrades } from './table.ts'

export function openTradeCalls(app: FastifyInstance, context: Context): void {
  openTable(app, context, trades.exportTrades, {
    scopes: ['my_accounts'],
    feature: 'trades',
    handler: (member, { id, ...filter }) => exportTrades(member, { ...filter, accountId: id.toLowerCase() }),
  })
}
