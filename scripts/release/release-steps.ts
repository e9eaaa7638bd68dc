import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuildWeb, compareFiles, git, type Packed, packRelease } from './release-pack.ts'
import {
  hasUnreleasedEntries,
  isHigher,
  isVersion,
  lastReleased,
  ReleaseProblem,
  releaseChangelog,
  releaseLock,
  releaseManifest,
  releaseVersionBefore,
} from './release-texts.ts'

export type Release = { root: string; print(line: string): void; build: BuildWeb; day: string }

/** The output folder of a release. Not in the repository. */
const folderOf = (root: string): string => join(root, 'release')
const tagOf = (version: string): string => `v${version}`

/** Makes a release: version files, commit, tag and release files. Pushes nothing. */
export function makeRelease(release: Release, version: string): void {
  const { root, print, day } = release
  refuseUnready(root, version)
  const changes = changesFor(root, { version, day })
  for (const { path, text } of changes) writeFileSync(join(root, path), text)
  git(root, 'add', '--', ...changes.map(({ path }) => path))
  git(root, 'commit', '--quiet', '--message', `Release ${version}`)
  git(root, 'tag', '--annotate', tagOf(version), '--message', `Atrium ${version}`)
  print(`Committed and tagged ${tagOf(version)}.`)
  packAgain(release)
}

/** A dry run: builds the files from the current commit and discards them. */
export function rehearseRelease({ root, print, build, day }: Release, version: string): void {
  refuseUnready(root, version)
  for (const { path } of changesFor(root, { version, day })) print(`would change ${path}`)
  print(`would commit these, tag that ${tagOf(version)}, and make:`)
  const changelog = releaseChangelog(read(root, 'CHANGELOG.md'), { version, day })
  for (const file of packRelease({ root, version, changelog, build })) report(print, file)
}

/** Builds the files of the checked-out release again, to replace or to compare them. */
export function packAgain({ root, print, build }: Release): void {
  const version = releasedHere(root)
  const files = packRelease({ root, version, changelog: read(root, 'CHANGELOG.md'), build })
  const folder = folderOf(root)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const file of files) {
    writeFileSync(join(folder, file.name), file.content)
    report(print, file)
  }
}

/** Compares the files in the folder with a new build of the checked-out release. */
export function checkRelease({ root, print, build }: Release): void {
  const version = releasedHere(root)
  if (!existsSync(folderOf(root))) throw new ReleaseProblem(`There is no folder ${folderOf(root)} to compare.`)
  const files = packRelease({ root, version, changelog: read(root, 'CHANGELOG.md'), build })
  const different = compareFiles(folderOf(root), files)
  if (different.length > 0) throw new ReleaseProblem(different.join('\n'))
  print(`The files in ${folderOf(root)} are byte-identical to a new build of ${tagOf(version)}.`)
}

/** Reports all obstacles together. */
function refuseUnready(root: string, version: string): void {
  const changelog = read(root, 'CHANGELOG.md')
  const named = versionsOf(root)
  const earlier = lastReleased(changelog)
  const [current = ''] = named
  // Before the first release, the version in the packages has not been used.
  const isNext = earlier === null ? !isHigher(current, version) : isHigher(version, earlier)
  const problems = [
    !isVersion(version) && `${version} is not a version: enter three numbers, such as 1.4.0.`,
    isVersion(version) && !isNext && `${version} is not higher than ${earlier ?? current}.`,
    new Set(named).size > 1 && `The packages do not agree on a version: ${named.join(', ')}.`,
    !hasUnreleasedEntries(changelog) && 'CHANGELOG.md has nothing under [Unreleased].',
    changesIn(root) && `Some changes are not committed:\n${changesIn(root)}`,
    git(root, 'tag', '--list', tagOf(version)).length > 0 && `The tag ${tagOf(version)} already exists.`,
  ].filter((problem) => typeof problem === 'string' && problem !== '')
  if (problems.length > 0) throw new ReleaseProblem(problems.join('\n'))
}

type Change = { path: string; text: string }

function changesFor(root: string, { version, day }: { version: string; day: string }): Change[] {
  const change = (path: string, by: (text: string) => string): Change => ({ path, text: by(read(root, path)) })
  const migrations = readdirSync(join(root, 'server', 'migrations')).filter((name) => /^\d{8}-.*\.sql$/.test(name))
  return [
    change('CHANGELOG.md', (text) => releaseChangelog(text, { version, day })),
    ...manifestsOf(root).map((path) => change(path, (text) => releaseManifest(text, version))),
    change('package-lock.json', (text) => releaseLock(text, version)),
    change('tests/upgrade/version-before.ts', (text) => releaseVersionBefore(text, migrations)),
  ].filter(({ path, text }) => text !== read(root, path))
}

function manifestsOf(root: string): string[] {
  const { workspaces } = JSON.parse(read(root, 'package.json')) as { workspaces: string[] }
  return ['package.json', ...workspaces.map((folder) => `${folder}/package.json`)]
}

function versionsOf(root: string): string[] {
  return [...manifestsOf(root), 'package-lock.json'].map(
    (path) => (JSON.parse(read(root, path)) as { version: string }).version,
  )
}

/** The version of the checked-out tag; the work tree must be clean. */
function releasedHere(root: string): string {
  const [version = ''] = versionsOf(root)
  const tags = git(root, 'tag', '--points-at', 'HEAD').toString().split('\n')
  if (!tags.includes(tagOf(version))) throw new ReleaseProblem(`The checked-out commit is not ${tagOf(version)}.`)
  if (changesIn(root)) throw new ReleaseProblem(`Some changes are not committed:\n${changesIn(root)}`)
  return version
}

const changesIn = (root: string): string => git(root, 'status', '--porcelain').toString().trimEnd()
const read = (root: string, path: string): string => readFileSync(join(root, path), 'utf8')
const report = (print: Release['print'], { name, content }: Packed): void =>
  print(`${name}  ${Math.ceil(content.length / 1_000).toLocaleString('en')} kB`)
