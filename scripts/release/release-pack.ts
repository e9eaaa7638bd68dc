import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildHash, npmCommand } from '../setup.js'
import { missingInSbom, normalizeSbom, notesOf, ReleaseProblem } from './release-texts.ts'

export type Packed = { name: string; content: Buffer }
/** Builds the web into the folder. */
export type BuildWeb = (root: string, folder: string) => void

type Packing = { root: string; version: string; changelog: string; build: BuildWeb }

/** All files of a release, built from the checked-out commit: reproducible byte for byte. */
export function packRelease({ root, version, changelog, build }: Packing): Packed[] {
  const name = `atrium-${version}`
  const sbom = makeSbom(root)
  const missing = missingInSbom(sbom, git(root, 'show', 'HEAD:package-lock.json').toString())
  if (missing.length > 0) throw new ReleaseProblem(`npm left out of the bill of materials: ${missing.join(', ')}`)
  const files = [
    { name: `${name}.tar.gz`, content: packArchive({ root, name, build }) },
    { name: `${name}.cdx.json`, content: Buffer.from(sbom) },
    { name: `${name}.md`, content: Buffer.from(notesOf(changelog, version)) },
  ]
  return [...files, { name: 'SHA256SUMS', content: Buffer.from(sumsOf(files)) }]
}

/** The format that `sha256sum --check` reads. */
function sumsOf(files: Packed[]): string {
  const lines = files.map(({ name, content }) => `${sha256(content)}  ${name}\n`)
  return lines.sort((one, other) => (one.slice(66) < other.slice(66) ? -1 : 1)).join('')
}

/** All files of the commit with its timestamp, and the built web, so that operators need no build. */
function packArchive({ root, name, build }: { root: string; name: string; build: BuildWeb }): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-release-'))
  try {
    build(root, folder)
    const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
    if (paths.length === 0) throw new ReleaseProblem('The web was not built.')
    const added = paths.flatMap((path) => {
      const place = relative(folder, dirname(path)).replaceAll('\\', '/')
      return [`--prefix=${name}/web/dist/${place && `${place}/`}`, `--add-file=${path}`]
    })
    const rights = ['-c', 'tar.umask=0022'] // Independent of the umask of the caller.
    const packed = gzipSync(git(root, ...rights, 'archive', '--format=tar', ...added, `--prefix=${name}/`, 'HEAD'), {
      level: 9,
    })
    packed[9] = 255 // The gzip header's operating system: unknown.
    return packed
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The CycloneDX bill of materials: every package of the lockfile with version, hash and licence. */
function makeSbom(root: string): string {
  const { command, args } = npmCommand(root, process.env)
  const list = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  const { status, stdout, stderr } = spawnSync(command, [...args, ...list], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    shell: command.endsWith('.cmd'),
  })
  if (status !== 0) throw new ReleaseProblem(`npm sbom: ${stderr}`)
  const [commit = '', at = ''] = git(root, 'show', '--no-patch', '--format=%H %cI', 'HEAD').toString().trim().split(' ')
  const id = sha256(commit).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-a$4-$5')
  return normalizeSbom(stdout, { at: new Date(at).toISOString(), id })
}

/** Builds the current sources into a separate folder, so that an existing build stays unchanged. */
export function buildWeb(root: string, folder: string): void {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const where = ['--config', join(root, 'web', 'vite.config.ts'), '--outDir', folder, '--emptyOutDir']
  const { status, stderr } = spawnSync(process.execPath, [vite, 'build', ...where, '--logLevel', 'warn'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' },
    encoding: 'utf8',
  })
  if (status !== 0) throw new ReleaseProblem(`The web cannot be built: ${stderr}`)
  writeFileSync(join(folder, '.atrium-built'), `${buildHash(root)}\n`) // Known where it is unpacked, and not built again.
}

export function git(root: string, ...args: string[]): Buffer {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, maxBuffer: 2 ** 30 })
  if (status !== 0) throw new ReleaseProblem(`git ${args.find((arg) => /^[a-z]/.test(arg))}: ${stderr}`)
  return stdout
}

/** Differences between the files in the folder and a new build. */
export function compareFiles(folder: string, files: Packed[]): string[] {
  return files.flatMap(({ name, content }) => {
    const there = readdirSync(folder).includes(name) ? readFileSync(join(folder, name)) : null
    if (there?.equals(content)) return []
    return [there ? `${name} differs from the build of this commit` : `${name} is missing`]
  })
}

const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex')
