import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import type { Reach } from '../testing/test-imports.ts'

/** A file with one guard removed, and the tests of its own domain that reach it. */
export type Mutant = { name: string; file: string; text: string; tests: string[] }

/** Folders where a missing guard loses money or grants access. */
export const guardedFolders = [
  'server/funding',
  'server/deposits',
  'server/withdrawals',
  'server/payments',
  'server/payment-providers',
  'server/money-decisions',
  'server/sessions',
]

/** Folders whose tests also cover another folder: the adapters' test kit runs the payment engine end to end. */
const provenBeside: Record<string, readonly string[]> = {
  'server/payments': ['server/payment-providers'],
  'server/funding': ['server/deposits', 'server/withdrawals'],
  'server/deposits': ['server/funding'],
  'server/withdrawals': ['server/funding'],
}

export function filesToMutate(root: string, folders: readonly string[] = guardedFolders): string[] {
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/(?:\.test|-tests?|generated|under-test|shared-fixture)\.ts$/.test(file))
    .sort()
}

type Span = { what: string; from: number; to: number }
type Rule = { what: string; line: RegExp; next?: RegExp }

const leaves = String.raw`(?:return\b|throw\b|(?:await )?refuse\w*\()`
/** Matches whole lines as the formatter writes them; statements over several lines are skipped otherwise. */
const rules: readonly Rule[] = [
  { what: 'guard', line: new RegExp(String.raw`^\s*if \(.*\) ${leaves}.*[^{([,]$`) },
  { what: 'guard', line: /^\s*if \(.*\)$/, next: new RegExp(String.raw`^\s*${leaves}.*[^{([,]$`) },
  { what: 'workspace', line: /^\s*\.where\('(?:\w+\.)?workspace_id',.*\)$/ },
  { what: 'member', line: /^\s*\.where\('(?:\w+\.)?member_id',.*\)$/ },
  { what: 'lock', line: /^\s*\.forUpdate\(.*\)$/ },
  { what: 'lock', line: /^\s*await (?:lock|hold)\w+\(.*\)$/ },
]

/** One mutant for each guard, lock and condition of a file. */
export function mutantsOf(root: string, file: string, testsOf: (file: string) => string[]): Mutant[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  const tests = testsOf(file)
  return spansIn(lines).flatMap(({ what, from, to }) => {
    const text = lines.toSpliced(from, to - from).join('\n')
    if (!isParsed(text)) return []
    const line = lines.slice(from, to).map((each) => each.trim())
    return [{ name: `${file}:${from + 1} without its ${what}: ${line.join(' ')}`, file, text, tests }]
  })
}

function spansIn(lines: readonly string[]): Span[] {
  return lines.flatMap((line, at) => {
    for (const { what, line: shape, next } of rules) {
      if (!shape.test(line)) continue
      if (!next) return [{ what, from: at, to: at + 1 }]
      if (next.test(lines[at + 1] ?? '')) return [{ what, from: at, to: at + 2 }]
    }
    return []
  })
}

export function isParsed(text: string): boolean {
  try {
    stripTypeScriptTypes(text)
    return true
  } catch {
    return false
  }
}

/** The fast tests of one domain folder; the file's own test comes first, since it usually fails first. */
export function testsReaching(root: string, reach: Reach): (file: string) => string[] {
  const kept = new Map<string, { test: string; reached: ReadonlySet<string> }[]>()
  const testsIn = (folder: string) => {
    const found = kept.get(folder) ?? listTests(root, folder).map((test) => ({ test, reached: reachedBy(reach, test) }))
    kept.set(folder, found)
    return found
  }
  return (file) => {
    const folder = file.split('/').slice(0, 2).join('/')
    const tests = [folder, ...(provenBeside[folder] ?? [])].flatMap(testsIn)
    const reaching = tests.flatMap(({ test, reached }) => (reached.has(file) ? [test] : []))
    const stem = file.replace(/\.ts$/, '')
    return reaching.toSorted((one, other) => Number(other.startsWith(stem)) - Number(one.startsWith(stem)))
  }
}

const reachedBy = (reach: Reach, test: string): ReadonlySet<string> => new Set(reach.reachedFrom(test))

const listTests = (root: string, folder: string): string[] =>
  globSync(`${folder}/**/*.test.ts`, { cwd: root })
    .map((test) => test.replaceAll('\\', '/'))
    .filter((test) => !test.endsWith('.slow.test.ts'))
    .sort()

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
