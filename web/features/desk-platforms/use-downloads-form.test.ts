// spec: DK platforms
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { flushSync } from 'react-dom'
import { hookUnderTest } from '../../hook-under-test.ts'
import { openPage } from '../../page-under-test.ts'
import '../../ui/text/i18n.ts'
import { useDownloadsForm } from './use-downloads-form.ts'
import type { Platform } from './use-platforms.ts'

const platform = { _id: '0199a1b2-0000-7000-8000-000000000001', version: 1, downloads: [] } as unknown as Platform

it('an upload that ends after its row was removed does not bring the row back', () => {
  let form: ReturnType<typeof useDownloadsForm> | undefined
  const { show, close } = hookUnderTest(useDownloadsForm, (shown) => (form = shown))
  show(platform)
  flushSync(() => form?.add())
  flushSync(() => form?.add())
  const [removed, kept] = form?.entries ?? []
  const { put: putAtUpload } = form ?? {}
  assert.ok(removed && kept && putAtUpload)
  flushSync(() => form?.set([{ ...kept, name: 'Terminal' }]))
  const file = { _id: '0199a1b2-0000-7000-8000-000000000002', name: 'setup.exe', size_bytes: 1, url: '' }
  flushSync(() => putAtUpload(removed.key, { file, name: file.name }))
  assert.deepEqual(
    form?.entries.map(({ name }) => name),
    ['Terminal'],
  )
  flushSync(() => putAtUpload(kept.key, { file }))
  assert.deepEqual(
    form?.entries.map(({ name, file }) => [name, file]),
    [['Terminal', file]],
  )
  close()
})

it('a save waits for the upload of an entry, which its saved row would not receive, and discarding ends the upload', async () => {
  let form: ReturnType<typeof useDownloadsForm> | undefined
  let saves = 0
  const { show, until, check, close } = hookUnderTest(useDownloadsForm, (shown) => (form = shown))
  const closePage = openPage(() => {
    saves += 1
    check()
    return new Promise(() => undefined)
  })
  show(platform)
  flushSync(() => form?.add())
  const { key } = form?.entries[0] ?? assert.fail()
  const { round } = form ?? assert.fail()
  flushSync(() => form?.hold(key, true))
  flushSync(() => form?.submit())
  assert.deepEqual([form?.isWaiting, form?.isSubmitting], [true, false])
  flushSync(() => form?.hold(key, false))
  flushSync(() => form?.submit())
  await until(() => saves === 1)
  flushSync(() => form?.undo())
  assert.notEqual(form?.round, round)
  close()
  closePage()
})
