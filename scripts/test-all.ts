import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { judgeStatements } from '../tests/catalogue/confined-statements.ts'
import { loggingStatements, readStatements } from '../tests/catalogue/statement-log.ts'
import { checkLockfile } from './lockfile.ts'
import { searchRepository } from './secrets.ts'
import { SetUpProblem, setUp } from './setup.js'
import { openTestDatabase } from './test-database.ts'
import { openReach } from './test-imports.ts'
import { openLedger } from './test-ledger.ts'
import { findOnly, isAlone, type Plan, planTests, UsageError } from './test-plan.ts'
import { type FileReport, runPool } from './test-pool.ts'
import type { Result } from './test-reporter.ts'
import { closingLines, isGreen, slowest } from './test-result.ts'

const root = dirname(import.meta.dirname)
const total: Result = { passed: 0, failed: 0, skipped: 0, reds: [] }
const reports: FileReport[] = []
/** Of the files whose proof is kept, as they were when the run began. */
const digests = new Map<string, string>()
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
    await carryOut(leaveOutProven(planTests(args, root)))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(error.message)
    return 2
  }
  if (interrupted) console.log('Interrupted: what is counted below is not the whole run.')
  console.log(slowest(reports))
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
    await runTests('tests', plan.tests, { env })
    const beginsUntilMs = plan.kind === 'most' ? journeysBeginUntilMs : undefined
    await runTests('journeys', plan.journeys, { env, beginsUntilMs })
    if (plan.kind === 'all' || plan.kind === 'most')
      for (const { lacks, files } of plan.notHere)
        console.log(`  not run, since ${lacks} is not here: ${files.join(' ')}`)
    if (watched) await step('statements say their workspace', () => checkStatements(database.url))
  } finally {
    await database.close()
  }
}

/** What was green with the same files shows nothing new. */
function leaveOutProven(plan: Plan): Plan {
  if (!('leavesOutProven' in plan)) return plan
  const [reach, ledger] = [openReach(root), openLedger(root)]
  let proven = 0
  const isOpen = (file: string) => {
    const digest = reach.digestOf(file)
    digests.set(file, digest)
    const passed = ledger.provenBefore(file, digest)
    proven += passed ?? 0
    return passed === null
  }
  const open = { tests: plan.tests.filter(isOpen), journeys: plan.journeys.filter(isOpen) }
  const left = plan.tests.length + plan.journeys.length - open.tests.length - open.journeys.length
  if (left > 0) console.log(`${left} files were green with what they reach as it is: ${proven} tests are not repeated`)
  return { ...plan, ...open }
}

function recordProof({ file, passed, failed, skipped }: FileReport) {
  const digest = digests.get(file)
  if (digest) openLedger(root).record(file, failed + skipped === 0 ? { digest, passed } : null)
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

type Way = { env: NodeJS.ProcessEnv; beginsUntilMs?: number | undefined }

async function runTests(name: string, files: string[], { env, beginsUntilMs = Number.POSITIVE_INFINITY }: Way) {
  if (files.length === 0 || interrupted) return
  const start = performance.now()
  console.log(`${name} (${files.length} files)`)
  const before = total.failed + total.skipped
  const left = await runPool(
    files.map((path) => ({ path, isAlone: isAlone(path) })),
    {
      cwd: root,
      env,
      lanes: 2,
      running,
      mayBegin: () => !interrupted && performance.now() < beginsUntilMs,
      onFile: count,
    },
  )
  if (left.length > 0 && !interrupted) console.log(`  not begun, since the time is over: ${left.join(' ')}`)
  console.log(`${total.failed + total.skipped === before ? '✔' : '✖'} ${name}  ${seconds(start)}`)
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
