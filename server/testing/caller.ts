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
      const answer = await post(at === 'portal' ? '/members/login' : '/desk/api/login', { email, password })
      if (answer.status !== 200 || !answer.body.token)
        throw new Error(`Sign-in answered ${answer.status}: ${answer.raw}`)
      return String(answer.body.token)
    },
  }
}
