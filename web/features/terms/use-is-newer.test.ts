import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { hookUnderTest } from '../../hook-under-test.ts'
import { useIsNewer } from './use-is-newer.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')

it('a version that replaces the one on the screen is newer, and the first one is not', () => {
  let isNewer: boolean | undefined
  const { show, close } = hookUnderTest(useIsNewer, (shown) => (isNewer = shown))
  show(3)
  assert.equal(isNewer, false)
  show(4)
  assert.equal(isNewer, true)
  close()
  show(4)
  assert.equal(isNewer, false)
  close()
})

it('terms stay mounted when a newer version replaces them, and its notice is brought into view', () => {
  assert.match(read('portal/shell/terms-or-page.tsx'), /<TermsPanel\s+key=\{asked\._id\}/)
  assert.match(read('features/terms/terms-panel.tsx'), /<BroughtIntoView>\s*<Callout meaning="red">/)
})

it('staff read beside the buttons why a text was not saved or published', () => {
  const editor = read('features/desk-terms/terms-editor.tsx')
  assert.match(editor, /<Trouble [^>]*\/>\s*<div className=\{parts\.buttons\}>/)
})
