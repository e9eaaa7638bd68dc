import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An import of one file by another. Type imports do not exist at run time. */
export type Arrow = { from: string; to: string; names: 'types' | 'values' }

const parts = 'contract server web simulators demo scripts journeys bench tests'.split(' ')
const statement =
  /^(?:import|export)\s+(?<clause>[^'";]*?)\s*from\s*'(?<path>[^']+)'|^import\s*'(?<effect>[^']+)'|\bimport\(\s*'(?<later>[^']+)'\s*\)(?<type>\.[A-Z])?/gm

/** All source files, relative to the repository's root, sorted. */
export const sourcesOf = (root: string): readonly string[] => filesOf(root, parts, 'ts,tsx,js,css')

/** All migrations and texts, in the same way. */
export const documentsOf = (root: string): readonly string[] => filesOf(root, [...parts, 'docs'], 'sql,md')

const filesOf = (root: string, folders: readonly string[], endings: string): readonly string[] =>
  globSync(`{${folders.join(',')}}/**/*.{${endings}}`, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()

/** The imports of these files: static, type-only and dynamic ones. */
export function readArrows(root: string, files: readonly string[]): readonly Arrow[] {
  const known = new Set(files)
  return files.flatMap((from) => {
    const found = new Map<string, Arrow['names']>()
    for (const { groups = {} } of readFileSync(join(root, from), 'utf8').matchAll(statement)) {
      const to = resolve(from, groups.path ?? groups.effect ?? groups.later ?? '')
      if (!to || !known.has(to)) continue
      const isType = groups.type !== undefined || (groups.clause !== undefined && namesTypes(groups.clause))
      if (found.get(to) !== 'values') found.set(to, isType ? 'types' : 'values')
    }
    return [...found].map(([to, names]) => ({ from, to, names }))
  })
}

function namesTypes(clause: string): boolean {
  if (/^type\s/.test(clause)) return true
  const named = /^\{([^}]*)\}$/.exec(clause)?.[1]
  return named?.split(',').every((name) => !name.trim() || /^\s*type\s/.test(name)) ?? false
}

function resolve(from: string, path: string): string | null {
  const own = /^@atrium\/(.+)$/.exec(path)?.[1]
  if (own) return own
  return path.startsWith('.') ? join(from, '..', path).replaceAll('\\', '/') : null
}

/** The cycles (strongly connected components, by Tarjan), each with its names sorted. */
export function findCircles(arrows: readonly (readonly [string, string])[]): readonly (readonly string[])[] {
  const next = new Map<string, string[]>()
  for (const [from, to] of arrows) next.set(from, [...(next.get(from) ?? []), to])
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  const found: string[][] = []
  const visit = (name: string) => {
    const own = index.size
    index.set(name, own)
    let lowest = own
    open.push(name)
    for (const to of next.get(name) ?? []) {
      if (!index.has(to)) visit(to)
      if (open.includes(to)) lowest = Math.min(lowest, low.get(to) ?? index.get(to) ?? own)
    }
    low.set(name, lowest)
    if (lowest !== own) return
    const circle = open.splice(open.indexOf(name))
    if (circle.length > 1) found.push(circle.sort())
  }
  for (const name of [...next.keys()].sort()) if (!index.has(name)) visit(name)
  return found.sort((a, b) => String(a[0]).localeCompare(String(b[0])))
}
