import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asciiText } from './text.ts'

test('transliterates names of many scripts to readable ASCII', () => {
  const cases: [string, string][] = [
    ['Tomás Okafor-Lindqvist', 'Tomas Okafor-Lindqvist'],
    ['Björn Håkansson', 'Bjorn Hakansson'],
    ['Łukasz Żółć', 'Lukasz Zolc'],
    ['Þórður Straße', 'Thordur Strasse'],
    ['Щукин Юрий', 'Shchukin Yurii'],
    ['Γιώργος', 'Giorgos'],
    ["D’Souza – O'Neil", "D'Souza - O'Neil"],
    ['東京', '??'],
    ['two\nlines', 'two lines'],
  ]
  for (const [text, plain] of cases) assert.equal(asciiText(text, 127), plain)
})

test("cuts a text to the platform's limit after the transliteration", () => {
  assert.equal(asciiText('ßßß', 5), 'sssss')
  assert.equal(asciiText('  Harbour Street  ', 8), 'Harbour')
  for (const nothing of [undefined, '', '   ', '\n']) assert.equal(asciiText(nothing, 10), undefined)
})
