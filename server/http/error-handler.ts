import type { ErrorAnswer, ErrorCode } from '@atrium/contract/error-codes.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal, Unavailable } from '../foundation/errors.ts'
import { describeProblem } from '../observability/log.ts'
import { bareHeaders } from './secure-headers.ts'

const unreadable: [ErrorCode, string] = ['malformed', 'The request could not be read.']
const nothingHere: [ErrorCode, string] = ['not_found', 'There is nothing here.']

/** Refusals of the framework itself, with our codes and messages. */
const codeOfStatus: Record<number, [ErrorCode, string]> = {
  404: nothingHere,
  413: ['too_large', 'This is larger than allowed.'],
  415: ['unsupported_type', 'This kind of content is not accepted.'],
}

/**
 * SQLSTATEs of an unavailable or overloaded database (including lock timeouts), of a disk error, or of refused access; none of them
 * means a fault in our code.
 */
const unavailableSqlStates = /^(08|53|57|58|28P01|40P01|55P03)/
/** Driver messages without a code: no connection was available, or it was lost. */
const withoutConnection =
  /^(timeout exceeded when trying to connect|Connection terminated|Client (has encountered a connection error|was closed))/
const socketProblems = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE']

/** The only place where an exception becomes an answer. Logs faults here, once, with the request's id. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((problem, request, reply) => {
    if (problem instanceof Refusal) return sendRefusal(problem, request, reply)
    const refused = refusedByFramework(problem.statusCode ?? 500)
    if (refused) return reply.code(refused.status).send(answerOf(refused.answer, request))
    if (problem instanceof Unavailable || isDatabaseAway(problem)) {
      const what = problem instanceof Unavailable ? 'storage unavailable' : 'database unavailable'
      request.log.warn({ err: describeProblem(problem) }, what)
      return reply
        .code(503)
        .header('retry-after', '2')
        .send(answerOf(['unavailable', texts.requestFailed], request))
    }
    request.log.error({ err: describeProblem(problem) }, 'fault')
    return reply.code(500).send(answerOf(['fault', texts.requestFailed], request))
  })
  app.setNotFoundHandler((request, reply) => reply.code(404).send(answerOf(nothingHere, request)))
}

/** A malformed URL matches no route and runs no hook, so this sets the headers that hooks would set. */
export function refuseUnreadable(problem: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ ...bareHeaders(reply.server), 'x-request-id': request.id })
  const { status, answer } = refusedByFramework(problem.statusCode ?? 400) ?? { status: 400, answer: unreadable }
  return reply.code(status).send(answerOf(answer, request))
}

/** Every 4xx of the framework and its plugins; a 403 for a static file becomes not found. */
function refusedByFramework(status: number): { status: number; answer: [ErrorCode, string] } | null {
  if (status === 403) return { status: 404, answer: nothingHere }
  return status >= 400 && status < 500 ? { status, answer: codeOfStatus[status] ?? unreadable } : null
}

function sendRefusal(refusal: Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { retryAfterSeconds } = refusal.details
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  return reply.code(refusal.httpStatus).send(refusal.answer(request.id))
}

/** The body of every refusal and fault. */
export function answerOf([code, error]: [ErrorCode, string], request: FastifyRequest): ErrorAnswer {
  return { status: 'error', code, error, errors: { form: [error] }, request_id: request.id }
}

function isDatabaseAway(problem: unknown): boolean {
  if (!(problem instanceof Error)) return false
  const code = 'code' in problem ? String(problem.code) : ''
  return withoutConnection.test(problem.message) || socketProblems.includes(code) || unavailableSqlStates.test(code)
}
