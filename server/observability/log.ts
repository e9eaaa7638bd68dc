import { type DestinationStream, type Logger, pino } from 'pino'
import { logContext } from './log-context.ts'
import { traceIds } from './tracing.ts'

/** The complete logger, used by the framework too. */
export type ProgramLog = ReturnType<typeof makeLog>

/**
 * Structured lines, on standard output by default. Callers choose what they log (ids, codes, durations); the redaction
 * list is a safety net for secrets.
 */
export function makeLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    mixin: (line: object, _level: number, log: Logger) => ({ ...traceIds(), ...idsFor(line, log) }),
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['password', 'token', 'authorization', 'cookie', '*.password', '*.token', '*.authorization', '*.cookie'],
      censor: '[redacted]',
    },
    serializers: {
      // Our errors are described already; the framework logs plain ones.
      err: (problem: unknown) => (problem instanceof Error ? describeProblem(problem) : problem),
    },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** The log of a command, on standard error, since its result is alone on standard output. */
export const logBeside = ({ logLevel }: { logLevel: string }): ProgramLog => makeLog(logLevel, process.stderr)

const saidByLogger = new WeakMap<Logger, Record<string, unknown>>()

/** Read with the first line only, since most loggers write none. */
function saidBy(log: Logger): Record<string, unknown> {
  const said = saidByLogger.get(log) ?? log.bindings()
  saidByLogger.set(log, said)
  return said
}

/** The ids of the current request or job, without those the line or its logger has: pino would write them twice. */
function idsFor(line: object, log: Logger): Record<string, string> {
  const said: Record<string, unknown> = { ...saidBy(log), ...line }
  const added: Record<string, string> = {}
  for (const [name, id] of Object.entries(logContext() ?? {})) {
    if (said[name] === undefined) added[name] = id
    // The line is about another request or workspace, so these ids do not apply.
    else if (said[name] !== id) return {}
  }
  return added
}

/** An error for the log: kind, message and stack, without the rows and parameters that drivers attach. */
export function describeProblem(problem: unknown): Record<string, unknown> {
  if (!(problem instanceof Error)) return { kind: typeof problem }
  const code = 'code' in problem ? problem.code : undefined
  const texts = { message: problem.message, stack: problem.stack }
  // PostgreSQL quotes a value it cannot read, which may be personal data.
  const isAboutValue = typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code)
  const withoutValue = (text: string | undefined) => (isAboutValue ? text?.replace(/"[^"]*"/g, '"…"') : text)
  return { kind: problem.name, code, message: withoutValue(texts.message), stack: withoutValue(texts.stack) }
}
