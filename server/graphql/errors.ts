import type { ErrorCode } from '@atrium/contract/error-codes.ts'
import { texts } from '@atrium/contract/texts.ts'
import { GraphQLError } from 'graphql'
import { Refusal } from '../foundation/errors.ts'
import { BadTransport } from './transport.ts'

type Code = ErrorCode | 'too_expensive'

/**
 * Makes errors safe for clients: refusals and errors in the document with their own message, anything else as a generic fault, which
 * is passed to `reportFault` once, however many fields it affected.
 */
export function makeErrorFormat(reportFault: (problem: unknown) => void) {
  const reported = new Set<unknown>()

  return (problem: Readonly<GraphQLError | Error>): GraphQLError => {
    const cause = causeOf(problem)
    if (cause instanceof Refusal) return shape(problem, cause.message, cause.code, cause.details)
    if (cause instanceof GraphQLError || cause instanceof BadTransport)
      return shape(problem, cause.message, 'malformed')
    if (!(problem instanceof GraphQLError)) return shape(problem, problem.message, 'malformed')
    if (!reported.has(cause)) reportFault(cause)
    reported.add(cause)
    return shape(problem, texts.requestFailed, 'fault')
  }
}

/** The outer error of a refused scalar value names its place and has the better message. */
function causeOf(problem: Error): unknown {
  const original = problem instanceof GraphQLError ? problem.originalError : undefined
  return original === undefined || original instanceof GraphQLError ? problem : original
}

function shape(problem: Error, message: string, code: Code, { terms }: Refusal['details'] = {}): GraphQLError {
  const extensions = { code, ...(terms && { terms }) }
  if (!(problem instanceof GraphQLError)) return new GraphQLError(message, { extensions })
  const { nodes = null, source = null, positions = null, path = null } = problem
  return new GraphQLError(message, { nodes, source, positions, path, extensions })
}
