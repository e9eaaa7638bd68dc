// spec: AO 3
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { findAdapter, logoOf } from './registry.ts'

const here = import.meta.dirname
const folders = readdirSync(here, { withFileTypes: true }).filter((entry) => entry.isDirectory())

test('every provider is registered and has a contract test', () => {
  assert.ok(folders.length >= 2)
  for (const { name } of folders) {
    assert.ok(findAdapter(name), `${name} is not registered`)
    assert.ok(existsSync(`${here}/${name}/${name}.contract.test.ts`), `${name} has no contract test`)
  }
})

test('every provider has a neutral picture of its payment method, without letters, brand colours or external resources', () => {
  const pictures = new Set(folders.map(({ name }) => decodeURIComponent(logoOf(name) ?? '')))
  for (const picture of pictures) {
    assert.match(picture, /^data:image\/svg\+xml,<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 40 40">/)
    const drawing = picture.replace('http://www.w3.org/2000/svg', '')
    assert.doesNotMatch(drawing, /script|href|style|url\(|<text|<title|on\w+=|:\/\//i)
    assert.deepEqual([...new Set(drawing.match(/#[0-9a-f]{3,6}/g))], ['#5b6877', '#fff'])
  }
  assert.equal(logoOf('nobody'), null)
})
