/** Browsers in their own process, so that reading events takes no time from the measured server. */

import { Agent, get } from 'node:http'
import type { Tick } from '../measure/measurement.ts'
import { quantilesOf } from '../measure/measurement.ts'
import { forkSide, takeOrders } from './side-process.ts'

export type Watching = { p50Ms: number; p99Ms: number; unseen: number; events: number }

export type Members = {
  /** Opens one stream per token; resolves when all are open. */
  watch(url: string, tokens: readonly string[]): Promise<void>
  /** The delay between each tick and its arrival at each member. */
  judge(ticks: readonly Tick[]): Promise<Watching>
  /** Discards everything received so far. */
  forget(): Promise<void>
  leave(): Promise<void>
  stop(): void
}

type Order =
  | { kind: 'watch'; url: string; tokens: readonly string[] }
  | { kind: 'judge'; ticks: readonly Tick[] }
  | { kind: 'forget' }
  | { kind: 'leave' }

/** A clock shared by all processes of a machine, finer than a millisecond. */
export function now(): number {
  return performance.timeOrigin + performance.now()
}

export function forkMembers(): Members {
  const { order, stop } = forkSide<Order, unknown>(import.meta.filename)
  return {
    watch: async (url, tokens) => void (await order({ kind: 'watch', url, tokens })),
    judge: async (ticks) => (await order({ kind: 'judge', ticks })) as Watching,
    forget: async () => void (await order({ kind: 'forget' })),
    leave: async () => void (await order({ kind: 'leave' })),
    stop,
  }
}

type Stream = { received: { number: number; at: number }[]; close(): void }

function act(): void {
  const streams: Stream[] = []
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
  takeOrders(async (order: Order) => {
    if (order.kind === 'watch') await watchAll(order.url, order.tokens)
    if (order.kind === 'forget') for (const stream of streams) stream.received.length = 0
    if (order.kind === 'leave') for (const stream of streams.splice(0)) stream.close()
    return order.kind === 'judge' ? judge(streams, order.ticks) : undefined
  })

  /** Opens the streams in groups: the bench measures watching, not connecting. */
  async function watchAll(url: string, tokens: readonly string[]): Promise<void> {
    for (let first = 0; first < tokens.length; first += 50)
      await Promise.all(tokens.slice(first, first + 50).map((token) => open(url, token)))
  }

  function open(url: string, token: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` }
      const asked = get(url, { agent, headers }, (answer) => {
        if (answer.statusCode !== 200) return reject(new Error(`Answered ${answer.statusCode}`))
        const received: Stream['received'] = []
        let rest = ''
        answer.setEncoding('utf8').on('data', (text: string) => {
          const events = (rest + text).split('\n\n')
          rest = events.pop() ?? ''
          for (const event of events) {
            const floating = /"floating_pnl":"(-?\d+)/.exec(event)?.[1]
            if (floating !== undefined) received.push({ number: Number(floating), at: now() })
          }
        })
        answer.on('error', () => undefined)
        streams.push({ received, close: () => void asked.destroy() })
        resolve()
      })
      asked.on('error', reject)
    })
  }
}

/** A tick that a later one overtook counts as received with it. A tick that never arrived counts until now, and as unseen. */
function judge(streams: readonly Stream[], ticks: readonly Tick[]): Watching {
  const end = now()
  const delays: number[] = []
  let unseen = 0
  for (const { received } of streams) {
    let place = 0
    for (const tick of ticks) {
      while (place < received.length && (received[place]?.number ?? 0) < tick.number) place += 1
      const arrived = received[place]
      if (!arrived) unseen += 1
      delays.push((arrived?.at ?? end) - tick.at)
    }
  }
  const at = quantilesOf(delays)
  const events = streams.reduce((sum, { received }) => sum + received.length, 0)
  return { p50Ms: at(0.5), p99Ms: at(0.99), unseen, events }
}

if (import.meta.main) act()
