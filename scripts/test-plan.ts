import { existsSync, globSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { findFirefox } from '../journeys/firefox-program.ts'
import { hasHistory } from '../tests/upgrade/older-code.ts'

export type Plan = WholePlan | { kind: 'fast' | 'files'; tests: string[]; journeys: string[] } | { kind: 'faults' }

type WholePlan = {
  kind: 'all' | 'most'
  tests: string[]
  journeys: string[]
  notHere: NotHere[]
  leavesOutProven?: true
}

/** What is not run since the machine lacks something, which is said. */
export type NotHere = { lacks: string; files: string[] }

export const usage = `Usage: npm test                     every check, with the browser journeys
       npm run check               the fast half: no journeys, no *.slow.test.ts
       npm test -- --most          the fast half, some slow tests of money and of sign-in, and the journeys but the longest, with one
                                   state of each screen; after 75 minutes no further journey is begun, and the rest is named
       npm run test:all            every check, but what was green with the same files before; -- --fresh repeats that too, and
                                   -- --shard 2/6 takes the second of six parts
       npm run test:faults         plants each fault and shows that the tests turn red
       npm test -- WHAT …          only these: a file, a folder, or words that all stand in a file's path ("withdrawal decision")`

export class UsageError extends Error {}

const folders = ['server', 'contract', 'simulators', 'web', 'demo', 'scripts', 'bench', 'journeys', 'tests']

/** Every screen in every state: what is seen of each at the width of a laptop is left to ninety minutes. */
export const longestJourney = 'journeys/everybody-on-a-phone.journey.ts'

/** Begun before the others, since two go on at a time and these would be alone at the end. */
const longJourneys = ['journeys/worst-names.journey.ts', 'journeys/everybody-on-a-laptop.journey.ts']

/**
 * The slow ones that show that what was paid is credited once, whoever is killed when, that nobody takes more than there is, and
 * that nobody guesses a sign-in. Other kills and everything about several machines is run by hand.
 */
export const neverLeftOut = [
  'server/funding/killed.slow.test.ts',
  'server/funding/overdraw.slow.test.ts',
  'server/payment-providers/killed.slow.test.ts',
  'server/sessions/guessing.slow.test.ts',
]

/** They take the code of the version before out of the history, which an archive or a shallow clone does not have. */
export const ofHistory = ['tests/upgrade/two-versions.slow.test.ts']

/** They drive the Firefox of the machine, since npm brings none. */
export const ofFirefox = ['journeys/member-in-firefox.journey.ts']

export function planTests(args: string[], root: string, env = process.env): Plan {
  const [first, ...rest] = args
  const everything = (): Wanted => ({ kind: 'all', tests: findTests(root), journeys: findJourneys(root) })
  if (first === undefined) return whatIsHere(everything(), root, env)
  if (first === '--all') return planAll(everything(), rest, root, env)
  if (first.startsWith('-') && rest.length > 0) throw new UsageError(`${first} stands alone\n\n${usage}`)
  if (first === '--most') {
    const tests = findTests(root).filter((file) => isFast(file) || neverLeftOut.includes(file))
    const journeys = longFirst(findJourneys(root).filter((file) => file !== longestJourney))
    return whatIsHere({ kind: 'most', tests, journeys }, root, env)
  }
  if (first === '--fast') return { kind: 'fast', tests: findTests(root).filter(isFast), journeys: [] }
  if (first === '--faults') return { kind: 'faults' }
  return planNamed(args, root)
}

function planAll(everything: Wanted, args: string[], root: string, env: NodeJS.ProcessEnv): Plan {
  const { fresh = false, shard } = readOptions(args)
  const { kind, tests, journeys } = everything
  const isOurs = readShard(shard)
  const wanted = { kind, tests: tests.filter(isOurs), journeys: journeys.filter(isOurs) }
  return { ...whatIsHere(wanted, root, env), ...(!fresh && { leavesOutProven: true }) }
}

function readOptions(args: string[]): { fresh?: boolean | undefined; shard?: string | undefined } {
  try {
    return parseArgs({ args, options: { fresh: { type: 'boolean' }, shard: { type: 'string' } } }).values
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  }
}

/** Each file belongs to one of so many parts, by its place in the list. */
function readShard(text = '1/1'): (file: string, index: number) => boolean {
  const [, part = 0, parts = 0] = /^(\d{1,3})\/(\d{1,3})$/.exec(text)?.map(Number) ?? []
  if (part < 1 || part > parts) throw new UsageError(`--shard ${text}: for example 2/6\n\n${usage}`)
  return (_file, index) => index % parts === part - 1
}

/** A file, a folder, or words of a path; each argument adds what it names. */
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
  const isJourney = (file: string) => file.endsWith('.journey.ts')
  const files = [...new Set(named)]
  return { kind: 'files', tests: files.filter((file) => !isJourney(file)), journeys: files.filter(isJourney) }
}

type Wanted = { kind: 'all' | 'most'; tests: string[]; journeys: string[] }

function whatIsHere({ kind, tests, journeys }: Wanted, root: string, env: NodeJS.ProcessEnv): WholePlan {
  const lacking = [
    { lacks: 'the history of the repository', files: hasHistory(root) ? [] : ofHistory },
    { lacks: 'Firefox', files: findFirefox(env) ? [] : ofFirefox },
  ]
  const wanted = [...tests, ...journeys]
  const notHere = lacking
    .map(({ lacks, files }) => ({ lacks, files: files.filter((file) => wanted.includes(file)) }))
    .filter(({ files }) => files.length > 0)
  const isHere = (file: string) => lacking.every(({ files }) => !files.includes(file))
  return { kind, tests: tests.filter(isHere), journeys: journeys.filter(isHere), notHere }
}

const longFirst = (journeys: string[]) => journeys.toSorted((a, b) => longJourneys.indexOf(b) - longJourneys.indexOf(a))
const isFast = (file: string) => !file.endsWith('.slow.test.ts')

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

/** A forgotten `.only` changes nothing in how node runs the files, and silently everything under a test runner flag. */
export function findOnly(files: string[], root: string) {
  const only = /\b(?:test|it|describe|suite)\.only\(|\bonly: true\b/
  return files.filter((file) => only.test(readFileSync(`${root}/${file}`, 'utf8')))
}

/** Sets what the whole process reports its traces to, once for ever. */
const changesItsProcess = ['server/foundation/tracing.test.ts']

/** What ends processes, measures one or changes it for good; and each journey, which has a server and a browser of its own. */
export function isAlone(file: string) {
  return file.endsWith('.slow.test.ts') || file.endsWith('.journey.ts') || changesItsProcess.includes(file)
}
