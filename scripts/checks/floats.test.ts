import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const root = dirname(dirname(import.meta.dirname))

/** A float loses precision for good; the decimal type has every operation that is needed. */
const floats = [
  /\bparseFloat\(/,
  /\b(?:Number|Math\.\w+)\([^)]*(?:amount|balance|equity|floating|profit|price|fee|total_money)/i,
  /(?:amount|balance|equity|floating|fee)\b[^=\n]{0,20}(?<![=>])[*/] ?\d/i,
  /:\s*number\b[^\n]*\/\/\s*money/i,
]

test('no source converts money to a float', () => {
  const sources = globSync('{contract,server,web}/**/*.{ts,tsx}', { cwd: root }).filter(
    (path) => !/node_modules|\.test\.ts|generated|\/dist\/|testing\/|contract-tests\.ts/.test(path),
  )
  assert.ok(sources.length > 50)
  const found = sources.flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        floats.some((float) => float.test(line)) ? [`${path}:${index + 1} ${line.trim()}`] : [],
      ),
  )
  assert.deepEqual(found, [])
})

test('detects each forbidden conversion', () => {
  const wrong = [
    'parseFloat(text)',
    'Number(input.amount)',
    'const cents = balance * 100',
    'Math.round(account.equity)',
  ]
  for (const line of wrong)
    assert.ok(
      floats.some((float) => float.test(line)),
      line,
    )
})
