import pg from 'pg'
import { readConfig } from '../config.ts'
import { hashToken } from '../sessions/token.ts'
import { prepare } from '../start.ts'
import { addMember, addWorkspace, openTestSession } from './harbour.ts'

/** What was answered, and when, on the clock of `performance`. `code` is ours, where the answer has one. */
export type Answered = { at: number; status: number | string; code?: string | undefined; token?: string | undefined }

export type SteadyCallers = { answers: Answered[]; stop(): Promise<void> }

type Caller = { url: string; token: string }

/**
 * Ask without a pause, each one after the other, until stopped: in turn a read, and a write whose answer names what was
 * written, so that it can be held against the rows afterwards.
 */
export function startSteadyCallers(callers: readonly Caller[], pauseMs = 40): SteadyCallers {
  const answers: Answered[] = []
  let isOver = false
  const working = callers.map(async ({ url, token }) => {
    for (let turn = 0; !isOver; turn += 1) {
      answers.push(await (turn % 2 === 0 ? read(url, token) : write(url, token)))
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  })
  return {
    answers,
    async stop() {
      isOver = true
      await Promise.all(working)
    },
  }
}

/** Tokens of so many members of a new brokerage, on the database that the environment names. */
export async function openCallerSessions(
  environment: { DATABASE_URL?: string; ATRIUM_DATA: string },
  people: number,
): Promise<string[]> {
  const { ground, close } = await prepare(readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'fatal', ...environment }))
  try {
    const system = await addWorkspace(ground, { subdomain: 'harbour', isDefault: true })
    const opened: string[] = []
    for (let index = 0; index < people; index += 1) {
      const { memberId } = await addMember(system)
      opened.push((await openTestSession(system, { kind: 'member', id: memberId })).token)
    }
    return opened
  } finally {
    await close()
  }
}

/** How many of the writes that were acknowledged the database has lost. */
export async function countLost(databaseUrl: string, answers: readonly Answered[]): Promise<number> {
  const acknowledged = answers.flatMap(({ token }) => token ?? [])
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ kept: number }>(
    'select count(*)::int as kept from nonces where token_hash = any($1)',
    [acknowledged.map(hashToken)],
  )
  await client.end()
  return acknowledged.length - (rows[0]?.kept ?? 0)
}

const read = (url: string, token: string) => send(`${url}/members/dashboard`, { headers: bearer(token) })

const write = (url: string, token: string) =>
  send(`${url}/members/get-unique-token`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify({ token_key: 'transaction_deposit' }),
  })

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function send(url: string, init: RequestInit): Promise<Answered> {
  try {
    const answer = await fetch(url, init)
    const isJson = answer.headers.get('content-type')?.includes('json') ?? false
    const { code, token } = (isJson ? await answer.json() : {}) as { code?: string; token?: string }
    return { at: performance.now(), status: answer.status, code, token }
  } catch (problem) {
    return { at: performance.now(), status: String((problem as Error).cause ?? problem) }
  }
}
