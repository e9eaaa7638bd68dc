// spec: OP faults, OP operation
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { checkRelease, makeRelease, packAgain, type Release, rehearseRelease } from './release-steps.ts'
import * as texts from './release-texts.ts'

// Under a git hook these variables would redirect our commits into the hook's repository.
for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) delete process.env[name]

const changelog = `# Changelog

## [Unreleased]

### Added

- Things.
  More of them.

## [0.2.0] - 2026-01-31

- The first ones.
`

describe('a version', () => {
  for (const [version, than, isHigher] of [
    ['0.2.0', '0.1.9', true],
    ['1.0.0', '0.99.99', true],
    ['0.10.0', '0.9.0', true],
    ['0.2.0', '0.2.0', false],
    ['0.1.10', '0.2.0', false],
    ['1.9.0', '1.10.0', false],
  ] as const)
    test(`${version} is ${isHigher ? '' : 'not '}higher than ${than}`, () =>
      assert.equal(texts.isHigher(version, than), isHigher))

  for (const text of ['1.2', 'v1.2.3', '1.2.3-rc.1', '01.2.3', '1.2.3 ', '', '--help'])
    test(`rejects "${text}" as a version`, () => assert.equal(texts.isVersion(text), false))
})

describe('the changelog', () => {
  test('moves unreleased entries to the version once', () => {
    const released = texts.releaseChangelog(changelog, { version: '0.3.0', day: '2026-02-28' })
    assert.match(
      released,
      /## \[Unreleased\]\n\n## \[0\.3\.0\] - 2026-02-28\n\n### Added\n\n- Things\.\n {2}More of them\.\n\n## \[0\.2\.0\]/,
    )
    assert.equal(released.match(/Things/g)?.length, 1)
    assert.deepEqual([texts.lastReleased(changelog), texts.lastReleased(released)], ['0.2.0', '0.3.0'])
    assert.deepEqual([texts.hasUnreleasedEntries(changelog), texts.hasUnreleasedEntries(released)], [true, false])
    assert.equal(texts.notesOf(released, '0.3.0'), '# Atrium 0.3.0\n\n### Added\n\n- Things.\n  More of them.\n')
  })

  test('has nothing new if there are only headings', () => {
    assert.equal(texts.hasUnreleasedEntries('# Changelog\n\n## [Unreleased]\n\n### Added\n\n'), false)
    assert.equal(texts.hasUnreleasedEntries('# Changelog\n\n## [0.2.0]\n\n- The first ones.\n'), false)
    assert.throws(() => texts.releaseChangelog('# Changelog\n', { version: '0.3.0', day: '2026-02-28' }), /Unreleased/)
    assert.equal(texts.lastReleased('# Changelog\n\n## [Unreleased]\n'), null)
  })
})

test('detects packages missing from the bill of materials at any depth', () => {
  const sbom = (...components: object[]): string => JSON.stringify({ metadata: { component: {} }, components })
  const packages = {
    '': { version: '0.2.0' },
    server: { version: '0.2.0' },
    'node_modules/@atrium/server': { link: true },
    'node_modules/@a/b': { version: '1.0.0' },
    'node_modules/c/node_modules/@a/b': { version: '2.0.0' },
    'node_modules/alias': { name: 'd', version: '3.0.0' },
  }
  const lock = JSON.stringify({ packages })
  const all = [
    { name: '@a/b', version: '1.0.0' },
    { name: '@a/b', version: '2.0.0' },
    { name: 'd', version: '3.0.0' },
  ]
  assert.deepEqual(texts.missingInSbom(sbom(...all), lock), [])
  assert.deepEqual(texts.missingInSbom(sbom(...all.slice(0, 1)), lock), ['@a/b@2.0.0', 'd@3.0.0'])
})

test('texts of this repository are unchanged after parsing and writing', () => {
  const root = dirname(dirname(import.meta.dirname))
  const read = (path: string): string => readFileSync(join(root, path), 'utf8')
  const { version } = JSON.parse(read('package.json')) as { version: string }
  for (const path of ['package.json', 'contract/package.json', 'server/package.json', 'simulators/package.json'])
    assert.equal(texts.releaseManifest(read(path), version), read(path), path)
  assert.equal(texts.releaseLock(read('package-lock.json'), version), read('package-lock.json'))
  const before = texts.releaseVersionBefore(read('tests/upgrade/version-before.ts'), ['20990101-0000-last.sql'])
  assert.match(before, /lastMigrationBefore = '20990101-0000-last\.sql'/)
})

describe('a release', () => {
  let root: string
  let said: string[]
  let release: Release
  const files = (): string[] => readdirSync(join(root, 'release')).sort()
  const text = (path: string): string => readFileSync(join(root, path), 'utf8')

  function write(path: string, content: string): void {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }

  function git(...args: string[]): string {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    return stdout.trim()
  }

  const manifest = (more: object): string => `${JSON.stringify({ version: '0.2.0', ...more }, null, 2)}\n`
  const uses = { dependencies: { '@atrium/contract': '0.2.0', pg: '8.0.0' } }

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'atrium-released-'))
    said = []
    // Different times and order in each run, as on another machine.
    let times = 0
    const build = (_: string, folder: string): void => {
      times += 1
      const built = ['a.js', 'b.css']
      mkdirSync(join(folder, 'assets'))
      for (const name of times % 2 ? built : built.reverse()) {
        writeFileSync(join(folder, 'assets', name), `content of ${name}`)
        utimesSync(join(folder, 'assets', name), times * 1_000, times * 1_000)
      }
    }
    release = { root, build, day: '2026-02-28', print: (line) => said.push(line) }
    const packages = {
      '': { version: '0.2.0', workspaces: ['contract', 'server'] },
      contract: { name: '@atrium/contract', version: '0.2.0' },
      server: { name: '@atrium/server', version: '0.2.0', ...uses },
      'node_modules/@atrium/contract': { resolved: 'contract', link: true },
      'node_modules/@atrium/server': { resolved: 'server', link: true },
      'node_modules/pg': { version: '8.0.0', integrity: `sha512-${'a'.repeat(86)}==` },
    }
    write('package.json', manifest({ name: 'atrium', workspaces: ['contract', 'server'] }))
    write('contract/package.json', manifest({ name: '@atrium/contract' }))
    write('server/package.json', manifest({ name: '@atrium/server', ...uses }))
    write('package-lock.json', `${JSON.stringify({ version: '0.2.0', lockfileVersion: 3, packages }, null, 2)}\n`)
    write('CHANGELOG.md', changelog)
    write('server/migrations/20260101-0000-first.sql', '')
    write('server/migrations/20260201-0000-second.sql', '')
    write('server/migrations/schema.sql', '')
    write('tests/upgrade/version-before.ts', `export const lastMigrationBefore = '20260101-0000-first.sql'\n`)
    write('.gitignore', '/release/\nnode_modules/\n')
    git('init', '--quiet')
    git('config', 'user.name', 'Test')
    git('config', 'user.email', 'test@example.com')
    git('config', 'commit.gpgsign', 'false')
    git('config', 'tag.gpgsign', 'false')
    git('add', '.')
    git('commit', '--quiet', '--message', 'Begin')
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const refuses = (what: RegExp, version = '0.3.0'): void => {
    const before = git('rev-parse', 'HEAD')
    assert.throws(() => makeRelease(release, version), what)
    assert.deepEqual([git('rev-parse', 'HEAD'), git('tag'), existsSync(join(root, 'release'))], [before, '', false])
  }

  test('sets its version everywhere, updates the changelog and the previous version, commits and tags', () => {
    makeRelease(release, '0.3.0')
    for (const path of ['package.json', 'contract/package.json', 'server/package.json', 'package-lock.json'])
      assert.doesNotMatch(text(path), /0\.2\.0/, path)
    assert.match(text('server/package.json'), /"@atrium\/contract": "0\.3\.0",\n {4}"pg": "8\.0\.0"/)
    assert.match(text('CHANGELOG.md'), /## \[0\.3\.0\] - 2026-02-28\n\n### Added/)
    assert.match(text('tests/upgrade/version-before.ts'), /'20260201-0000-second\.sql'/)
    assert.deepEqual([git('log', '-1', '--format=%s'), git('tag', '--points-at', 'HEAD')], ['Release 0.3.0', 'v0.3.0'])
    assert.equal(git('status', '--porcelain'), '')
  })

  test('contains an archive with the built web, a bill of materials, notes and checksums', () => {
    makeRelease(release, '0.3.0')
    assert.deepEqual(files(), ['SHA256SUMS', 'atrium-0.3.0.cdx.json', 'atrium-0.3.0.md', 'atrium-0.3.0.tar.gz'])
    const sums = text('release/SHA256SUMS').trim().split('\n')
    assert.equal(sums.length, 3)
    for (const line of sums) {
      const [, sum, name = ''] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? []
      assert.equal(
        createHash('sha256')
          .update(readFileSync(join(root, 'release', name)))
          .digest('hex'),
        sum,
        name,
      )
    }
    const archive = gunzipSync(readFileSync(join(root, 'release', 'atrium-0.3.0.tar.gz'))).toString('latin1')
    for (const path of ['server/package.json', 'web/dist/assets/a.js', 'web/dist/assets/b.css'])
      assert.ok(archive.includes(`atrium-0.3.0/${path}\0`), path)
    assert.ok(archive.includes('"version": "0.3.0"'))
    const sbom = JSON.parse(text('release/atrium-0.3.0.cdx.json'))
    assert.deepEqual([sbom.bomFormat, sbom.metadata.component.name], ['CycloneDX', 'atrium'])
    assert.equal(sbom.metadata.component.version, '0.3.0')
    assert.ok(
      sbom.components.some(
        ({ name, version }: { name: string; version: string }) => `${name}@${version}` === 'pg@8.0.0',
      ),
    )
    assert.match(text('release/atrium-0.3.0.md'), /^# Atrium 0\.3\.0\n\n### Added\n\n- Things\./)
  })

  test('is reproducible, and a changed file is detected', () => {
    makeRelease(release, '0.3.0')
    const sums = text('release/SHA256SUMS')
    checkRelease(release)
    assert.match(said.at(-1) ?? '', /byte-identical/)
    packAgain(release)
    assert.equal(text('release/SHA256SUMS'), sums)
    write('release/atrium-0.3.0.md', 'Something else')
    rmSync(join(root, 'release', 'atrium-0.3.0.cdx.json'))
    assert.throws(
      () => checkRelease(release),
      /atrium-0\.3\.0\.cdx\.json is missing\natrium-0\.3\.0\.md differs from the build of this commit/,
    )
  })

  test('can be rehearsed without any change', () => {
    const before = readdirSync(root)
    rehearseRelease(release, '0.3.0')
    assert.deepEqual(readdirSync(root), before)
    assert.deepEqual([git('status', '--porcelain'), git('tag'), git('log', '--format=%s')], ['', '', 'Begin'])
    assert.ok(said.includes('would change tests/upgrade/version-before.ts'))
    assert.ok(said.some((line) => /^atrium-0\.3\.0\.tar\.gz {2}\d+ kB$/.test(line)))
  })

  test('contains only the changes since the previous release', () => {
    makeRelease(release, '0.3.0')
    assert.throws(() => makeRelease(release, '0.4.0'), /nothing under \[Unreleased\]/)
    write('CHANGELOG.md', text('CHANGELOG.md').replace('## [Unreleased]\n', '## [Unreleased]\n\n- Newer things.\n'))
    git('commit', '--quiet', '--all', '--message', 'Go on')
    makeRelease(release, '0.3.1')
    assert.deepEqual(git('tag').split('\n'), ['v0.3.0', 'v0.3.1'])
    assert.equal(text('release/atrium-0.3.1.md'), '# Atrium 0.3.1\n\n- Newer things.\n')
  })

  test('is refused with all reasons together', () => {
    for (const version of ['0.2.0', '0.1.9']) refuses(/is not higher than 0\.2\.0/, version)
    refuses(/is not a version/, '0.3')
    write('notes.txt', 'Not committed')
    write('contract/package.json', manifest({ name: '@atrium/contract', version: '0.1.0' }))
    refuses(/do not agree on a version: 0\.2\.0, 0\.1\.0.*contract\/package\.json.*notes\.txt/s)
    git('add', '.')
    write('CHANGELOG.md', '# Changelog\n\n## [Unreleased]\n\n### Added\n\n## [0.2.0] - 2026-01-31\n')
    refuses(/nothing under \[Unreleased\]/)
  })

  test('can be the first one, with the version in the packages', () => {
    write('CHANGELOG.md', changelog.replace(/## \[0\.2\.0\].*/s, ''))
    git('commit', '--quiet', '--all', '--message', 'Nothing was released')
    refuses(/is not higher than 0\.2\.0/, '0.1.0')
    makeRelease(release, '0.2.0')
    assert.equal(git('tag'), 'v0.2.0')
  })

  test('is packed only from its tag and a clean work tree', () => {
    assert.throws(() => packAgain(release), /not v0\.2\.0/)
    makeRelease(release, '0.3.0')
    write('notes.txt', 'Not committed')
    for (const step of [packAgain, checkRelease]) assert.throws(() => step(release), /not committed:\n\?\? notes\.txt/)
  })
})
