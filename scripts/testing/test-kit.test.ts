import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'

const root = dirname(dirname(import.meta.dirname))

const importsTests = /\b(?:from|import)\s*\(?\s*'[^']*\/tests\/[^']+'/

test('no file of the product imports the test kit', () => {
  const product = globSync('{contract,server,simulators,web}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**'],
  }).filter((file) => !/(?:\.test|-tests|[/-]under-test)\.tsx?$/.test(file))
  assert.ok(product.length > 500, 'the product was found')
  assert.deepEqual(
    product.filter((file) => importsTests.test(readFileSync(`${root}/${file}`, 'utf8'))),
    [],
  )
  assert.match("import { makeTestContext } from '../../../tests/fixtures/context.ts'", importsTests)
})
