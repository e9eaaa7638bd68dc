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
  const ofFile = 'path' in problem ? explainFile(code, message) : null
  if (ofFile) return ofFile
  if (problem.constructor !== Error || problem.message.startsWith('Impossible state')) return null
  const { cause } = problem
  if (cause instanceof pg.DatabaseError) return `${problem.message} The database says: ${cause.message}.`
  return isLost(cause)
    ? `${problem.message} The connection to the database was lost (${cause.message}): start again when it answers.`
    : problem.message
}

const isLost = (cause: unknown): cause is Error =>
  cause instanceof Error && (lineProblems.test(innermost(cause).code) || cutOff.test(cause.message))

/** Problems with the data folder or another file. */
function explainFile(code: string, message: string): string | null {
  if (code === 'ENOSPC' || code === 'EDQUOT') return `The disk is full (${message}). Free some space and start again.`
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `This user may not use a file or folder (${message}). Change its owner, or choose another folder with ATRIUM_DATA.`
  return null
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
  if (code === '53100') return `The disk of the database is full (${message}). Free some space there and start again.`
  if (['57P01', '57P03', '53300'].includes(code))
    return `The database accepts no connections at the moment (${message}). Start again when it does.`
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
