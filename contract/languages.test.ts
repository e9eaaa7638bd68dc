// spec: OP notifications
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { formatLocales } from './languages.ts'
import { preferencesInput } from './members/calls.ts'
import { languageFor, languages } from './text-languages.ts'

test('offers exactly the languages with a translation file', () => {
  const files = readdirSync(new URL('translations', import.meta.url)).map((name) => name.replace('.ts', ''))
  assert.deepEqual([...languages].sort(), files.sort())
  const rest = { language: null, time_zone: null, colour_scheme: null }
  for (const text_language of [...languages, null, undefined])
    assert.ok(preferencesInput.safeParse({ ...rest, text_language }).success, String(text_language))
  for (const text_language of formatLocales.filter((tag) => !(languages as string[]).includes(tag)))
    assert.ok(!preferencesInput.safeParse({ ...rest, text_language }).success, text_language)
})

for (const [wanted, language] of [
  [['en-GB', 'de'], 'en'],
  [['xx-YY', 'en'], 'en'],
  [['xx'], 'en'],
  [[], 'en'],
] as const)
  test(`texts for ${wanted.join(', ') || 'nobody'} are in ${language}`, () =>
    assert.equal(languageFor(wanted), language))
