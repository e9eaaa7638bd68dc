/**
 * The SQL of a request through the driver alone, in its own process: named statements, the same number of connections. Either in a
 * loop of its own, or for each request to a bare HTTP server, so that the same load generator asks it.
 */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { forkSide, takeOrders } from '../load/side-process.ts'
import { type Measurement, measureFor } from '../measure/measurement.ts'
import type { Statement } from '../statements.ts'

export type Setup = { databaseUrl: string; connections: number; runs: readonly (readonly Statement[])[] }
export type BareSql = { pid: number; url: string; run(seconds: number): Promise<Measurement>; stop(): void }

type Opened = { url: string; run(seconds: number): Promise<Measurement> }

/** `runs`: free connections take the runs in order, and start again after the last. */
export async function forkBareSql(setup: Setup): Promise<BareSql> {
  const { pid, order, stop } = forkSide<Setup | { seconds: number }, Measurement | string>(import.meta.filename)
  const url = (await order(setup)) as string
  return { pid, url, run: async (seconds) => (await order({ seconds })) as Measurement, stop }
}

async function open({ databaseUrl, connections, runs }: Setup): Promise<Opened> {
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString: databaseUrl }))
  for (const client of clients) await client.connect()
  const runOn = async (client: pg.Client | undefined, index: number): Promise<unknown[]> => {
    const rows: unknown[] = []
    for (const [place, { text, values }] of (runs[index % runs.length] ?? []).entries())
      rows.push((await client?.query({ name: `bare ${place}`, text, values: [...values] }))?.rows)
    return rows
  }
  let asked = 0
  const free = [...clients]
  const server = createServer(async (_request, response) => {
    const client = free.pop()
    const body = JSON.stringify(await runOn(client, asked++))
    if (client) free.push(client)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    run: (seconds) =>
      measureFor(connections, seconds, async (index, worker) => void (await runOn(clients[worker], index))),
  }
}

if (import.meta.main) {
  let opened: Opened | undefined
  takeOrders(async (order: Setup | { seconds: number }) => {
    if ('seconds' in order) return opened?.run(order.seconds)
    opened = await open(order)
    return opened.url
  })
}
