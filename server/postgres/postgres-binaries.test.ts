import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { copyOnce, linkLibraries, locateBinaries } from './postgres-binaries.ts'

let base: string
let native: string

before(() => {
  base = mkdtempSync(join(tmpdir(), 'atrium-binaries-'))
  native = join(base, 'package', 'native')
  mkdirSync(join(native, 'lib'), { recursive: true })
  writeFileSync(join(native, 'lib', 'libx.so.6.18'), 'library')
  writeFileSync(join(base, 'a-file'), '')
  const links = [{ source: 'native/lib/libx.so.6.18', target: 'native/lib/libx.so.6' }]
  writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify(links))
})
after(() => rmSync(base, { recursive: true, force: true }))

test('creates the short names of the libraries once', () => {
  assert.equal(linkLibraries(native), true)
  assert.equal(linkLibraries(native), true)
  assert.equal(readlinkSync(join(native, 'lib', 'libx.so.6')), 'libx.so.6.18')
})

test('copies completely or not at all, and once', () => {
  const target = join(base, 'postgresql-18')
  mkdirSync(`${target}.${process.pid}`) // Left by a start with our process id that was killed while copying.
  assert.equal(copyOnce(native, target), join(target, 'native'))
  writeFileSync(join(target, 'native', 'mark'), 'first')
  assert.equal(copyOnce(native, target), join(target, 'native'))
  assert.equal(readFileSync(join(target, 'native', 'mark'), 'utf8'), 'first')
  assert.equal(readFileSync(join(target, 'native', 'lib', 'libx.so.6'), 'utf8'), 'library')
  assert.deepEqual(
    readdirSync(base).filter((name) => name.startsWith('postgresql-18.')),
    [],
  )
})

test('returns no copy and no error where no folder can be created', () => {
  assert.equal(copyOnce(native, join(base, 'a-file', 'postgresql-18')), undefined)
})

test('finds installed programs of the supported version', () => {
  const folder = mkdtempSync(join(base, 'copies-'))
  assert.equal(locateBinaries({}, [folder]).majorVersion, 18)
})
