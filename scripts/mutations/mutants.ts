import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reach } from '../testing/test-imports.ts'
import { apply, changesIn } from './mutator.ts'

/** A file with one change, and the tests that must fail on it. */
export type Mutant = { name: string; file: string; text: string; tests: string[] }

/** Where rules of money, access and tenancy are kept. */
export const guardedFolders = [
  'contract',
  'scripts/checks',
  'scripts/release',
  'server',
  'web/api',
  'web/features/desk-forms',
  'web/features/session',
  'web/forms',
]

/** Folders whose tests also cover another folder: the adapters' test kit runs the payment engine end to end. */
const provenBeside: Record<string, readonly string[]> = {
  'contract/access': ['tests/every-call'],
  server: ['server/graphql'],
  'server/deposits': ['server/funding'],
  'server/forms': ['server/requests'],
  'server/funding': ['server/deposits', 'server/withdrawals'],
  'server/http': ['server', 'tests/every-call'],
  'server/identity-vendors': ['server/documents'],
  'server/money-decisions': ['server/withdrawals'],
  'server/payments': ['server/payment-providers'],
  'server/requests': ['server/forms'],
  'server/withdrawals': ['server/funding'],
}

/** How many tests of other folders run, and how many imports they may be away. */
const otherTests = { max: 6, importsMax: 2 }

export function filesToMutate(root: string, folders: readonly string[] = guardedFolders): string[] {
  return listSources(root, folders)
    .filter(
      (file) => /\.ts$/.test(file) && !/(?:\.test|-tests?|generated|\.d|under-test|shared-fixture)\.ts$/.test(file),
    )
    .sort()
}

export function mutantsOf(root: string, file: string, testsOf: (file: string) => string[]): Mutant[] {
  const sound = readFileSync(join(root, file), 'utf8')
  const changes = changesIn(sound)
  const tests = changes.length > 0 ? testsOf(file) : []
  return changes.map((change) => {
    const raw = sound.slice(change.from, change.to)
    const removed = raw.trim()
    const line = sound.slice(0, change.from + raw.length - raw.trimStart().length).split('\n').length
    const isSmall = removed.length < 6 || ![';', ''].includes(change.put)
    const shown = (isSmall ? lineAt(sound, line) : removed).trim().replaceAll(/\s+/g, ' ')
    const name = `${file}:${line} ${change.what}: ${shown.length > 100 ? `${shown.slice(0, 100)}…` : shown}`
    return { name, file, text: apply(sound, change), tests }
  })
}

const lineAt = (text: string, line: number): string => text.split('\n')[line - 1] ?? ''

/**
 * The fast tests that reach a file: those of its folder, and a few of other folders that import it almost directly. Its own
 * test comes first and then the nearest, since they usually fail first.
 */
export function testsReaching(root: string, reach: Reach): (file: string) => string[] {
  let importers: Map<string, string[]> | undefined
  return (file) => {
    importers ??= readImporters(root, reach)
    const stem = file.replace(/\.ts$/, '')
    const folder = folderOf(file)
    // Folders of the contract have the names of the server's domains (decision 0078).
    const folders = [folder, folder.replace(/^contract\//, 'server/'), ...(provenBeside[folder] ?? [])]
    const tests = [...distances(importers, file)].filter(([test]) => isFastTest(test))
    const own = tests.filter(([test]) => folders.includes(folderOf(test)))
    const others = tests.filter((each) => each[1] <= otherTests.importsMax && !own.includes(each))
    return [...own, ...others.slice(0, otherTests.max)]
      .map(([test]) => test)
      .toSorted((one, other) => Number(other.startsWith(stem)) - Number(one.startsWith(stem)))
  }
}

const folderOf = (file: string): string => file.split('/').slice(0, -1).slice(0, 2).join('/')

const isFastTest = (file: string): boolean => /\.test\.tsx?$/.test(file) && !/\.slow\.test\./.test(file)

/** Every file that reaches this one, nearest first, with the number of imports in between. */
function distances(importers: ReadonlyMap<string, readonly string[]>, file: string): Map<string, number> {
  const found = new Map([[file, 0]])
  for (const [each, distance] of found)
    for (const next of importers.get(each) ?? []) if (!found.has(next)) found.set(next, distance + 1)
  return found
}

function readImporters(root: string, reach: Reach): Map<string, string[]> {
  const importers = new Map<string, string[]>()
  for (const file of listSources(root, ['contract', 'demo', 'scripts', 'server', 'simulators', 'tests', 'web']).sort())
    for (const imported of reach.importsOf(file)) importers.set(imported, [...(importers.get(imported) ?? []), file])
  return importers
}

const listSources = (root: string, folders: readonly string[]): string[] =>
  folders
    .flatMap((folder) =>
      globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] }),
    )
    .map((file) => file.replaceAll('\\', '/'))

/** Mulberry32, a deterministic generator. */
export function randomBySeed(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Draws `count` distinct items. */
export function draw<Item>(from: readonly Item[], count: number, next: () => number): Item[] {
  const left = [...from]
  return Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(Math.floor(next() * left.length), 1),
  ).flat()
}
