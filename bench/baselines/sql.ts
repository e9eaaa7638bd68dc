/** The SQL of a request through the driver alone, in its own process: named statements, the same number of connections. */

import pg from 'pg'
import { forkSide, takeOrders } from '../load/side-process.ts'
import { type Measurement, measureFor } from '../measurement.ts'
import type { Statement } from '../statements.ts'

export type Setup = { databaseUrl: string; connections: number; runs: readonly (readonly Statement[])[] }
export type BareSql = { pid: number; run(seconds: number): Promise<Measurement>; stop(): void }

/** `runs`: free connections take the runs in order, and start again after the last. */
export async function forkBareSql(setup: Setup): Promise<BareSql> {
  const { pid, order, stop } = forkSide<Setup | { seconds: number }, Measurement>(import.meta.filename)
  await order(setup)
  return { pid, run: (seconds) => order({ seconds }), stop }
}

async function open({ databaseUrl, connections, runs }: Setup): Promise<(seconds: number) => Promise<Measurement>> {
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString: databaseUrl }))
  for (const client of clients) await client.connect()
  return (seconds) =>
    measureFor(connections, seconds, async (index, worker) => {
      for (const [place, { text, values }] of (runs[index % runs.length] ?? []).entries())
        await clients[worker]?.query({ name: `bare ${place}`, text, values: [...values] })
    })
}

if (import.meta.main) {
  let run: Awaited<ReturnType<typeof open>> | undefined
  takeOrders(async (order: Setup | { seconds: number }) => {
    if ('seconds' in order) return run?.(order.seconds)
    run = await open(order)
  })
}
