// spec: DK workspace
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/** Sentences whose number is never 1: limits of the code, and the spans of the response times. */
const neverOne = [
  'A link to set a password goes there. It works once, for {{days}} days.',
  'The first {{count}} pages are shown here. Download it to see all.',
  '{{days}} days',
]
/** "of 5 accounts" needs no other form. */
const counted =
  /\bt\(\s*'([^'\n]*(?<!of )\{\{(?:count|days|fields|messages|number|steps|tickets|times|total|waiting)\}\} (?!(?:has|is|ms)\b)[a-z]+s\b[^'\n]*)'/g
/** The condition before the sentence. */
const reachChars = 90

test('a sentence of the desk with a number has a form for one', () => {
  const places = globSync('{desk,features/desk-*,ui}/**/*.{ts,tsx}', { cwd: import.meta.dirname })
  const found: string[] = []
  const bare: string[] = []
  for (const place of places.filter((each) => !each.includes('.test.'))) {
    const source = readFileSync(`${import.meta.dirname}/${place}`, 'utf8')
    for (const { 1: text = '', index } of source.matchAll(counted)) {
      found.push(text)
      const isHandled = /(?:=== 1|> 1)\s*(?:\?|&&)/.test(source.slice(Math.max(0, index - reachChars), index))
      if (!isHandled && !neverOne.includes(text)) bare.push(`${place}: ${text}`)
    }
  }
  assert.ok(found.length > 10, `only ${found.length} were found`)
  assert.deepEqual(bare, [])
})
