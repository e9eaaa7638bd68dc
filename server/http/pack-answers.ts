import { constants, gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Smaller answers fit into one packet anyway. */
const bytesMin = 1_024
const packable = /^(application\/json|text\/html)\b/

/**
 * Compresses pages and data for clients that accept it. Excludes answers that may hold a secret beside attacker-chosen
 * text (to POST, or with a cookie), since the length of a compressed answer reveals repetitions in it (BREACH).
 */
export function packAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => done(null, packed(request, reply, payload)))
}

function packed(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  if (!isPackable(request, reply) || !(typeof payload === 'string' || Buffer.isBuffer(payload))) return payload
  if (Buffer.byteLength(payload) < bytesMin) return payload
  const vary = [reply.getHeader('vary'), 'accept-encoding'].flat().filter(Boolean).join(', ')
  reply.header('vary', vary)
  if (!/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(request.headers['accept-encoding'] ?? ''))) return payload
  reply.header('content-encoding', 'gzip').removeHeader('content-length')
  // Synchronous: the thread pool also hashes passwords, and compressing one answer takes a fifth of a millisecond.
  return gzipSync(payload, { level: constants.Z_BEST_SPEED })
}

const isPackable = ({ method }: FastifyRequest, reply: FastifyReply): boolean =>
  method === 'GET' &&
  reply.statusCode === 200 &&
  packable.test(String(reply.getHeader('content-type') ?? '')) &&
  !reply.hasHeader('set-cookie') &&
  !reply.hasHeader('content-encoding')
