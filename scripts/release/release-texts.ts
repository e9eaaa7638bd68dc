/** The text changes of a release, and the rules for them; this file does no I/O. */

/** Explains to the user why a release is not possible yet. */
export class ReleaseProblem extends Error {}

export function isVersion(text: string): boolean {
  return /^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(text)
}

export function isHigher(version: string, than: string): boolean {
  const [these, those] = [version, than].map((each) => each.split('.').map(Number))
  const at = (these ?? []).findIndex((number, place) => number !== those?.[place])
  return at >= 0 && Number(these?.[at]) > Number(those?.[at])
}

const heading = /^## \[(.+?)\].*$/gm

type Section = { name: string; head: string; body: string; start: number; end: number }

function sectionsOf(changelog: string): Section[] {
  const heads = [...changelog.matchAll(heading)]
  return heads.map((head, at) => {
    const start = head.index + head[0].length
    const end = heads[at + 1]?.index ?? changelog.length
    return { name: head[1] ?? '', head: head[0], body: changelog.slice(start, end).trim(), start, end }
  })
}

/** The latest version in the changelog; null before the first release. */
export function lastReleased(changelog: string): string | null {
  return sectionsOf(changelog).find(({ name }) => isVersion(name))?.name ?? null
}

/** Whether Unreleased has entries, and not only headings. */
export function hasUnreleasedEntries(changelog: string): boolean {
  return sectionsOf(changelog).some(({ name, body }) => name === 'Unreleased' && /^- \S/m.test(body))
}

/** Moves the Unreleased entries under the new version with its date, and empties Unreleased. */
export function releaseChangelog(changelog: string, { version, day }: { version: string; day: string }): string {
  const unreleased = sectionsOf(changelog).find(({ name }) => name === 'Unreleased')
  if (!unreleased) throw new ReleaseProblem('CHANGELOG.md has no section [Unreleased].')
  const { start, end, body } = unreleased
  const rest = changelog.slice(end)
  return `${changelog.slice(0, start)}\n\n## [${version}] - ${day}\n\n${body}\n${rest && '\n'}${rest}`
}

/** The changelog section of one version, for the release notes. */
export function notesOf(changelog: string, version: string): string {
  const section = sectionsOf(changelog).find(({ name }) => name === version)
  if (!section) throw new ReleaseProblem(`CHANGELOG.md has no section for ${version}.`)
  return `# Atrium ${version}\n\n${section.body}\n`
}

type Json = Record<string, unknown>

/** Sets the version in a package.json of ours; our packages refer to each other by the same version. */
export function releaseManifest(text: string, version: string): string {
  return write(withVersion(JSON.parse(text) as Json, version))
}

/** Sets the same versions in the lockfile. */
export function releaseLock(text: string, version: string): string {
  const lock = JSON.parse(text) as Json & { packages: Record<string, Json> }
  const packages = Object.entries(lock.packages).map(([path, entry]) => {
    const isOurs = !path.includes('node_modules/')
    return [path, isOurs ? withVersion(entry, version) : entry]
  })
  return write({ ...lock, version, packages: Object.fromEntries(packages) })
}

function withVersion(manifest: Json, version: string): Json {
  const changed: Json = { ...manifest, version }
  for (const field of ['dependencies', 'devDependencies']) {
    if (manifest[field] === undefined) continue
    const named = Object.entries(manifest[field] as Record<string, string>)
    changed[field] = Object.fromEntries(named.map(([name, of]) => [name, name.startsWith('@atrium/') ? version : of]))
  }
  return changed
}

const write = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Records the released version as the previous version (docs/operators/upgrading.md). */
export function releaseVersionBefore(text: string, migrations: readonly string[]): string {
  const last = migrations.toSorted().at(-1)
  const changed = text.replace(/(lastMigrationBefore = )'.*'/, `$1'${last}'`)
  if (last === undefined || !changed.includes(`'${last}'`))
    throw new ReleaseProblem('tests/upgrade/version-before.ts does not name a migration.')
  return changed
}

type Sbom = Json & {
  metadata: Json & { component: Json }
  components: (Json & { name: string; version: string; purl: string })[]
}

/** npm's bill of materials without its variable parts: time, place and npm version. */
export function normalizeSbom(text: string, { at, id }: { at: string; id: string }): string {
  const sbom = JSON.parse(text) as Sbom
  const { tools: _, ...metadata } = sbom.metadata
  const component = { ...metadata.component, type: 'application', name: 'atrium' }
  return write({ ...sbom, serialNumber: `urn:uuid:${id}`, metadata: { ...metadata, timestamp: at, component } })
}

/** Packages of the lockfile that the bill of materials lacks. */
export function missingInSbom(sbom: string, lock: string): string[] {
  const { components } = JSON.parse(sbom) as Sbom
  const bundled = new Set(components.map(({ name, version }) => `${name}@${version}`))
  const { packages } = JSON.parse(lock) as {
    packages: Record<string, { name?: string; version?: string; link?: boolean }>
  }
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, { name, version }]) => `${name ?? path.replace(/^.*node_modules\//, '')}@${version}`)
    .filter((each) => !bundled.has(each))
}
