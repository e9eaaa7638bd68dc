import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { judgeStatements } from '../server/testing/confined-statements.ts'
import { loggingStatements, readStatements } from '../server/testing/statement-log.ts'
import { checkLockfile } from './lockfile.ts'
import { searchRepository } from './secrets.ts'
import { SetUpProblem, setUp } from './setup.js'
import { openTestDatabase } from './test-database.ts'
import { findOnly, type Plan, planTests, UsageError } from './test-plan.ts'
import type { Result } from './test-reporter.ts'
import { closingLines, isGreen } from './test-result.ts'

const root = dirname(import.meta.dirname)
const total: Result = { passed: 0, failed: 0, skipped: 0, reds: [] }
const running = new Set<ChildProcess>()
/** Where ninety minutes are all there is: whatever is begun by then has ended when they are over. */
const journeysBeginUntilMs = 75 * 60_000
let interrupted = false

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interrupted = true
    for (const child of running) child.kill('SIGTERM')
  })
}

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]) {
  try {
    await carryOut(planTests(args, root))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(error.message)
    return 2
  }
  if (interrupted) console.log('Interrupted: what is counted below is not the whole run.')
  console.log(closingLines(total))
  return isGreen(total) && !interrupted ? 0 : 1
}

async function carryOut(plan: Plan) {
  if (plan.kind !== 'faults' && plan.kind !== 'files') await checkSources()
  if (plan.kind !== 'faults' && (plan.kind !== 'files' || plan.journeys.length > 0)) await step('web build', buildWeb)
  await step('no .only', () => {
    const files = plan.kind === 'faults' ? [] : findOnly([...plan.tests, ...plan.journeys], root)
    return { ok: files.length === 0, output: files.join('\n') }
  })
  if (interrupted) return
  const { ATRIUM_TEST_STATEMENTS: watched } = process.env
  const database = await openTestDatabase(process.env.DATABASE_URL, watched ? loggingStatements : {})
  try {
    const env = { ...(plan.kind === 'most' && { ATRIUM_TEST_SCREENS: 'one' }), ...testEnvironment(database.url) }
    if (plan.kind === 'faults') return await runFaults(env)
    await runTests('tests', plan.tests, { env, concurrency: 2 })
    const beginsUntilMs = plan.kind === 'most' ? journeysBeginUntilMs : undefined
    await runTests('journeys', plan.journeys, { env, concurrency: 2, beginsUntilMs })
    if (plan.kind === 'all' || plan.kind === 'most')
      for (const { lacks, files } of plan.notHere)
        console.log(`  not run, since ${lacks} is not here: ${files.join(' ')}`)
    if (watched) await step('statements say their workspace', () => checkStatements(database.url))
  } finally {
    await database.close()
  }
}

async function checkSources() {
  await step('lockfile', () => {
    const problems = checkLockfile(root)
    return { ok: problems.length === 0, output: problems.join('\n') }
  })
  await step('secrets', () => {
    const problems = searchRepository(root)
    return { ok: problems.length === 0, output: problems.join('\n') }
  })
  await step('types (server)', () => runBin('tsc', ['-p', 'tsconfig.json']))
  await step('types (web)', () => runBin('tsc', ['-p', 'web/tsconfig.json']))
  await step('lint', () => runBin('biome', ['ci', '--colors=off', '--error-on-warnings']))
  await step('dead code', () => runBin('knip', ['--no-progress', '--no-config-hints']))
  if (existsSync(join(root, 'scripts/generate.ts')))
    await step('generated files', () => run(process.execPath, ['scripts/generate.ts', '--check']))
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
  total[ok ? 'passed' : 'failed'] += 1
  if (!ok) total.reds.push(name)
  console.log(`${ok ? '✔' : '✖'} ${name}  ${seconds(start)}`)
  if (!ok) console.log(output.trim().replace(/^/gm, '    '))
}

type Way = { env: NodeJS.ProcessEnv; concurrency: number; beginsUntilMs?: number | undefined }

async function runTests(name: string, files: string[], { env, concurrency, beginsUntilMs }: Way) {
  if (files.length === 0 || interrupted) return
  const start = performance.now()
  console.log(`${name} (${files.length} files)`)
  const before = total.failed + total.skipped
  if (beginsUntilMs === undefined) await runFiles(files, { env, concurrency })
  else {
    const waiting = [...files]
    const mayBegin = () => !interrupted && performance.now() < beginsUntilMs
    const lane = async () => {
      while (waiting.length > 0 && mayBegin()) await runFiles(waiting.splice(0, 1), { env, concurrency: 1 })
    }
    await Promise.all(Array.from({ length: concurrency }, lane))
    if (waiting.length > 0) console.log(`  not begun, since the time is over: ${waiting.join(' ')}`)
  }
  console.log(`${total.failed + total.skipped === before ? '✔' : '✖'} ${name}  ${seconds(start)}`)
}

async function runFiles(files: string[], { env, concurrency }: Way) {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-counts-'))
  const countsFile = join(folder, 'counts.json')
  const limits = [`--test-concurrency=${concurrency}`, '--test-timeout=300000'] // Of each test; a file may take longer.
  const args = ['--test', '--test-reporter=./scripts/test-reporter.ts', '--test-reporter-destination=stdout', ...limits]
  const { ok } = await run(process.execPath, [...args, ...files], { ...env, ATRIUM_TEST_COUNTS: countsFile }, 'inherit')
  const counts = readResult(countsFile)
  rmSync(folder, { recursive: true })
  total.passed += counts.passed
  // The runner's exit code has the last word: it also knows of files that broke outside any test.
  total.failed += ok ? counts.failed : Math.max(counts.failed, 1)
  total.skipped += counts.skipped
  total.reds.push(...counts.reds)
}

function readResult(file: string): Result {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Result
  return { passed: 0, failed: 1, skipped: 0, reds: ['the runner left no result'] }
}

async function runFaults(env: NodeJS.ProcessEnv) {
  await step('planted faults', () => run(process.execPath, ['scripts/faults.ts'], env, 'inherit'))
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

function run(
  command: string,
  args: string[],
  env = process.env,
  output: 'pipe' | 'inherit' = 'pipe',
): Promise<Outcome> {
  return new Promise((done, fail) => {
    const shell = process.platform === 'win32' && command !== process.execPath
    const child = spawn(command, args, { cwd: root, env, shell, stdio: ['ignore', output, output] })
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

/** The user's own settings must not decide a test: only what the tests need is passed on. */
function testEnvironment(url: string): NodeJS.ProcessEnv {
  const ours =
    /^(ATRIUM_|DATABASE_|GIT_|METRICS_|S3_|SMTP_|PG)|^(PORT|HOST|NODE_ENV|NODE_TEST_CONTEXT|LOG_LEVEL|TRUSTED_PROXIES|CALLS_PER_MINUTE|PUBLIC_URL|MAIL_FROM)$/
  const rest = Object.entries(process.env).filter(([name]) => !ours.test(name))
  // Asked for by name (CONTRIBUTING.md): on other programs, in other surroundings, for longer.
  const asked = Object.entries(process.env).filter(([name]) => name.startsWith('ATRIUM_TEST_'))
  return { ...Object.fromEntries([...rest, ...asked]), NODE_ENV: 'test', ATRIUM_TEST_DATABASE_URL: url }
}

function seconds(start: number) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`
}
