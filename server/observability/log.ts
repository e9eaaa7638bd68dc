import { type DestinationStream, type Logger, pino } from 'pino'
import { traceIds } from './tracing.ts'
import { underWay } from './under-way.ts'

/** The whole logger: what the framework writes goes the same way as ours. */
export type ProgramLog = ReturnType<typeof makeLog>

/**
 * Structured lines, on standard output unless said otherwise. What goes in is chosen where it is logged (ids, codes, durations); this list is
 * the net below for what must never be there.
 */
export function makeLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    mixin: (line: object, _level: number, log: object) => ({ ...traceIds(), ...idsFor(line, log) }),
    onChild: (child: Logger) => void saidByChild.set(child, child.bindings()),
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['password', 'token', 'authorization', 'cookie', '*.password', '*.token', '*.authorization', '*.cookie'],
      censor: '[redacted]',
    },
    serializers: {
      // Ours come described already; the framework logs errors as they are.
      err: (problem: unknown) => (problem instanceof Error ? describeProblem(problem) : problem),
    },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** The log of a command, whose answer stands alone on standard output for whoever reads it. */
export const logBeside = ({ logLevel }: { logLevel: string }): ProgramLog => makeLog(logLevel, process.stderr)

const saidByChild = new WeakMap<object, Record<string, unknown>>()

/** The ids of what is under way, without those that the line or its logger says: pino would write a name twice. */
function idsFor(line: object, log: object): Record<string, string> {
  const said: Record<string, unknown> = { ...saidByChild.get(log), ...line }
  const added: Record<string, string> = {}
  for (const [name, id] of Object.entries(underWay() ?? {})) {
    if (said[name] === undefined) added[name] = id
    // About another request or workspace: written in the midst of this one, and no part of it.
    else if (said[name] !== id) return {}
  }
  return added
}

/** A fault for the log: its kind, message and stack, without the values that drivers like to attach (rows, parameters). */
export function describeProblem(problem: unknown): Record<string, unknown> {
  if (!(problem instanceof Error)) return { kind: typeof problem }
  const code = 'code' in problem ? problem.code : undefined
  const told = { message: problem.message, stack: problem.stack }
  // A database that cannot read a value quotes it, and the value may be anybody's.
  const isAboutValue = typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code)
  const withoutValue = (text: string | undefined) => (isAboutValue ? text?.replace(/"[^"]*"/g, '"…"') : text)
  return { kind: problem.name, code, message: withoutValue(told.message), stack: withoutValue(told.stack) }
}
