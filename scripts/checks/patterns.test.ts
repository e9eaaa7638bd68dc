// spec: AO 5
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { isLinear, patternsIn, searchesEnd, shapeOf } from './patterns.ts'

const root = dirname(dirname(import.meta.dirname))
const sourcesOf = (folders: string) =>
  globSync(`${folders}/**/*.ts`, { cwd: root }).filter((path) => !/node_modules|\.test\.ts/.test(path))

describe('regular expressions of the contract run in linear time', () => {
  it('have bounded work per character', () => {
    const found = sourcesOf('contract').flatMap((path) =>
      patternsIn(readFileSync(join(root, path), 'utf8')).map(({ pattern, line }) => ({
        at: `${path}:${line}`,
        pattern,
      })),
    )
    assert.ok(found.length > 15, `${found.length} patterns: some are not found`)
    assert.deepEqual(
      found.filter(({ pattern }) => !isLinear(pattern)),
      [],
    )
  })

  for (const slow of [
    '(a+)+$',
    '^(a|a)*$',
    '(.*a){20}',
    '^(\\d{1,9}){1,9}$',
    '([a-z]{0,40}){12}x',
    'x*y',
    '^a*a*$',
    '^(?:ab?)*$',
    '\\s{2,}$',
  ])
    it(`finds ${slow}`, () => assert.equal(isLinear(slow), false))
  for (const quick of ['^[a-z]+$', '^-?\\d{1,20}(?:\\.\\d{1,18})?$', '\\p{Lu}', '[^\\p{L}]+', '^(?:a|b){3}$'])
    it(`accepts ${quick}`, () => assert.equal(isLinear(quick), true))

  it('finds the patterns in a source', () => {
    assert.deepEqual(shapeOf('^[A-Z]{4}(?:[0-9]{3})?$'), { loose: 0, tries: 2 })
    assert.deepEqual(shapeOf('^\\d{1,3}(?:\\.\\d{1,3}){3}$'), { loose: 0, tries: 81 })
    assert.deepEqual(shapeOf('^(?:a|b?)[/*+]\\/\\p{Lu}$'), { loose: 0, tries: 3 })
    const source = 'const a = /^[/]+$/.test(b)\n// not /this+/ one\nif (/x\\/y/u.test(c)) d = 1 / 2 / 3'
    assert.deepEqual(
      patternsIn(source).map(({ pattern }) => pattern),
      ['^[/]+$', 'x\\/y'],
    )
  })
})

describe('a search for the end of a text on the server, which anybody may send', () => {
  it('begins once per run of characters', () => {
    const found = sourcesOf('server').flatMap((path) =>
      patternsIn(readFileSync(join(root, path), 'utf8')).flatMap(({ pattern, line }) =>
        searchesEnd(pattern) ? [`${path}:${line} ${pattern}`] : [],
      ),
    )
    assert.deepEqual(found, [])
  })

  for (const slow of ['[\\r\\n]+$', '\\/+$', '=*$', '\\s{2,}$', '[. \\]]+$'])
    it(`is not ${slow}`, () => assert.equal(searchesEnd(slow), true))
  for (const quick of ['(?<![\\r\\n])[\\r\\n]+$', '^[a-z]+$', '=$', '-.*$', '\\.([a-z]{1,10})$'])
    it(`may be ${quick}`, () => assert.equal(searchesEnd(quick), false))
})
