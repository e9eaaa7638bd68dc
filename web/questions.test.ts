import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const read = (place: string) => readFileSync(`${import.meta.dirname}/${place}`, 'utf8')
const button = /<(Button|ActionIcon|Menu\.Item)\b(?:(?!<\/?\1\b)[\s\S])*<\/\1>/g
const ending = /t\('(?:Archive|Delete|End|Lock|Revoke|Stop)\b/

test('no button of the desk ends something with its first press', () => {
  const buttons = globSync('features/desk-*/*.tsx', { cwd: import.meta.dirname }).flatMap((place) =>
    [...read(place).matchAll(button)].map(([element]) => ({ place, element })),
  )
  const found = buttons.filter(({ element }) => ending.test(element))
  assert.ok(found.length > 5, `only ${found.length} were found`)
  const unasked = found.filter(({ element }) => /onClick=\{[^}]*\.mutate(?:Async)?\(/.test(element))
  assert.deepEqual(
    unasked.map(({ place }) => place),
    [],
  )
})

test('a picture is removed after a question', () => {
  const field = read('ui/files/picture-field.tsx')
  assert.match(field, /onClick=\{\(\) => remove\(removal\)\}/)
  assert.match(field, /await confirm\(/)
})

test('members discard a saved form and their picture after a question', () => {
  const form = read('features/forms/filled-form.tsx')
  assert.match(form, /if \(asked !== 'now'\)\s+return \(\s+<Button .*onClick=\{\(\) => setAsked\('now'\)\}/)
  assert.equal(form.match(/onClick=\{onStartOver\}/g)?.length, 1)
  assert.match(read('features/profile/picture-dialog.tsx'), /await tools\.confirm\([\s\S]*if \(yes\) remove\(\)/)
})
