import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, beforeEach, test } from 'node:test'
import { eventually } from '../../tests/doubles/child-server.ts'
import { writeNewFile } from './new-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-new-file-'))
const path = join(folder, 'mara.zip')
after(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
})

test('writes a complete file that only its owner can read', async () => {
  assert.equal(await writeNewFile(path, Readable.from(['all ', 'of it'])), 9)
  assert.equal(readFileSync(path, 'utf8'), 'all of it')
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(folder), ['mara.zip'])
})

test('leaves an existing file unchanged and no partial file behind', async () => {
  writeFileSync(path, 'earlier')
  await assert.rejects(writeNewFile(path, Readable.from(['later'])), /already exists/)
  assert.equal(readFileSync(path, 'utf8'), 'earlier')
  assert.deepEqual(readdirSync(folder), ['mara.zip'])
})

test('leaves no file after a read error, and an interrupted write does not block the next one', async () => {
  const failing = async function* () {
    yield 'half of it'
    throw new Error('The store is away.')
  }
  await assert.rejects(writeNewFile(path, Readable.from(failing())), /The store is away/)
  assert.deepEqual(readdirSync(folder), [])
  // Never ends, as when the command is killed.
  const endless = new Readable({ read: () => undefined })
  endless.push('half of it')
  const brokenOff = writeNewFile(path, endless)
  await eventually('half of it is written', async () => readdirSync(folder).length === 1)
  assert.equal(await writeNewFile(path, Readable.from(['whole'])), 5)
  endless.destroy(new Error('The end of the test.'))
  await assert.rejects(brokenOff, /The end of the test/)
  assert.equal(readFileSync(path, 'utf8'), 'whole')
})
