import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'

const features = import.meta.dirname
const textOf = (file: string) => readFileSync(join(features, file), 'utf8')

/** Rows that stay in their list, whatever a colleague decides about them. */
const staying = ['desk-reconciliation/mismatch-row.tsx']

it('a row of the desk holds no dialog: it leaves its list, with the text typed in it, when a colleague decides first', () => {
  const rows = globSync('desk-*/*-{row,line}.tsx', { cwd: features })
  assert.ok(rows.length > 10, `only ${rows.length} were found`)
  const holding = rows.filter((file) => /<\w*Dialog\b/.test(textOf(file)))
  assert.deepEqual(holding, staying)
})
