// spec: DK members
import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { flushSync } from 'react-dom'
import { ApiError } from '../../api/api-error.ts'
import { hookUnderTest } from '../../hook-under-test.ts'
import { openPage } from '../../page-under-test.ts'
import '../../ui/text/i18n.ts'
import { usePermissionsForm } from './use-permissions-form.ts'

let form: ReturnType<typeof usePermissionsForm>
let closePage: () => void
/** The member's permissions on the server. */
let stored: string[] = []
let isAnswered = true

async function save({ denied, seen }: { denied: string[]; seen: string[] }): Promise<string[]> {
  // Answers after the page has shown that it waits.
  await new Promise((resolve) => setTimeout(resolve, 5))
  if (JSON.stringify(seen) !== JSON.stringify(stored))
    throw new ApiError({ code: 'conflict', message: deskTexts.permissionsChanged, status: 409 })
  stored = denied.map((key) => `${key}-`)
  if (!isAnswered) throw new ApiError({ code: 'unreachable', message: texts.requestFailed })
  return stored
}
/** Shows the page with the permissions that the member was last read with. */
const { show, until, close } = hookUnderTest(
  (permissions: string[]) => usePermissionsForm(permissions, save),
  (shown) => (form = shown),
)
async function submit(): Promise<void> {
  flushSync(() => form.submit())
  await until(() => form.isSubmitting)
  await until(() => !form.isSubmitting)
}

beforeEach(() => {
  stored = []
  isAnswered = true
  closePage = openPage(() => undefined)
  show(stored)
})
afterEach(() => {
  close()
  closePage()
})

it('the denials of a colleague stay when the member is read again before a save', async () => {
  flushSync(() => form.allow('support', false))
  stored = ['withdraw-']
  show(stored)
  assert.deepEqual([form.denied, form.taken, form.given], [['withdraw', 'support'], ['support'], []])
  assert.equal(form.isChangedElsewhere, true)
  await submit()
  show(stored)
  assert.deepEqual(stored, ['withdraw-', 'support-'])
  assert.deepEqual([form.isDirty, form.taken, form.given], [false, [], []])
})

it('untouched switches show what a colleague has saved', () => {
  show(['withdraw-'])
  assert.deepEqual([form.denied, form.isDirty, form.isChangedElsewhere], [['withdraw'], false, false])
})

it('a refused save keeps the input and its message until the member is read again', async () => {
  flushSync(() => form.allow('support', false))
  stored = ['withdraw-']
  await submit()
  assert.deepEqual([form.denied, form.refusal], [['support'], [deskTexts.permissionsChanged]])
  show(stored)
  assert.deepEqual([form.denied, form.isChangedElsewhere], [['withdraw', 'support'], true])
  await submit()
  assert.deepEqual(stored, ['withdraw-', 'support-'])
})

it('a colleague’s change is not named beside edits that are made later, on top of it', () => {
  flushSync(() => form.allow('support', false))
  stored = ['withdraw-']
  show(stored)
  assert.equal(form.isChangedElsewhere, true)
  flushSync(() => form.undo())
  flushSync(() => form.allow('support', false))
  assert.deepEqual([form.denied, form.isChangedElsewhere], [['withdraw', 'support'], false])
})

it('its own save without an answer is not named as a change by somebody else, and what was changed since stays', async () => {
  isAnswered = false
  flushSync(() => form.allow('support', false))
  await submit()
  isAnswered = true
  flushSync(() => form.allow('support', true))
  flushSync(() => form.allow('withdraw', false))
  show(stored)
  assert.deepEqual([form.denied, form.isDirty, form.isChangedElsewhere], [['withdraw'], true, false])
  await submit()
  assert.deepEqual(stored, ['withdraw-'])
})
