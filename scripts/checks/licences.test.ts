// spec: OP faults
import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { checkLicences, readLock } from './licences.ts'

test('every package has a licence that allows redistribution', () => {
  const lock = readLock(dirname(dirname(import.meta.dirname)))
  assert.ok(Object.keys(lock.packages).length > 500)
  assert.deepEqual(checkLicences(lock), [])
})

for (const [path, entry, isFine] of [
  ['node_modules/a', { license: 'MIT' }, true],
  ['node_modules/a', { license: '(GPL-3.0 OR MIT)' }, true],
  ['node_modules/a', { license: 'MIT or MPL-2.0' }, true],
  ['node_modules/a', { license: 'MIT AND ISC AND BSD-3-Clause' }, true],
  ['node_modules/a', { license: 'MIT AND GPL-2.0-only' }, false],
  ['node_modules/a', { license: 'AGPL-3.0-only' }, false],
  ['node_modules/a', { license: 'LGPL-2.1' }, false],
  ['node_modules/a', { license: 'SEE LICENSE IN LICENSE.md' }, false],
  ['node_modules/a', { license: 'UNLICENSED' }, false],
  ['node_modules/a', {}, false],
  ['node_modules/a', { license: 'MPL-2.0' }, false],
  ['node_modules/a', { license: 'MPL-2.0', dev: true }, true],
  ['node_modules/a', { license: 'GPL-3.0', dev: true }, false],
  ['node_modules/a', { license: 'OFL-1.1' }, false],
  ['node_modules/@fontsource/a', { license: 'OFL-1.1' }, true],
  ['node_modules/@atrium/server', { link: true }, true],
] as const)
  test(`${path} ${JSON.stringify(entry)} ${isFine ? 'may' : 'may not'} be redistributed`, () => {
    assert.equal(checkLicences({ packages: { [path]: entry } }).length, isFine ? 0 : 1)
  })
