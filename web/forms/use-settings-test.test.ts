// spec: DK workspace
import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { hookUnderTest } from '../hook-under-test.ts'
import { openPage } from '../page-under-test.ts'
import { useSettingsTest } from './use-settings-test.ts'

let shownTest: ReturnType<typeof useSettingsTest<string>>
let closePage: () => void
let result: () => Promise<string>

const { show, until, close } = hookUnderTest(
  (version: number) => useSettingsTest(version, () => result()),
  (shown) => (shownTest = shown),
)

beforeEach(() => {
  closePage = openPage(() => undefined)
  show(1)
})
afterEach(() => {
  close()
  closePage()
})

it('a result is not shown for settings that were saved after the test', async () => {
  result = async () => 'works'
  shownTest.run()
  await until(() => shownTest.answer === 'works')
  show(2)
  assert.deepEqual([shownTest.answer, shownTest.error], [undefined, null])
  shownTest.run()
  await until(() => shownTest.answer === 'works')
})

it('neither is an error', async () => {
  result = () => Promise.reject(new Error('No answer.'))
  shownTest.run()
  await until(() => shownTest.error?.message === 'No answer.')
  show(2)
  assert.deepEqual([shownTest.answer, shownTest.error], [undefined, null])
})
