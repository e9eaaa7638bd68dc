import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** The files that each source reaches: imports, and files and folders that it names. */
export type Reach = {
  /** Every file that this one reaches, including itself, relative to the root and sorted. */
  reachedFrom(file: string): readonly string[]
  /** The files that this one names itself. */
  importsOf(file: string): readonly string[]
  /** A digest that changes with every file that this one reaches. */
  digestOf(file: string): string
}

/** A change of one of these can affect every test. */
export const reachedByAll = ['package-lock.json', 'package.json', 'tsconfig.json', '.npmrc']

const imports = /(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g
const besides = /\bnew URL\(\s*'([^']+)',\s*import\.meta\.url\)/g
const joined = /\bimport\.meta\.dirname,\s*'([^']+)'/g
const source = /\.(?:tsx?|m?js)$/
const ownPackage = /^@atrium\/([^/]+)\/(.+)$/

export function openReach(root: string): Reach {
  const edges = new Map<string, readonly string[]>()
  const digests = new Map<string, string>()
  const trees = new Map<string, readonly string[]>()
  const edgesOf = (file: string) => keep(edges, file, () => readEdges(root, file))
  const digest = (file: string) => keep(digests, file, () => hash(readFileSync(join(root, file))))
  const everything = () => keep(trees, 'everything', () => listFiles(root, '.'))
  const product = () => keep(trees, 'product', () => everything().filter(isOfProduct))
  const reachedFrom = (file: string): readonly string[] => {
    if (file.endsWith('.journey.ts')) return [...new Set([...product(), ...reachedByImports(file)])].sort()
    if (readsTheTree(root, file)) return everything()
    return reachedByImports(file)
  }
  const reachedByImports = (file: string): readonly string[] => {
    const seen = new Set([file, ...reachedByAll.filter((path) => existsSync(join(root, path)))])
    for (const path of seen) for (const next of edgesOf(path)) seen.add(next)
    return [...seen].sort()
  }
  return {
    reachedFrom,
    importsOf: edgesOf,
    digestOf: (file) =>
      hash(
        reachedFrom(file)
          .map((path) => `${path} ${digest(path)}`)
          .join('\n'),
      ),
  }
}

/** The product as a journey uses it: the built web, its server, and the services that the server calls. */
const isOfProduct = (file: string) =>
  /^(?:contract|demo|server|simulators|web)\//.test(file) && !/\.(?:test\.tsx?|md)$/.test(file)

/** A repository check can read any file. */
function readsTheTree(root: string, file: string): boolean {
  if (file.startsWith('scripts/')) return true
  const text = readFileSync(join(root, file), 'utf8')
  return /\bglobSync\(|\breaddirSync\(|web\/dist|import\.meta\.dirname\b(?!,\s*')/.test(text)
}

function readEdges(root: string, file: string): readonly string[] {
  if (!source.test(file)) return []
  const text = readFileSync(join(root, file), 'utf8')
  const folder = dirname(join(root, file))
  const found: string[] = []
  for (const [, path = ''] of text.matchAll(imports)) {
    const own = ownPackage.exec(path)
    if (own) found.push(join(root, own[1] ?? '', own[2] ?? ''))
    else if (path.startsWith('.')) found.push(resolve(folder, path))
  }
  for (const pattern of [besides, joined])
    for (const [, path = ''] of text.matchAll(pattern)) found.push(resolve(folder, path))
  return found.flatMap((path) => listFiles(root, relative(root, path)))
}

/** All files of a named folder, unless it is a program folder that is named only for its path. */
function listFiles(root: string, path: string): readonly string[] {
  const whole = join(root, path)
  const found = statSync(whole, { throwIfNoEntry: false })
  if (!found) return []
  if (found.isFile()) return [path.replaceAll('\\', '/')]
  if (path !== '.' && existsSync(join(whole, 'package.json'))) return []
  const exclude = ['**/node_modules/**', '**/dist/**', '.git/**', 'data/**', 'pictures/**', 'release/**']
  return globSync(path === '.' ? '**/*' : `${path}/**/*`, { cwd: root, exclude, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
}

function keep<Value>(cache: Map<string, Value>, key: string, make: () => Value): Value {
  const found = cache.get(key)
  if (found !== undefined) return found
  const made = make()
  cache.set(key, made)
  return made
}

const hash = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')
