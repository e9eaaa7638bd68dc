import { constants, gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** What fits into one packet anyway. */
const bytesMin = 1_024
const packable = /^(application\/json|text\/html)\b/

/**
 * Pages and what they read, packed for whoever takes it. A packed answer's length tells what in it repeats (BREACH), so none
 * is packed that may hold a secret beside what somebody else can choose: answers to a POST, which hand out tokens, and those
 * that set a cookie. What is left is read with a bearer token, which no other site's page can send.
 */
export function packAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isPackable(request, reply) || !(typeof payload === 'string' || Buffer.isBuffer(payload))) return payload
    if (Buffer.byteLength(payload) < bytesMin) return payload
    const vary = [reply.getHeader('vary'), 'accept-encoding'].flat().filter(Boolean).join(', ')
    reply.header('vary', vary)
    if (!/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(request.headers['accept-encoding'] ?? ''))) return payload
    reply.header('content-encoding', 'gzip').removeHeader('content-length')
    // At once: the pool of threads is where passwords are hashed, and what is read here takes a fifth of a millisecond.
    return gzipSync(payload, { level: constants.Z_BEST_SPEED })
  })
}

const isPackable = ({ method }: FastifyRequest, reply: FastifyReply): boolean =>
  method === 'GET' &&
  reply.statusCode === 200 &&
  packable.test(String(reply.getHeader('content-type') ?? '')) &&
  !reply.hasHeader('set-cookie') &&
  !reply.hasHeader('content-encoding')
