import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const root = dirname(dirname(import.meta.dirname))

/** Number fields of browsers and libraries drop unknown characters: without its decimal comma, 100,50 becomes 10,050. */
const dropping = [/\bNumberInput\b/, /type=(?:"number"|'number'|\{'number'\})/, /type: ?'number'[^\n]*inputMode/]
/** Typed text must be read by `readTypedNumber`, which refuses ambiguous input. */
const lenient = /\b(?:Number|parseFloat|parseInt|Number\.parse\w+|BigInt)\([^)\n]*\b(?:currentTarget|target)\.value/
const decimalKeys = /inputMode(?:=|: ?)["']decimal/
const digitKeys = /inputMode(?:=|: ?)["']numeric/

/** Digits that are not numbers: days, codes, tickets and logins, which are compared as text. */
const digitFields = [
  'web/features/desk-platforms/connection-part.tsx',
  'web/features/funding/transactions/transactions-filters.tsx',
  'web/features/security/factor-form.tsx',
  'web/features/security/totp-setup.tsx',
  'web/ui/fields/date-input.tsx',
]

const sources = globSync('web/**/*.{ts,tsx}', { cwd: root })
  .filter((path) => !/node_modules|\/dist\/|generated|\.test\.ts$/.test(path))
  .map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') }))
const having = (sign: RegExp) =>
  sources
    .filter(({ source }) => sign.test(source))
    .map(({ path }) => path)
    .sort()

test('every number field uses the component that keeps the typed text', () => {
  assert.ok(sources.length > 400)
  for (const sign of [...dropping, lenient]) assert.deepEqual(having(sign), [], `${sign}`)
  assert.deepEqual(having(decimalKeys), ['web/ui/fields/decimal-field.tsx'])
  assert.deepEqual(having(digitKeys), digitFields)
})

test('no field truncates typed or pasted text: it shows its limit and keeps the rest', () => {
  assert.deepEqual(having(/\bmaxLength\s*[=:]/), [])
  assert.ok(having(/\bcharsMax=/).length > 50)
})

test('detects each forbidden pattern', () => {
  for (const line of ['<NumberInput />', '<TextInput type="number" />'])
    assert.ok(
      dropping.some((sign) => sign.test(line)),
      line,
    )
  assert.match('onChange(Number(event.currentTarget.value))', lenient)
})
