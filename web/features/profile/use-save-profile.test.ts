import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { savePreferences } from '@atrium/contract/members/calls.ts'
import { texts } from '@atrium/contract/texts.ts'
import { flushSync } from 'react-dom'
import { hookUnderTest } from '../../hook-under-test.ts'
import { openPage } from '../../page-under-test.ts'
import { queryClient } from '../../ui/lists/query-client.ts'
import '../../ui/text/i18n.ts'
import { useSaveProfile } from './use-save-profile.ts'

let isRefused = true
let shown: ReturnType<typeof useSaveProfile<typeof savePreferences>>
let closePage: () => void
const { show, until, close } = hookUnderTest(
  () => useSaveProfile(savePreferences),
  (now) => (shown = now),
)
const preferences = { version: 1, text_language: null, language: null, time_zone: null, colour_scheme: null }

beforeEach(() => {
  closePage = openPage(async () =>
    isRefused
      ? Response.json({ code: 'conflict', error: texts.requestFailed }, { status: 409 })
      : Response.json({ status: 'ok', msg: ['Saved.'], version: 2 }),
  )
  show()
})
afterEach(() => {
  close()
  queryClient.clear()
  closePage()
})

it('a choice that was not saved stays reported until another one is saved', async () => {
  flushSync(() => shown.save(preferences))
  await until(() => shown.problem[0] === texts.requestFailed)
  assert.equal(shown.isSaving, false)
  isRefused = false
  flushSync(() => shown.save(preferences))
  await until(() => shown.problem.length === 0 && !shown.isSaving)
})
