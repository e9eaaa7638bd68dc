import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { judgeStatements } from '../../tests/catalogue/confined-statements.ts'
import { loggingStatements, readStatements } from '../../tests/catalogue/statement-log.ts'
import { checkLockfile } from '../checks/lockfile.ts'
import { searchRepository } from '../checks/secrets.ts'
import { SetUpProblem, setUp } from '../setup.js'
import { usedByChildren } from './process-times.ts'
import { openTestRun, RunProblem, type TestRun } from './test-database.ts'
import { openReach, type Reach } from './test-imports.ts'
import { openLedger } from './test-ledger.ts'
import { findOnly, isAlone, isGuard, minutesFor, type Plan, planTests, UsageError } from './test-plan.ts'
import type { Result } from './test-pool.ts'
import { type FileReport, interrupt, runPool, type Step, type TestFile } from './test-pool.ts'
import { closingLines, isGreen, slowest, tooExpensive } from './test-result.ts'

const root = dirname(dirname(import.meta.dirname))
const total: Result = { passed: 0, failed: 0, skipped: 0, reds: [] }
const reports: FileReport[] = []
/** Input digests of the files in the ledger, computed at the start of the run. */
const digests = new Map<string, string>()
const running = new Set<ChildProcess>()
let interrupted = false
/** Tests spend a third of their time waiting: one worker more than there are cores keeps the cores busy. */
const workers = Math.min(8, availableParallelism() + 1)

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interrupted = true
    interrupt(running)
  })
}

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]) {
  const start = performance.now()
  try {
    await carryOut(leaveOutProven(planTests(args, root)))
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof RunProblem)) throw error
    console.error(error.message)
    return error instanceof UsageError ? 2 : 1
  }
  if (interrupted) console.log('Interrupted: the counts below are incomplete.')
  console.log(slowest(reports))
  console.log(`${seconds(start)} in all, ${(usedByChildren().cpuMs / 1000).toFixed(0)} s of a core`)
  console.log(closingLines(total))
  return isGreen(total) && !interrupted ? 0 : 1
}

async function carryOut(plan: Plan) {
  const files = [...plan.tests, ...plan.journeys]
  for (const file of findOnly(files, root)) fail(`${file} has a test that is marked as the only one`)
  if (interrupted) return
  const reach = openReach(root)
  const run = await openTestRun({
    given: process.env.DATABASE_URL,
    settings: process.env.ATRIUM_TEST_STATEMENTS ? loggingStatements : {},
    isNeeded: files.some((file) => needsDatabase(file, reach)),
  })
  try {
    await runAll(plan, run)
    for (const { lacks, files } of plan.notHere)
      console.log(`  not run, because ${lacks} is missing: ${files.join(' ')}`)
    if (plan.kind === 'everyday')
      for (const file of tooExpensive(reports)) fail(`${file} takes more than 15 seconds of a core`)
    if (process.env.ATRIUM_TEST_STATEMENTS)
      await step('statements name their workspace', () => checkStatements(run.url))
  } finally {
    await run.close()
  }
}

function needsDatabase(file: string, reach: Reach) {
  return reach.reachedFrom(file).includes('tests/fixtures/database/fresh-database.ts')
}

/**
 * Runs checks and tests in parallel. The web build comes first, since journeys need it, and journeys come before the
 * shorter tests; in a run with a time limit the tests of money and access come first.
 */
async function runAll(plan: Plan, run: TestRun) {
  const start = performance.now()
  const file = (path: string): TestFile => ({ path, isAlone: isAlone(path, root) })
  const build = plan.journeys.length > 0 || plan.checksSources ? once(() => step('web build', buildWeb)) : null
  const [tests, journeys] = [
    plan.tests.map(file),
    plan.journeys.map((path) => ({ ...file(path), ...(build && { prepare: build }) })),
  ]
  const env = testEnvironment(run)
  const work: (Step | TestFile)[] = [
    ...(build ? [{ run: build }] : []),
    ...(plan.checksSources ? sourceChecks(env) : []),
    ...(plan.kind === 'affected' ? [...tests, ...journeys] : [...journeys, ...tests]),
  ]
  const minutes = plan.minutes ?? Number.POSITIVE_INFINITY
  const left = await runPool(work, {
    cwd: root,
    env,
    workers,
    running,
    mayBegin: (path) => !interrupted && performance.now() - start < minutesFor(path, minutes) * 60_000,
    onFile: count,
  })
  if (left.length === 0 || interrupted) return
  console.log(`  not started within ${minutes} minutes: ${left.join(' ')}`)
  for (const each of left.filter(isGuard)) fail(`${each} guards money or access and was not started`)
}

/** Leaves out files that passed with the same inputs. */
function leaveOutProven(plan: Plan): Plan {
  if (plan.kind !== 'all') return plan
  const [reach, ledger] = [openReach(root), openLedger(root)]
  let proven = 0
  const isOpen = (file: string) => {
    const digest = reach.digestOf(file)
    digests.set(file, digest)
    const passed = plan.leavesOutProven ? ledger.provenBefore(file, digest) : null
    proven += passed ?? 0
    return passed === null
  }
  const open = { tests: plan.tests.filter(isOpen), journeys: plan.journeys.filter(isOpen) }
  const left = plan.tests.length + plan.journeys.length - open.tests.length - open.journeys.length
  if (left > 0) console.log(`${left} files passed with the same inputs: ${proven} tests are not repeated`)
  return { ...plan, ...open }
}

function recordProof({ file, passed, failed, skipped }: FileReport) {
  const digest = digests.get(file)
  if (digest) openLedger(root).record(file, failed + skipped === 0 ? { digest, passed } : null)
}

function sourceChecks(env: NodeJS.ProcessEnv): Step[] {
  const checks: [string, () => Outcome | Promise<Outcome>][] = [
    ['lockfile', () => saying(checkLockfile(root))],
    ['secrets', () => saying(searchRepository(root))],
    ['types (server)', () => checkTypes('tsconfig.json', 'server')],
    ['types (web)', () => checkTypes('web/tsconfig.json', 'web')],
    ['lint', () => runBin('biome', ['ci', '--colors=off', '--error-on-warnings'])],
    ['dead code', () => runBin('knip', ['--no-progress', '--no-config-hints'])],
    ['generated files', () => run(process.execPath, ['scripts/generate/generate.ts', '--check'], env)],
  ]
  return checks.map(([name, check]) => ({ run: () => step(name, check) }))
}

/**
 * The incremental check takes 5 CPU seconds instead of 30. A second checker would repeat much of the first one's work
 * and take half as much CPU time again.
 */
function checkTypes(project: string, name: string) {
  const buildInfo = join(root, 'node_modules', '.cache', 'atrium-tests', `types-${name}.tsbuildinfo`)
  return runBin('tsc', ['-p', project, '--incremental', '--checkers', '1', '--tsBuildInfoFile', buildInfo])
}

function saying(problems: string[]): Outcome {
  return { ok: problems.length === 0, output: problems.join('\n') }
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => (made ??= make())
}

async function buildWeb(): Promise<Outcome> {
  try {
    await setUp({ build: true })
    return { ok: true, output: '' }
  } catch (error) {
    if (!(error instanceof SetUpProblem)) throw error
    return { ok: false, output: error.message }
  }
}

type Outcome = { ok: boolean; output: string }

async function step(name: string, check: () => Outcome | Promise<Outcome>) {
  if (interrupted) return
  const start = performance.now()
  const { ok, output } = await check()
  total.passed += ok ? 1 : 0
  console.log(`${ok ? '✔' : '✖'} ${name}  ${seconds(start)}`)
  if (ok) return
  fail(name)
  console.log(output.trim().replace(/^/gm, '    '))
}

function fail(red: string) {
  total.failed += 1
  total.reds.push(red)
}

function count(report: FileReport) {
  const { file, passed, failed, skipped, reds, wallMs, cpuMs } = report
  reports.push(report)
  recordProof(report)
  total.passed += passed
  total.failed += failed
  total.skipped += skipped
  total.reds.push(...reds)
  const trouble = [failed && `${failed} failed`, skipped && `${skipped} skipped`].filter(Boolean).join(', ')
  const took = `${passed + failed + skipped} in ${(wallMs / 1000).toFixed(1)} s, ${(cpuMs / 1000).toFixed(1)} s of a core`
  console.log(`  ${trouble ? '✖' : '✔'} ${file}  ${took}${trouble && `: ${trouble}`}`)
}

async function checkStatements(url: string): Promise<Outcome> {
  const { statements, onTables, problems } = await judgeStatements(await readStatements(url))
  console.log(`${statements} different statements, ${onTables} of them on tables of workspaces`)
  return { ok: problems.length === 0 && onTables > 0, output: problems.join('\n') }
}

function runBin(name: string, args: string[]) {
  const PATH = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
  return run(name, args, { ...process.env, PATH, NO_COLOR: '1' })
}

function run(command: string, args: string[], env = process.env): Promise<Outcome> {
  return new Promise((done, fail) => {
    const shell = process.platform === 'win32' && command !== process.execPath
    const child = spawn(command, args, { cwd: root, env, shell, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += String(chunk)))
    child.once('error', fail)
    child.once('close', (code) => {
      running.delete(child)
      done({ ok: code === 0, output: text })
    })
  })
}

/** The user's own settings must not affect tests: only what the tests need is passed on. */
function testEnvironment({ url, temporary }: TestRun): NodeJS.ProcessEnv {
  const ours =
    /^(ATRIUM_|DATABASE_|GIT_|METRICS_|S3_|SMTP_|PG)|^(PORT|HOST|NODE_ENV|NODE_TEST_CONTEXT|LOG_LEVEL|TRUSTED_PROXIES|CALLS_PER_MINUTE|PUBLIC_URL|MAIL_FROM)$/
  const rest = Object.entries(process.env).filter(([name]) => !ours.test(name))
  // Set explicitly by the user (docs/developers/testing.md): other programs, environments or longer runs.
  const asked = Object.entries(process.env).filter(([name]) => name.startsWith('ATRIUM_TEST_'))
  const places = { TMPDIR: temporary, ...(url && { ATRIUM_TEST_DATABASE_URL: url }) }
  return { ...Object.fromEntries([...rest, ...asked]), NODE_ENV: 'test', ...places }
}

function seconds(start: number) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`
}
