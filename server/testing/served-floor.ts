import type { FastifyInstance } from 'fastify'
import { buildApp } from '../app.ts'
import { type Caller, callerOf } from './caller.ts'
import { openTradingFloor, type TradingFloor } from './trading-floor.ts'

/** A trading floor with the whole server in front of it, and somebody who calls there. */
export type ServedFloor = TradingFloor & { app: FastifyInstance; caller: Caller }

export async function openServedFloor(options: Parameters<typeof openTradingFloor>[0] = {}): Promise<ServedFloor> {
  const floor = await openTradingFloor(options)
  const app = await buildApp(floor.ground)
  const close = async (): Promise<void> => {
    await app.close()
    await floor.close()
  }
  return { ...floor, app, caller: callerOf(app), close }
}
