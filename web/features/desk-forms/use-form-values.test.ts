// spec: DK forms
import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import type { DeskForm } from '@atrium/contract/forms/desk-calls.ts'
import { flushSync } from 'react-dom'
import { hookUnderTest } from '../../hook-under-test.ts'
import { openPage } from '../../page-under-test.ts'
import '../../ui/text/i18n.ts'
import { useFormValues } from './use-form-values.ts'

let writing: ReturnType<typeof useFormValues>
let closePage: () => void

/** The form as far as its settings read it. */
const formAt = (revision: string, name: string, category: string | null = null, vendors: string[] = []) =>
  ({
    ...{ _id: '0199a1b2-0000-7000-8000-000000000001', revision, name, category },
    ...{ show_on: null, is_request: true, vendors, departments: [] },
  }) as unknown as DeskForm

let sent: { seen: string; name: string; category: string | null; vendors: string[] }[] = []
let isLost = false
function serve(_address: string, { body }: { body: string }): Promise<Response> {
  if (isLost) return Promise.reject(new TypeError('Failed to fetch'))
  sent.push(JSON.parse(body))
  return new Promise(() => undefined)
}

const { show, until, check, close } = hookUnderTest(useFormValues, (shown) => (writing = shown))

beforeEach(() => {
  sent = []
  isLost = false
  closePage = openPage((address, request) => {
    const answer = serve(address, request)
    check()
    return answer
  })
  show(formAt('1', 'Address'))
})
afterEach(() => {
  close()
  closePage()
})

it('settings without edits show what a colleague has saved', () => {
  show(formAt('2', 'Change of address'))
  assert.deepEqual([writing.values.name, writing.isDirty], ['Change of address', false])
})

it('edits stay, and discarding them shows what a colleague has saved', () => {
  flushSync(() => writing.change({ name: 'Move' }))
  show(formAt('2', 'Change of address'))
  assert.equal(writing.values.name, 'Move')
  flushSync(() => writing.undo())
  assert.equal(writing.values.name, 'Change of address')
})

it('edits are saved on top of what a colleague has saved meanwhile, and it is said what they replace', async () => {
  flushSync(() => writing.change({ name: 'Move', vendors: 'Mine' }))
  show(formAt('2', 'Address', 'Profile', ['Theirs']))
  assert.deepEqual(writing.replaced, [])
  show(formAt('3', 'Change of address', 'Profile', ['Theirs']))
  assert.deepEqual(writing.replaced, ['name'])
  flushSync(() => writing.submit())
  await until(() => sent.length === 1)
  assert.deepEqual(
    sent.map(({ seen, name, category, vendors }) => [seen, name, category, vendors]),
    [['3', 'Move', 'Profile', ['Mine', 'Theirs']]],
  )
})

it('its own save without an answer is not named as a change by somebody else', async () => {
  isLost = true
  flushSync(() => writing.change({ name: 'Move' }))
  flushSync(() => writing.submit())
  await until(() => writing.isUnknown || writing.refusal.length > 0)
  await until(() => !writing.isSubmitting)
  flushSync(() => writing.change({ category: 'Profile' }))
  show(formAt('2', 'Move'))
  assert.deepEqual([writing.values.name, writing.values.category, writing.isDirty], ['Move', 'Profile', true])
  assert.equal(writing.replaced, null)
})
