import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const root = dirname(dirname(import.meta.dirname))

/** A browser's or a library's own field of numbers drops what it does not know: a decimal comma, and 100,50 is 10,050. */
const dropping = [/\bNumberInput\b/, /type=(?:"number"|'number'|\{'number'\})/, /type: ?'number'[^\n]*inputMode/]
/** Typed text is read by `readTypedNumber`, which refuses what has two meanings. */
const lenient = /\b(?:Number|parseFloat|parseInt|Number\.parse\w+|BigInt)\([^)\n]*\b(?:currentTarget|target)\.value/
const decimalKeys = /inputMode(?:=|: ?)["']decimal/
const digitKeys = /inputMode(?:=|: ?)["']numeric/

/** Digits that are no number: days, codes, tickets and logins, which are compared sign by sign. */
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

test('numbers are typed into the one field that keeps what was typed', () => {
  assert.ok(sources.length > 400)
  for (const sign of [...dropping, lenient]) assert.deepEqual(having(sign), [], `${sign}`)
  assert.deepEqual(having(decimalKeys), ['web/ui/fields/decimal-field.tsx'])
  assert.deepEqual(having(digitKeys), digitFields)
})

test('nothing that is typed or pasted is cut: a field says its limit, and keeps what is too long (A2)', () => {
  assert.deepEqual(having(/\bmaxLength\s*[=:]/), [])
  assert.ok(having(/\bcharsMax=/).length > 60)
})

test('the check sees what it is there for', () => {
  for (const line of ['<NumberInput />', '<TextInput type="number" />'])
    assert.ok(
      dropping.some((sign) => sign.test(line)),
      line,
    )
  assert.match('onChange(Number(event.currentTarget.value))', lenient)
})
