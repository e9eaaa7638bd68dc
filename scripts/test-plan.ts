import { existsSync, globSync, readFileSync } from 'node:fs'
import { findFirefox } from '../journeys/firefox-program.ts'
import { hasHistory } from '../server/testing/older-code.ts'

export type Plan =
  | { kind: 'all' | 'most'; tests: string[]; journeys: string[]; notHere: NotHere[] }
  | { kind: 'fast' | 'files'; tests: string[]; journeys: string[] }
  | { kind: 'faults' }

/** What is not run since the machine lacks something, which is said. */
export type NotHere = { lacks: string; files: string[] }

export const usage = `Usage: npm test                     every check, with the browser journeys
       npm run check               the fast half: no journeys, no *.slow.test.ts
       npm test -- --most          the fast half, some slow tests of money and of sign-in, and the journeys but the longest, with one
                                   state of each screen; after 75 minutes no further journey is begun, and the rest is named
       npm run test:faults         plants each fault and shows that the tests turn red
       npm test -- file.test.ts …  only these files`

export class UsageError extends Error {}

const folders = ['server', 'contract', 'simulators', 'web', 'demo', 'scripts', 'bench', 'journeys']

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
export const ofHistory = ['server/two-versions.slow.test.ts']

/** They drive the Firefox of the machine, since npm brings none. */
export const ofFirefox = ['journeys/member-in-firefox.journey.ts']

export function planTests(args: string[], root: string, env = process.env): Plan {
  const [first] = args
  if (first === undefined)
    return whatIsHere({ kind: 'all', tests: findTests(root), journeys: findJourneys(root) }, root, env)
  if (args.length === 1 && first === '--most') {
    const tests = findTests(root).filter((file) => isFast(file) || neverLeftOut.includes(file))
    const journeys = longFirst(findJourneys(root).filter((file) => file !== longestJourney))
    return whatIsHere({ kind: 'most', tests, journeys }, root, env)
  }
  if (args.length === 1 && first === '--fast')
    return { kind: 'fast', tests: findTests(root).filter(isFast), journeys: [] }
  if (args.length === 1 && first === '--faults') return { kind: 'faults' }
  const refused = args.find((arg) => arg.startsWith('-') || !existsSync(`${root}/${arg}`))
  if (refused)
    throw new UsageError(`${refused}: ${refused.startsWith('-') ? 'unknown here' : 'no such file'}\n\n${usage}`)
  const isJourney = (file: string) => file.endsWith('.journey.ts')
  return { kind: 'files', tests: args.filter((file) => !isJourney(file)), journeys: args.filter(isJourney) }
}

type Wanted = { kind: 'all' | 'most'; tests: string[]; journeys: string[] }

function whatIsHere({ kind, tests, journeys }: Wanted, root: string, env: NodeJS.ProcessEnv): Plan {
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
