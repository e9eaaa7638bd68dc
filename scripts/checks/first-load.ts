import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

export const built = join(dirname(dirname(import.meta.dirname)), 'web', 'dist')

type Chunk = { file: string; css?: string[]; imports?: string[]; isDynamicEntry?: boolean }
type Manifest = Record<string, Chunk>

/** The sources that a screen needs before it appears. */
const member = ['portal/index.html']
const staff = ['desk/index.html', 'desk/shell/shell.tsx']

/**
 * Limits slightly above the current values: compressed bytes of script, and files of script and style, each of which is
 * a request. The demo's sign-ins load later and are not part of a brokerage's screen.
 */
export const firstLoads = {
  login: { sources: ['portal/sign-in.html'], bytesMax: 108_500, filesMax: 7 },
  /** The screen after a member's sign-in. */
  home: { sources: [...member, 'portal/pages/home-page.tsx'], bytesMax: 180_000, filesMax: 11 },
  accounts: { sources: [...member, 'portal/pages/accounts-page.tsx'], bytesMax: 189_500, filesMax: 17 },
  deposit: { sources: [...member, 'portal/pages/deposit-page.tsx'], bytesMax: 284_500, filesMax: 20 },
  transactions: { sources: [...member, 'portal/pages/transactions-page.tsx'], bytesMax: 193_000, filesMax: 17 },
  'desk sign-in': { sources: ['desk/index.html'], bytesMax: 177_500, filesMax: 11 },
  /** The screen after a sign-in at the desk. */
  desk: { sources: [...staff, 'features/desk-deposits/deposits-page.tsx'], bytesMax: 289_500, filesMax: 20 },
} satisfies Record<string, { sources: string[]; bytesMax: number; filesMax: number }>

export const readManifest = (): Manifest =>
  JSON.parse(readFileSync(join(built, '.vite', 'manifest.json'), 'utf8')) as Manifest

/** The files that these sources load immediately: their own and their static imports, without dynamic ones. */
export function filesOf(sources: string[], manifest: Manifest): string[] {
  const visited = new Set<string>()
  const found = new Set<string>()
  const visit = (name: string): void => {
    const chunk = manifest[name]
    if (!chunk) throw new Error(`The build has no ${name}`)
    if (visited.has(name)) return
    visited.add(name)
    for (const file of [chunk.file, ...(chunk.css ?? [])]) found.add(file)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const source of sources) visit(source)
  return [...found]
}

export function countLoad(sources: string[], manifest = readManifest()): { bytes: number; files: number } {
  const files = filesOf(sources, manifest)
  const sizes = files
    .filter((file) => file.endsWith('.js'))
    .map((file) => gzipSync(readFileSync(join(built, file)), { level: 9 }).length)
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), files: files.length }
}

if (import.meta.main) {
  for (const [name, { sources, bytesMax, filesMax }] of Object.entries(firstLoads)) {
    const { bytes, files } = countLoad(sources)
    const counted = [bytes, bytesMax].map((count) => count.toLocaleString('en'))
    console.log(
      `  ${name.padEnd(12)} ${counted[0]} bytes of gzipped script (bar ${counted[1]}) in ${files} files with its styles (bar ${filesMax})`,
    )
  }
}
