import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findAdapter, logoOf } from './registry.ts'

const here = import.meta.dirname
const folders = readdirSync(here, { withFileTypes: true }).filter((entry) => entry.isDirectory())

test('every provider stands in the registry and is run through the shared tests', () => {
  assert.ok(folders.length >= 2)
  for (const { name } of folders) {
    assert.ok(findAdapter(name), `${name} is in no registry`)
    assert.ok(existsSync(`${here}/${name}/${name}.contract.test.ts`), `${name} has no contract test`)
    assert.ok(existsSync(`${here}/${name}/logo.svg`), `${name} has no logo.svg`)
  }
})

test('every provider has a square picture of its own, which runs nothing and fetches nothing', () => {
  const drawings = folders.map(({ name }) => readFileSync(`${here}/${name}/logo.svg`, 'utf8'))
  for (const [index, drawing] of drawings.entries()) {
    assert.equal(logoOf(folders[index]?.name ?? ''), `data:image/svg+xml,${encodeURIComponent(drawing.trim())}`)
    assert.match(drawing, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 40 40">/)
    assert.doesNotMatch(
      drawing.replace('http://www.w3.org/2000/svg', ''),
      /script|href|style|url\(|<text|on\w+=|:\/\//i,
    )
  }
  assert.equal(new Set(drawings).size, drawings.length)
  assert.equal(logoOf('nobody'), null)
})
