import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setUp } from '../../scripts/setup.js'
import { lastMigrationBefore } from './version-before.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** The npm scope of the repository's own packages. */
const own = '@atrium'

export type OlderCode = { commit: string; folder: string; remove(): void }

/**
 * The commit whose code may run beside this one: the previous release, or before the first release the first commit with the
 * previous version's last migration. Null without full history: an archive, a shallow clone.
 */
export function commitBefore(): string | null {
  const given = process.env.ATRIUM_TEST_UPGRADE_FROM
  if (given) return readGit('rev-parse', '--verify', `${given}^{commit}`)
  if (!hasHistory()) return null
  return (
    readGit('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^') ??
    readGit('log', '--diff-filter=A', '--format=%H', '--', `server/migrations/${lastMigrationBefore}`)
      ?.split('\n')
      .at(-1) ??
    null
  )
}

/** Whether this folder itself is a complete repository, not a subfolder of another one. */
export function hasHistory(place = root): boolean {
  return existsSync(join(place, '.git')) && readGit('rev-parse', '--is-shallow-repository') === 'false'
}

/** Ignores the environment variables that point git to another repository, as in a git hook. */
function readGit(...words: string[]): string | null {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')))
  try {
    const stdio: ('ignore' | 'pipe')[] = ['ignore', 'pipe', 'ignore']
    return execFileSync('git', words, { cwd: root, env, stdio, encoding: 'utf8' }).trim() || null
  } catch {
    return null // Git or the repository is missing, or the name is unknown.
  }
}

/** Extracts its files to a separate folder, and links our packages if they are the same, otherwise installs from its lockfile. */
export async function takeOlderCode(commit: string): Promise<OlderCode> {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-before-'))
  const archive = execFileSync('git', ['archive', '--format=tar', commit], { cwd: root, maxBuffer: 1e9 })
  execFileSync('tar', ['-x', '-f', '-', '-C', folder], { input: archive })
  if (hasOurPackages(folder)) linkPackages(folder)
  else await setUp({ build: false, root: folder, print: () => undefined })
  return { commit, folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

type Locked = { packages: Record<string, { version?: string }> }
const lockOf = (folder: string): Locked => JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as Locked

/** Whether we have all its packages in the same versions and places; we may have more. */
function hasOurPackages(folder: string): boolean {
  const ours = lockOf(root).packages
  return Object.entries(lockOf(folder).packages).every(
    ([place, { version }]) => !place.startsWith('node_modules/') || ours[place]?.version === version,
  )
}

/** Links each package separately, because the repository's own packages must link to its own folders. */
function linkPackages(folder: string): void {
  const [from, to] = [join(root, 'node_modules'), join(folder, 'node_modules')]
  mkdirSync(join(to, own), { recursive: true })
  for (const name of readdirSync(from).filter((each) => each !== own && !each.startsWith('.')))
    symlinkSync(join(from, name), join(to, name), 'junction')
  for (const name of readdirSync(join(from, own))) symlinkSync(join(folder, name), join(to, own, name), 'junction')
}
