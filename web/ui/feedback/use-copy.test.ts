// spec: AO 8
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, it } from 'node:test'
import { texts } from '@atrium/contract/texts.ts'
import { replaceGlobals } from '../../../tests/fixtures/page-element.ts'
import { hookUnderTest } from '../../hook-under-test.ts'
import { nextToast } from '../../toast-under-test.ts'
import '../text/i18n.ts'
import { useCopy } from './use-copy.ts'

let copy: (text: string) => void
let restoreGlobals: () => void
const { show, close } = hookUnderTest(useCopy, (shown) => {
  copy = shown.copy
})
const withClipboard = (clipboard: object) => Object.assign(globalThis, { navigator: clipboard })

beforeEach(() => {
  Object.assign(globalThis, { window: { setTimeout: () => 0, clearTimeout: () => undefined } })
  restoreGlobals = replaceGlobals({ navigator: {} })
  show()
})
afterEach(() => {
  close()
  restoreGlobals()
})

it('says that a text was copied, only after it was', async () => {
  const written: string[] = []
  withClipboard({ clipboard: { writeText: async (text: string) => void written.push(text) } })
  const said = nextToast()
  copy('AAAA-BBBB')
  assert.equal(await said, texts.copied)
  assert.deepEqual(written, ['AAAA-BBBB'])
})

it('says when the browser refused, or has no clipboard', async () => {
  for (const clipboard of [{ clipboard: { writeText: () => Promise.reject(new Error('NotAllowed')) } }, {}]) {
    withClipboard(clipboard)
    const said = nextToast()
    copy('AAAA-BBBB')
    assert.equal(await said, texts.copyRefused)
  }
})

it('is the only way to the clipboard', () => {
  const web = join(import.meta.dirname, '../..')
  const direct = globSync('{api,desk,features,forms,portal,ui,viewer}/**/*.{ts,tsx}', { cwd: web }).filter(
    (path) => !path.includes('.test.') && readFileSync(join(web, path), 'utf8').includes('navigator.clipboard'),
  )
  assert.deepEqual(direct, [])
})
