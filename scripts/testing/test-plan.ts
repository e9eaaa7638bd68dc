import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { findFirefox } from '../../journeys/kit/firefox-program.ts'
import { asksForOwnServer } from '../../journeys/kit/own-server.ts'
import { hasHistory } from '../../tests/upgrade/older-code.ts'
import { openReach } from './test-imports.ts'

export type Plan = {
  kind: 'everyday' | 'checks' | 'affected' | 'all' | 'named'
  tests: string[]
  journeys: string[]
  notHere: NotHere[]
  /** Also runs the static checks: types, lint, dead code and others. */
  checksSources: boolean
  /** Leaves out files that passed with the same inputs. */
  leavesOutProven: boolean
  /** No file starts after this time; the run lists the ones that did not start. */
  minutes?: number
}

/** Files that cannot run because the machine lacks something; the run lists them. */
export type NotHere = { lacks: string; files: string[] }

export const usage = `Usage: npm test                     the everyday run: static checks, every fast test, the everyday journeys
       npm test -- WHAT …          only these: a file, a folder, or words of a file's path ("withdrawal decision")
       npm run check               the static checks alone
       npm run test:affected       the tests that the change since main can affect, with slow tests and all journeys;
                                   -- --since REF compares with another commit, --slow leaves out what npm test runs,
                                   --minutes 20 starts nothing after that, in the last third only tests of money and access,
                                   and fails if one of those is left
       npm run test:all            everything except files that passed with the same inputs; -- --fresh repeats these too,
                                   -- --shard 2/6 runs the second of six parts`

export class UsageError extends Error {}

const folders = ['server', 'contract', 'simulators', 'web', 'demo', 'scripts', 'bench', 'journeys', 'tests']

/** The most common tasks, and those about money and access; every other journey is in the slow tier. */
export const everydayJourneys = [
  'journeys/everybody/second-factor.journey.ts', // Sign-in with a password, an app, a recovery code and a passkey.
  'journeys/member/member-opens-an-account.journey.ts', // One account despite double clicks, and the unsaved guard.
  'journeys/member/member-pays-through-a-provider.journey.ts', // A deposit through the page of a provider.
  'journeys/member/member-withdraws.journey.ts', // A withdrawal: request, reservation, decision, payment.
  'journeys/member/member-withdraws-offline.journey.ts', // Sent once although the network fails in the middle.
  'journeys/staff/two-people-approve-a-deposit.journey.ts', // Money decisions: two people for a large amount, no self-approval.
  'journeys/member/member-proves-who-they-are.journey.ts', // Uploads, their review at the desk, and the notification.
  'journeys/member/member-asks-for-help.journey.ts', // A conversation between portal and desk without reloads.
  'journeys/member/member-answers-every-kind-of-field.journey.ts', // A request form with each kind of field.
  'journeys/member/member-keeps-the-profile-right.journey.ts', // Wrong fields, saving, and the unsaved guard.
  'journeys/member/member-exports-history.journey.ts', // Exports of a filtered list and a statement.
  'journeys/everybody/keyboard-alone.journey.ts', // A complete deposit by keyboard, at portal and desk.
  'journeys/everybody/every-screen-of-the-desk-1.journey.ts', // axe on one state of each screen.
  'journeys/everybody/every-screen-of-the-desk-2.journey.ts',
  'journeys/everybody/every-screen-of-the-portal-1.journey.ts', // The same; three files, so that each stays within the time limit.
  'journeys/everybody/every-screen-of-the-portal-2.journey.ts',
  'journeys/everybody/every-screen-of-the-portal-3.journey.ts',
]

/** One real SIGKILL per money path; the others are in the slow tier. */
export const everydaySlow = ['server/payments/killed-once.slow.test.ts']

/** They check out the previous version from the history, which archives and shallow clones do not have. */
export const ofHistory = ['tests/upgrade/two-versions.slow.test.ts']

/** They need an installed Firefox, since npm provides none. */
export const ofFirefox = ['journeys/member/member-in-firefox.journey.ts', 'journeys/staff/staff-in-firefox.journey.ts']

const guarded =
  /^(?:server\/(?:funding|deposits|withdrawals|payments|payment-providers|money-decisions|sessions|openings)|tests\/every-call)\//

/** Whether a test guards money or access and therefore must not be left out. */
export const isGuard = (file: string) => guarded.test(file)

/** A journey may take five minutes: only a test of money or access begins in the last third, so that the whole ends in time. */
export const minutesFor = (file: string | undefined, minutes: number): number =>
  file === undefined || isGuard(file) ? minutes : (minutes * 2) / 3

export function planTests(args: string[], root: string, env = process.env): Plan {
  const [first, ...rest] = args
  if (first === undefined) return whatIsHere(everyday(root), root, env)
  if (first === '--checks') return planAlone('checks', rest)
  if (first === '--all') return planAll(rest, root, env)
  if (first === '--affected') return planAffected(rest, root, env)
  return planNamed(args, root)
}

const whole = { notHere: [], checksSources: true, leavesOutProven: false }

function planAlone(kind: 'checks', rest: string[]): Plan {
  if (rest.length > 0) throw new UsageError(`--${kind} cannot be combined with other arguments\n\n${usage}`)
  return { ...whole, kind, tests: [], journeys: [] }
}

function everyday(root: string): Plan {
  const isToday = (file: string) => isFast(file) || everydaySlow.includes(file)
  const journeys = findJourneys(root).filter((file) => everydayJourneys.includes(file))
  return { ...whole, kind: 'everyday', tests: findTests(root).filter(isToday), journeys }
}

function planAll(args: string[], root: string, env: NodeJS.ProcessEnv): Plan {
  const { fresh = false, shard } = readOptions(args, { fresh: { type: 'boolean' }, shard: { type: 'string' } })
  const isOurs = readShard(shard as string | undefined)
  // Long files first: the last ones determine when the other workers are idle.
  const longFirst = findTests(root).toSorted((one, other) => Number(isFast(one)) - Number(isFast(other)))
  const [tests, journeys] = [longFirst.filter(isOurs), findJourneys(root).filter(isOurs)]
  return whatIsHere({ ...whole, kind: 'all', tests, journeys, leavesOutProven: !fresh }, root, env)
}

/** Tests of money and access come first, so that a time limit leaves out others. */
function planAffected(args: string[], root: string, env: NodeJS.ProcessEnv): Plan {
  const options = { since: { type: 'string' }, slow: { type: 'boolean' }, minutes: { type: 'string' } } as const
  const { since, slow = false, minutes } = readOptions(args, options)
  if (minutes !== undefined && !/^\d{1,3}$/.test(`${minutes}`))
    throw new UsageError(`--minutes ${minutes}: for example 20\n\n${usage}`)
  const changed = changedFiles(root, since as string | undefined)
  const reach = openReach(root)
  const isTouched = (file: string) => changed === null || reach.reachedFrom(file).some((path) => changed.has(path))
  const today = everyday(root)
  const isWanted = (file: string) => !slow || ![...today.tests, ...today.journeys].includes(file)
  const guardsFirst = (files: string[]) => [...files.filter(isGuard), ...files.filter((file) => !isGuard(file))]
  const wanted = (files: string[]) =>
    guardsFirst(files.filter((file) => !isWholeWalk(file) && isWanted(file) && isTouched(file)))
  const [tests, journeys] = [wanted(findTests(root)), wanted(findJourneys(root))]
  const plan: Plan = { ...whole, kind: 'affected', tests, journeys, checksSources: false }
  return whatIsHere({ ...plan, ...(minutes !== undefined && { minutes: Number(minutes) }) }, root, env)
}

/** Paths relative to the root. Null without a difference from main: then the change is unknown. */
function changedFiles(root: string, since: string | undefined): ReadonlySet<string> | null {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const lines = (text: string) => text.split('\n').filter((line) => line !== '')
  const mergeBase = (ref: string) => {
    try {
      return git('merge-base', 'HEAD', ref).trim()
    } catch {
      return null // No such commit, or no history.
    }
  }
  const base = since === undefined ? (mergeBase('origin/main') ?? mergeBase('main')) : mergeBase(since)
  if (base === null && since !== undefined) throw new UsageError(`--since ${since}: names no commit here`)
  if (base === null) return null
  const differing = lines(git('diff', '--name-only', '--no-renames', base))
  const changed = new Set([...differing, ...lines(git('ls-files', '--others', '--exclude-standard'))])
  return changed.size > 0 ? changed : null
}

function readOptions(
  args: string[],
  options: Record<string, { type: 'boolean' | 'string' }>,
): Record<string, string | boolean | undefined> {
  try {
    return parseArgs({ args, options }).values as Record<string, string | boolean | undefined>
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  }
}

/** Each file belongs to exactly one shard, by its position in the list. */
function readShard(text = '1/1'): (file: string, index: number) => boolean {
  const [, part = 0, parts = 0] = /^(\d{1,3})\/(\d{1,3})$/.exec(text)?.map(Number) ?? []
  if (part < 1 || part > parts) throw new UsageError(`--shard ${text}: for example 2/6\n\n${usage}`)
  return (_file, index) => index % parts === part - 1
}

/** Each argument adds a file, a folder, or all files whose path contains its words. */
function planNamed(args: string[], root: string): Plan {
  const all = [...findTests(root), ...findJourneys(root)]
  const named = args.flatMap((arg) => {
    const path = arg.replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/+$/, '')
    const isPlace = !arg.startsWith('-') && existsSync(`${root}/${path}`)
    const words = arg.toLowerCase().split(/\s+/)
    const found = isPlace
      ? all.filter((file) => file === path || file.startsWith(`${path}/`))
      : all.filter((file) => words.every((word) => file.toLowerCase().includes(word)))
    if (found.length > 0) return found
    throw new UsageError(`${arg}: ${arg.startsWith('-') ? 'unknown here' : 'names no test'}\n\n${usage}`)
  })
  const files = [...new Set(named)]
  const [tests, journeys] = [files.filter((file) => !isJourney(file)), files.filter(isJourney)]
  return { ...whole, kind: 'named', tests, journeys, checksSources: false }
}

function whatIsHere(plan: Plan, root: string, env: NodeJS.ProcessEnv): Plan {
  const lacking = [
    { lacks: 'the history of the repository', files: hasHistory(root) ? [] : ofHistory },
    { lacks: 'Firefox', files: findFirefox(env) ? [] : ofFirefox },
  ]
  const wanted = [...plan.tests, ...plan.journeys]
  const notHere = lacking
    .map(({ lacks, files }) => ({ lacks, files: files.filter((file) => wanted.includes(file)) }))
    .filter(({ files }) => files.length > 0)
  const isHere = (file: string) => lacking.every(({ files }) => !files.includes(file))
  return { ...plan, tests: plan.tests.filter(isHere), journeys: plan.journeys.filter(isHere), notHere }
}

const isJourney = (file: string) => file.endsWith('.journey.ts')
const isFast = (file: string) => !file.endsWith('.slow.test.ts') && !isWholeWalk(file)
/** The full product of calls and inputs takes twenty minutes of CPU time, so the everyday run uses a sample. */
const isWholeWalk = (file: string) => file.endsWith('.whole.test.ts')

function findTests(root: string) {
  return find(root, `{${folders.join(',')}}/**/*.test.{ts,tsx}`)
}

function findJourneys(root: string) {
  return find(root, 'journeys/**/*.journey.ts')
}

function find(root: string, pattern: string) {
  const exclude = ['**/node_modules/**', '**/dist/**']
  return globSync(pattern, { cwd: root, exclude })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
}

/** A forgotten `.only` has no effect without a test runner flag, and silently skips tests with one. */
export function findOnly(files: string[], root: string) {
  const only = /\b(?:test|it|describe|suite)\.only\(|\bonly: true\b/
  return files.filter((file) => only.test(readFileSync(`${root}/${file}`, 'utf8')))
}

/** Registers a global trace provider, which cannot be undone. */
const changesItsProcess = ['server/observability/tracing.test.ts']

/** Files that kill, measure or permanently change their process, and journeys with their own server. */
export function isAlone(file: string, root: string) {
  if (isJourney(file)) return asksForOwnServer(readFileSync(`${root}/${file}`, 'utf8'))
  return !isFast(file) || changesItsProcess.includes(file)
}
