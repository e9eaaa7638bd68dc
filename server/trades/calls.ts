import * as trades from '@atrium/contract/trades/calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Ground } from '../foundation/ground.ts'
import { openTable } from '../http/route.ts'
import { exportTrades } from './table.ts'

export function openTradeCalls(app: FastifyInstance, ground: Ground): void {
  openTable(app, ground, trades.exportTrades, {
    scopes: ['my_accounts'],
    feature: 'trades',
    handler: (member, { id, ...filter }) => exportTrades(member, { ...filter, accountId: id.toLowerCase() }),
  })
}
