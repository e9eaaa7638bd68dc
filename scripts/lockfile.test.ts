import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkEntry, checkInstalled, checkKnown, checkManifest } from './lockfile.ts'

for (const [path, entry, problems] of [
  ['', {}, 0],
  ['server', { version: '0.1.0' }, 0],
  ['node_modules/@atrium/server', { resolved: 'server', link: true }, 0],
  ['node_modules/pg', { version: '8.1.0', integrity: 'sha512-x' }, 0],
  ['node_modules/pg', { version: '8.1.0' }, 1],
  ['node_modules/pg', { version: '8.1.0', integrity: 'sha512-x', resolved: 'https://example.com/pg.tgz' }, 1],
  ['node_modules/a/node_modules/b', { version: '1.0.0', inBundle: true }, 0],
] as const) {
  test(`an entry ${path} ${JSON.stringify(entry)} has ${problems} problems`, () => {
    assert.equal(checkEntry(path, entry).length, problems)
  })
}

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
  test(`${version} is ${isPinned ? '' : 'not '}one version`, () => {
    assert.equal(checkManifest('package.json', { devDependencies: { a: version } }).length, isPinned ? 0 : 1)
  })
}

test('a package.json that changed after the lockfile is noticed', () => {
  const lock = { packages: { server: { version: '0.1.0', dependencies: { pg: '8.1.0' } } } }
  assert.deepEqual(checkKnown('server', { dependencies: { pg: '8.1.0' } }, lock), [])
  assert.equal(checkKnown('server', { dependencies: { pg: '8.1.1' } }, lock).length, 1)
  assert.equal(checkKnown('server', { dependencies: {} }, lock).length, 1)
})

for (const [name, installed, problems] of [
  ['the same', { version: '8.1.0', integrity: 'a' }, 0],
  ['another version', { version: '8.1.1', integrity: 'a' }, 1],
  ['other content', { version: '8.1.0', integrity: 'b' }, 1],
] as const) {
  test(`installed is ${name}`, () => {
    const lock = { packages: { 'node_modules/pg': { version: '8.1.0', integrity: 'a' } } }
    assert.equal(checkInstalled({ packages: { 'node_modules/pg': installed } }, lock).length, problems)
  })
}

test('what the lockfile does not name may be installed only as a platform asks', () => {
  const lock = { packages: {} }
  assert.equal(checkInstalled({ packages: { 'node_modules/a': { version: '1.0.0' } } }, lock).length, 1)
  assert.equal(checkInstalled({ packages: { 'node_modules/a': { version: '1.0.0', optional: true } } }, lock).length, 0)
})
