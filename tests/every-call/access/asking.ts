import type { InjectOptions } from 'fastify'
import { fileCookies } from '../../../server/sessions/cookies.ts'
import { canariesIn } from '../../catalogue/other-tenant.ts'
import { callerOf } from '../../fixtures/caller.ts'
import { openTestSession } from '../../fixtures/workspaces.ts'
import type { Actor, Matrix } from './fixture.ts'

export type Answer = { status: number; code: unknown; canaries: string[]; text: string }

const proofs = new WeakMap<Actor, Record<string, string>>()

/** One session serves until a call of it went through, since some end the one that they came with, or all others. */
async function proofOf(actor: Actor): Promise<Record<string, string>> {
  const { kind, personId, system } = actor
  const earlier = proofs.get(actor)
  if (personId === null || kind === 'anyone') return {}
  if (earlier) return earlier
  const { token, fileToken } = await openTestSession(system, { kind, id: personId })
  const proof = { authorization: `Bearer ${token}`, cookie: `__Host-${fileCookies[kind]}=${fileToken}` }
  proofs.set(actor, proof)
  return proof
}

export async function send({ app, owner }: Matrix, actor: Actor, options: InjectOptions, id: string): Promise<Answer> {
  const isChange = options.method === 'POST' && options.url !== '/graph'
  // What is asked here is asked more often than any limit has it.
  if (options.url !== '/graph') await owner.query('delete from rate_limits')
  const headers = { ...options.headers, host: actor.host, ...(await proofOf(actor)) }
  const { status, body, headers: answered, raw } = await callerOf(app, actor.host).send({ ...options, headers })
  if (isChange && status < 400) proofs.delete(actor)
  const { date: _, 'x-request-id': __, 'set-cookie': ___, ...told } = answered
  const whole = `${status} ${JSON.stringify(told)} ${raw}`
  // The one that is asked about may be repeated, the one that it was asked with may differ, and a page has its own nonce.
  const text = whole
    .replaceAll(id, '<id>')
    .replace(/"request_id":"[^"]*"/, '')
    .replace(/nonce(-|=\\?")[A-Za-z0-9+/=]+/g, '')
  return { status, code: body?.code, canaries: canariesIn(whole), text }
}

export const ask = (matrix: Matrix, actor: Actor, query: string, id: string): Promise<Answer> =>
  send(matrix, actor, { method: 'POST', url: '/graph', payload: { query } }, id)
