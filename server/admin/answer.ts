import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { version } from '../foundation/database/version.ts'
import { Refusal } from '../foundation/errors.ts'
import { withContext } from '../start.ts'
import { explainStart } from '../start-problem.ts'
import { Alarm, type Answer, type Command, countOf, type Options, optionNames, UsageProblem } from './command.ts'
import { commands, explain, isTopic, usage } from './commands.ts'
import { readSettings, withDatabase } from './database.ts'

export type Caller = {
  env: NodeJS.ProcessEnv
  /** The answer itself: standard output. */
  out(line: string): void
  /** Messages beside the answer: standard error. */
  err(line: string): void
}

/** Runs one command line. Exit codes: 0 done, 1 failed, 2 wrong call, 3 the check found a problem. */
export async function answerCommand(args: string[], { env, out, err }: Caller): Promise<number> {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  try {
    const options = {
      json: flag,
      help: flag,
      version: flag,
      role: text,
      reason: text,
      head: text,
      to: text,
      password: text,
    } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const isAsked = values.help || (positionals.length === 0 && !values.json)
    if (values.version || isAsked) {
      const shown = values.version ? version : help(positionals)
      out(values.json ? JSON.stringify(values.version ? { version } : { text: shown }) : shown)
      return 0
    }
    const command = commandOf(positionals)
    const answer = await run(command, positionals.slice(2), { ...values, to: fromCaller(values.to, env) }, env)
    const asJson = values.json ? JSON.stringify(answer) : null
    out(asJson ?? (command.isNested ? JSON.stringify(answer, null, 2) : describe(answer)))
    return 0
  } catch (problem) {
    // Parsing may have failed before --json was read, and a program that asked for JSON still gets JSON.
    if (args.includes('--json')) out(JSON.stringify(explainProblem(problem)))
    else err(explainProblem(problem).error)
    return problem instanceof Alarm ? 3 : isWrongCall(problem) ? 2 : 1
  }
}

function commandOf(typed: string[]): Command {
  const named = typed.slice(0, 2).join(' ')
  const command = commands.find(({ words }) => words === named)
  if (command) return command
  const what = named ? `Unknown command: ${named}.` : 'Enter a command.'
  throw new UsageProblem(`${what}\n\n${usage()}`)
}

/** Help about one command, about one topic, or about all commands. */
function help(typed: string[]): string {
  const [about, ...more] = typed
  if (about === undefined) return usage()
  return more.length === 0 && isTopic(about) ? usage(about) : explain(commandOf(typed))
}

/** npm runs scripts in the repository root and passes the caller's directory in INIT_CWD. */
function fromCaller(path: string | undefined, env: NodeJS.ProcessEnv): string | undefined {
  const { npm_lifecycle_event: script, INIT_CWD: caller } = env
  return path === undefined ? undefined : resolve((script === 'admin' && caller) || process.cwd(), path)
}

/** The JSON of a failed command. A refusal has the same code as in the server's API. */
function explainProblem(problem: unknown): { error: string; code: string; found?: Answer } {
  const error = explainStart(problem) ?? (problem instanceof Error ? problem.message : String(problem))
  if (problem instanceof Alarm) return { error, code: 'alarm', found: problem.found }
  if (problem instanceof Refusal) return { error, code: problem.code }
  return { error, code: isWrongCall(problem) ? 'wrong_call' : 'failed' }
}

/** Matches the error code too: Node throws the same error classes for problems other than a wrong option. */
function isWrongCall(problem: unknown): boolean {
  const code = problem instanceof Error && 'code' in problem ? String(problem.code) : ''
  const isInputRefused = problem instanceof Refusal && problem.code === 'invalid_input'
  return problem instanceof UsageProblem || isInputRefused || code.startsWith('ERR_PARSE_ARGS')
}

function run(command: Command, args: string[], options: Options, env: NodeJS.ProcessEnv): Promise<Answer> {
  const { min, max } = countOf(command)
  if (args.length < min || args.length > max || args.some((text) => text.trim() === ''))
    throw new UsageProblem(`Usage:\n\n${explain(command)}`)
  const unknown = optionNames.find((name) => options[name] !== undefined && !command.takes.includes(`--${name} `))
  if (unknown) throw new UsageProblem(`Unknown option: --${unknown}\n\n${explain(command)}`)
  if ('runWithout' in command) return command.runWithout(readSettings(env), args, options)
  return withDatabase(command, env, (place) => {
    if ('runBefore' in command) return command.runBefore(place, args, options)
    return withContext(place, (context) => command.run(context, args, options))
  })
}

function describe(answer: Answer): string {
  if (!Array.isArray(answer) && typeof answer.text === 'string') return answer.text
  const write = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value))
  const rows = Array.isArray(answer) ? answer : [answer]
  const lines = rows.map((row) =>
    Object.entries(row)
      .map(([name, value]) => `${name}: ${write(value)}`)
      .join('   '),
  )
  return lines.join('\n') || 'Nothing yet.'
}
