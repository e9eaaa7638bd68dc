import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, InjectOptions } from 'fastify'

export type Answered = { status: number; body: Record<string, unknown>; headers: Record<string, unknown>; raw: string }

export type Caller = {
  post(path: string, body?: unknown, token?: string): Promise<Answered>
  get(path: string, token?: string): Promise<Answered>
  send(options: InjectOptions): Promise<Answered>
  /** Signs in and answers the bearer token. */
  signIn(person: { email: string; password: string }, at?: 'portal' | 'desk'): Promise<string>
}

/** Calls the whole server in this process, through its own doors. */
export function callerOf(app: FastifyInstance, host = 'localhost'): Caller {
  const send = async (options: InjectOptions): Promise<Answered> => {
    const answer = await app.inject({ ...options, headers: { host, ...options.headers } })
    const isJson = String(answer.headers['content-type'] ?? '').includes('json')
    const body = isJson && answer.payload !== '' ? (JSON.parse(answer.payload) as Record<string, unknown>) : {}
    return { status: answer.statusCode, body, headers: answer.headers, raw: answer.payload }
  }
  const headersFor = (token?: string): Record<string, string> => (token ? { authorization: `Bearer ${token}` } : {})
  const post: Caller['post'] = (path, body = {}, token) =>
    send({ method: 'POST', url: path, payload: body as object, headers: headersFor(token) })
  return {
    send,
    post,
    get: (path, token) => send({ method: 'GET', url: path, headers: headersFor(token) }),
    async signIn({ email, password }, at = 'portal') {
      const path = at === 'portal' ? '/members/login' : '/desk/api/login'
      const answer = await onceLookedAt(() => post(path, { email, password }))
      if (answer.status !== 200 || !answer.body.token)
        throw new Error(`Sign-in answered ${answer.status}: ${answer.raw}`)
      return String(answer.body.token)
    },
  }
}

/**
 * Comes again as long as the machine is too busy to look at a password, as the answer asks: nobody was refused by that, and
 * nothing was counted.
 */
export async function onceLookedAt(ask: () => Promise<Answered>): Promise<Answered> {
  for (let tries = 1; ; tries++) {
    const answer = await ask()
    if (answer.status !== 503 || tries === 500) return answer
    await pause(100)
  }
}
