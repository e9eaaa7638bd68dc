import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { findAdapter } from './registry.ts'

const here = import.meta.dirname
const folders = readdirSync(here, { withFileTypes: true }).filter((entry) => entry.isDirectory())

test('every provider stands in the registry and is run through the shared tests', () => {
  assert.ok(folders.length >= 2)
  for (const { name } of folders) {
    assert.ok(findAdapter(name), `${name} is in no registry`)
    assert.ok(existsSync(`${here}/${name}/${name}.contract.test.ts`), `${name} has no contract test`)
  }
})
