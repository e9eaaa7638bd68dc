import { Agent, request } from 'node:http'
import pg from 'pg'
import { type Measurement, measure } from './measure/measurement.ts'
import { recordStatements } from './statements.ts'

const connections = 16
type Compared = { ownerUrl: string; connections: number; requests: number }

/** Compares a piece of work with the same bare SQL in the same run: the cost of tenancy, sessions, GraphQL and HTTP. */
export async function measureBesideSql(
  { ownerUrl, connections, requests }: Compared,
  work: () => Promise<void>,
): Promise<{ viaDriver: Measurement; viaHttp: Measurement }> {
  const statements = await recordStatements(work)
  const clients = await Promise.all(Array.from({ length: connections }, () => connect(ownerUrl)))
  const runBare = async (_: number, connection: number): Promise<void> => {
    for (const { text, values } of statements) await clients[connection]?.query(text, [...values])
  }
  for (const warming of [runBare, work]) await measure(connections, 40, warming)
  const viaDriver = await measure(connections, requests, runBare)
  const viaHttp = await measure(connections, requests, work)
  for (const client of clients) await client.end()
  return { viaDriver, viaHttp }
}

export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  // When the work fails, its database is dropped first; without a listener that error would hide the cause.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Keep-alive connections, as in browsers. */
export function asker(url: string, document: string): (token: string) => Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const address = `${url}/graph?q=${Buffer.from(document).toString('base64url')}`
  return (token) =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` }
      const sent = request(address, { agent, headers }, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () => {
          const body = Buffer.concat(parts).toString()
          if (answer.statusCode !== 200 || body.includes('"errors"')) reject(new Error(`${answer.statusCode} ${body}`))
          else resolve()
        })
      })
      sent.on('error', reject)
      sent.end()
    })
}
