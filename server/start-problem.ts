import pg from 'pg'
import { FolderInUse } from './postgres/folder-lock.ts'

/**
 * Explains a configuration problem that stops a process or command, in one sentence. Null for a programming error,
 * whose stack is needed.
 */
export function explainStart(problem: unknown): string | null {
  if (!(problem instanceof Error)) return null
  if (problem instanceof pg.DatabaseError) return explainRefusal(problem)
  const { code, syscall, message } = innermost(problem)
  if (syscall === 'listen') return explainListening(code, message)
  if (lineProblems.test(code) || (code === 'ENOENT' && syscall === 'connect') || cutOff.test(message))
    return `The database does not answer (${message}). Is it running, and is DATABASE_URL right?`
  if (problem instanceof FolderInUse) return problem.message
  if (problem.constructor !== Error || problem.message.startsWith('Impossible state')) return null
  const { cause } = problem
  return cause instanceof pg.DatabaseError ? `${problem.message} The database says: ${cause.message}.` : problem.message
}

/** By PostgreSQL's error codes. */
function explainRefusal({ code = '', message }: pg.DatabaseError): string | null {
  if (code === '28P01' || code === '28000')
    return `The database refuses our sign-in (${message}). Check user and password in DATABASE_URL, or in DATABASE_PROGRAM_URL if you set it.`
  if (code === '3D000') return `There is no such database (${message}). Create it, or correct its name in DATABASE_URL.`
  if (code === '42501')
    return `The role in DATABASE_URL lacks a right (${message}). It has to own the database and may need CREATEROLE: docs/operators/without-containers.md.`
  if (code === '25006')
    return `The database is read-only (${message}). DATABASE_URL has to be the address of the primary, not of a replica.`
  if (code === '53100') return `The disk of the database is full (${message}).`
  if (['57P01', '57P03', '53300'].includes(code))
    return `The database accepts no connections at the moment (${message}).`
  return null
}

function explainListening(code: string, message: string): string {
  if (code === 'EADDRINUSE')
    return `Another program already listens on this port (${message}). Stop it, or choose another PORT, for example PORT=8081.`
  if (code === 'EACCES')
    return `This user may not listen on this port (${message}). Choose a PORT above 1023 behind a proxy.`
  return `Listening failed (${message}). Check HOST and PORT.`
}

const lineProblems = /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/
const cutOff = /^(Connection terminated|timeout expired|The server does not support SSL)/

type SystemProblem = { code: string; syscall: string; message: string }

/** A host with several addresses fails with an AggregateError, which has no message of its own. */
function innermost(problem: Error): SystemProblem {
  const first = problem instanceof AggregateError ? problem.errors[0] : problem
  const { code, syscall, message } = first as Partial<SystemProblem>
  return { code: code ?? '', syscall: syscall ?? '', message: message ?? '' }
}
