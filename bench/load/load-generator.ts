/** The same generator for all contestants, in its own process, so that its load is not counted as theirs. */

import autocannon from 'autocannon'
import type { Measurement } from '../measure/measurement.ts'
import { forkSide, type SideProcess, takeOrders } from './side-process.ts'

export type Asked = { method?: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: string }
export type Order = { url: string; requests: readonly Asked[]; connections: number; seconds: number }
export type Answered = Pick<Measurement, 'count' | 'perSecond' | 'p50Ms' | 'p99Ms'>

export type LoadGenerator = SideProcess<Order, Answered>

export function forkLoadGenerator(): LoadGenerator {
  return forkSide<Order, Answered>(import.meta.filename)
}

/**
 * Each connection has requests of its own where there are enough, and starts at another one otherwise, so that they do not ask
 * for the same member in step. Their buffers are built within the measured time, so there should not be many.
 */
async function ask({ url, requests, connections, seconds }: Order): Promise<Answered> {
  let place = 0
  const share = Math.floor(requests.length / connections)
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    setupClient(client) {
      const from = Math.floor((place++ * requests.length) / connections)
      const own = requests.slice(from, from + share)
      client.setRequests(share >= 4 ? own : [...requests.slice(from), ...requests.slice(0, from)])
    },
  })
  if (result.non2xx > 0 || result.errors > 0 || result['2xx'] === 0)
    throw new Error(`Of ${url}: ${result['2xx']} answered, ${result.non2xx} refused, ${result.errors} failed`)
  const { p50: p50Ms, p99: p99Ms } = result.latency
  const count = result['2xx']
  return { count, perSecond: count / result.duration, p50Ms, p99Ms }
}

if (import.meta.main) takeOrders(ask)
