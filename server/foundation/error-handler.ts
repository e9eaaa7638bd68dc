import type { ErrorAnswer, ErrorCode } from '@atrium/contract/error-codes.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from './errors.ts'
import { describeProblem } from './log.ts'

/** What the framework itself refuses, in our words and codes. */
const codeOfStatus: Record<number, [ErrorCode, string]> = {
  400: ['malformed', 'The request could not be read.'],
  404: ['not_found', 'There is nothing here.'],
  413: ['too_large', 'This is larger than allowed.'],
  415: ['unsupported_type', 'This kind of content is not accepted.'],
}

/** SQLSTATE classes that mean the database is away or too busy, not that we are wrong. */
const unavailableSqlStates = /^(08|53|57)/
const socketProblems = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE']

/** The one place where something thrown becomes an answer. Faults are logged here, once, with the request's id. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((problem, request, reply) => {
    if (problem instanceof Refusal) return sendRefusal(problem, request, reply)
    const known = codeOfStatus[problem.statusCode ?? 500]
    if (known) return reply.code(problem.statusCode ?? 400).send(answerOf(known, request))
    if (isDatabaseAway(problem)) {
      request.log.warn({ err: describeProblem(problem) }, 'database unavailable')
      return reply
        .code(503)
        .header('retry-after', '2')
        .send(answerOf(['unavailable', texts.requestFailed], request))
    }
    request.log.error({ err: describeProblem(problem) }, 'fault')
    return reply.code(500).send(answerOf(['fault', texts.requestFailed], request))
  })
}

function sendRefusal(refusal: Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { retryAfterSeconds } = refusal.details
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  return reply.code(refusal.httpStatus).send(refusal.answer(request.id))
}

function answerOf([code, error]: [ErrorCode, string], request: FastifyRequest): ErrorAnswer {
  return { status: 'error', code, error, request_id: request.id }
}

function isDatabaseAway(problem: unknown): boolean {
  if (!(problem instanceof Error)) return false
  const code = 'code' in problem ? String(problem.code) : ''
  const isTimeout = problem.message.startsWith('timeout exceeded when trying to connect')
  const isCut = problem.message.startsWith('Connection terminated')
  return isTimeout || isCut || socketProblems.includes(code) || unavailableSqlStates.test(code)
}
