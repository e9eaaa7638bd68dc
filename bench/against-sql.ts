import { Agent, request } from 'node:http'
import pg from 'pg'
import { describeFigures, measure } from './figures.ts'

export const connections = 16

type Asked = {
  name: string
  document: string
  url: string
  ownerUrl: string
  pool: pg.Pool
  /** Of each member a session, in the same order. */
  memberIds: readonly string[]
  tokens: readonly string[]
  requests: number
}

/**
 * A document as members' browsers ask for it, and the same SQL run bare through the driver in the same run. The ratio is what
 * counts: it says what tenancy, sessions, GraphQL and HTTP cost on top of the database.
 */
export async function measureAgainstSql({ name, document, url, ownerUrl, pool, ...asked }: Asked): Promise<void> {
  const { memberIds, tokens, requests } = asked
  const ask = asker(url, document)
  const statements = await recordStatements(pool, () => ask(tokens[0] ?? ''))
  const bare = statements.filter(({ text }) => !/^(begin|commit|rollback)/i.test(text))
  console.log(`  One request runs ${statements.length} statements, ${bare.length} without begin, scope and commit`)

  const clients = await Promise.all(Array.from({ length: connections }, () => connect(ownerUrl)))
  await measure(connections, 1_000, (index) => ask(tokens[index % tokens.length] ?? ''))
  const viaDriver = await measure(connections, requests, async (index) => {
    const client = clients.pop()
    if (!client) throw new Error('More lanes than connections.')
    for (const { text, values } of bare) await client.query(text, forMember(values, index))
    clients.push(client)
  })
  const viaHttp = await measure(connections, requests, (index) => ask(tokens[index % tokens.length] ?? ''))
  console.log(describeFigures('The same SQL, bare, through the driver', viaDriver))
  console.log(describeFigures(name, viaHttp, viaDriver))
  await Promise.all(clients.map((client) => client.end()))

  /** The recorded values belong to the first member; each run asks for another one, as the requests do. */
  function forMember(values: unknown[], index: number): unknown[] {
    const first = memberIds[0]
    return values.map((value) => (value === first ? memberIds[index % memberIds.length] : value))
  }
}

export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  // When the work fails its database goes away first; without a listener that would be told in place of the cause.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

type Statement = { text: string; values: unknown[] }

/** What one request sends to the database, in the order it sends it. */
export async function recordStatements(pool: pg.Pool, work: () => Promise<void>): Promise<Statement[]> {
  const seen: Statement[] = []
  const original = pg.Client.prototype.query
  const recording = function (this: pg.Client, ...call: unknown[]) {
    const [text, values] = call
    if (typeof text === 'string') seen.push({ text, values: Array.isArray(values) ? values : [] })
    return Reflect.apply(original, this, call)
  }
  pg.Client.prototype.query = recording as typeof original
  try {
    await work()
  } finally {
    pg.Client.prototype.query = original
  }
  if (pool.totalCount === 0 || seen.length === 0) throw new Error('Nothing was recorded.')
  return seen
}

/** One keep-alive connection a lane, as browsers hold them. */
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
