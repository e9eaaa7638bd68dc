import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

const built = join(dirname(import.meta.dirname), 'web', 'dist')

type Chunk = { file: string; imports?: string[]; isDynamicEntry?: boolean }
type Manifest = Record<string, Chunk>

/** What has to be there before a screen can be seen, by the sources that bring it. */
export const firstLoads = {
  /** The demo's own sign-ins come later and are no part of a brokerage's screen. */
  login: ['portal/index.html'],
  /** The frame of a signed-in member with the screen that a sign-in leads to. */
  home: ['portal/index.html', 'portal/shell/shell.tsx', 'portal/home-page.tsx', 'features/session/load-session.ts'],
  desk: ['desk/index.html'],
  deposits: [
    'desk/index.html',
    'desk/shell/shell.tsx',
    'desk/deposits-page.tsx',
    'features/desk-session/load-desk-user.ts',
  ],
} satisfies Record<string, string[]>

/** The bar of the sign-in page: bytes of script as they travel. */
export const loginBytesMax = 167_000

/** Each file is a request, of which a browser sends six at a time. */
export const scriptsMax = { login: 8, home: 20, deposits: 20 } satisfies Partial<
  Record<keyof typeof firstLoads, number>
>

export const readManifest = (): Manifest =>
  JSON.parse(readFileSync(join(built, '.vite', 'manifest.json'), 'utf8')) as Manifest

/** Every script that these sources need at once: theirs and what they import, but not what they may fetch later. */
export function scriptsOf(sources: string[], manifest: Manifest): string[] {
  const found = new Map<string, string>()
  const visit = (name: string): void => {
    const chunk = manifest[name]
    if (!chunk) throw new Error(`The build knows no ${name}`)
    if (found.has(name)) return
    found.set(name, chunk.file)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const source of sources) visit(source)
  return [...found.values()]
}

export function countBytes(sources: string[]): number {
  const manifest = readManifest()
  const sizes = scriptsOf(sources, manifest).map(
    (file) => gzipSync(readFileSync(join(built, file)), { level: 9 }).length,
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

if (import.meta.main) {
  for (const [name, sources] of Object.entries(firstLoads))
    console.log(`  ${name.padEnd(6)} ${countBytes(sources).toLocaleString('en')} bytes of gzipped script`)
  console.log(`  The bar for login is ${loginBytesMax.toLocaleString('en')}.`)
}
