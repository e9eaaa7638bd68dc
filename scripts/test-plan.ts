import { existsSync, globSync, readFileSync } from 'node:fs'

export type Plan =
  | { kind: 'all' | 'most' | 'fast'; tests: string[]; journeys: string[] }
  | { kind: 'files'; tests: string[]; journeys: string[] }
  | { kind: 'faults' }

export const usage = `Usage: npm test                     every check, with the browser journeys
       npm run check               the fast half: no journeys, no *.slow.test.ts
       npm test -- --most          every check but the longest, and of each screen one state, for a machine that may take ninety
                                   minutes and no more
       npm run test:faults         plants each fault and shows that the tests turn red
       npm test -- file.test.ts …  only these files`

export class UsageError extends Error {}

const folders = ['server', 'contract', 'simulators', 'web', 'demo', 'scripts', 'bench', 'journeys']

/** What takes longest: each of them is asked of the whole product, and walks where shorter ones have been. */
export const longest = [
  'journeys/everybody-on-a-phone.journey.ts',
  'server/worst-texts-kept.slow.test.ts',
  'server/worst-texts.slow.test.ts',
]

export function planTests(args: string[], root: string): Plan {
  const [first] = args
  if (first === undefined) return { kind: 'all', tests: findTests(root), journeys: findJourneys(root) }
  if (args.length === 1 && first === '--most')
    return {
      kind: 'most',
      tests: findTests(root).filter(isNotLongest),
      journeys: findJourneys(root).filter(isNotLongest),
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

const isNotLongest = (file: string) => !longest.includes(file)
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
