import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { beneficiaryTexts } from '@atrium/contract/banking/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { flushSync } from 'react-dom'
import { z } from 'zod'
import { ApiError } from '../../api/api-error.ts'
import { hookUnderTest } from '../../hook-under-test.ts'
import { openPage } from '../../page-under-test.ts'
import '../../ui/text/i18n.ts'
import { useBeneficiaryForm } from './use-beneficiary-form.ts'

type Draft = { bank_name: string; city: string; seen: string | undefined }

let form: ReturnType<typeof useBeneficiaryForm<Draft, 'bank_name' | 'city'>>
let closePage: () => void
let stored: Draft
let isReadable = true
let isAnswered = true

async function save(draft: Draft): Promise<{ msg: string[] }> {
  // Answers after the page has shown that it waits.
  await new Promise((resolve) => setTimeout(resolve, 5))
  if (draft.seen !== stored.seen)
    throw new ApiError({ code: 'conflict', message: beneficiaryTexts.changedElsewhere, status: 409 })
  stored = { ...draft, seen: `${stored.seen}+` }
  if (!isAnswered) throw new ApiError({ code: 'unreachable', message: texts.requestFailed })
  return { msg: [] }
}
const none = () => undefined
const { show, until, close } = hookUnderTest(
  (start: Draft) =>
    useBeneficiaryForm<Draft, 'bank_name' | 'city'>({
      start,
      schema: z.object({}),
      labels: { bank_name: 'Bank name', city: 'City' },
      isNew: false,
      tools: { onCancel: none, onSaved: none, onDirty: none, confirm: async () => true },
      readAgain: async () => (isReadable ? stored : null),
      send: save,
    }),
  (shown) => (form = shown),
)
async function submit(): Promise<void> {
  flushSync(() => form.submit())
  await until(() => form.isSubmitting)
  await until(() => !form.isSubmitting)
}

beforeEach(() => {
  stored = { bank_name: 'Members Bank', city: 'Frankfurt', seen: '1' }
  isReadable = true
  isAnswered = true
  closePage = openPage(none)
  show(stored)
})
afterEach(() => {
  close()
  closePage()
})

it('a change of another tab is not overwritten: untouched fields show it, and a second save keeps both', async () => {
  stored = { bank_name: 'Members Bank', city: 'Berlin', seen: '2' }
  flushSync(() => form.change({ bank_name: 'Other Bank' }))
  await submit()
  assert.deepEqual(
    [form.isOvertaken, form.refusal, form.values],
    [true, [], { bank_name: 'Other Bank', city: 'Berlin', seen: '2' }],
  )
  await submit()
  assert.deepEqual(stored, { bank_name: 'Other Bank', city: 'Berlin', seen: '2+' })
})

it('entries restored after an ended session name the revision that they began with, and are saved after the notice', async () => {
  stored = { bank_name: 'Members Bank', city: 'Berlin', seen: '2' }
  close()
  show(stored)
  flushSync(() => form.change({ bank_name: 'Other Bank', city: 'Frankfurt', seen: '1' }))
  await submit()
  assert.deepEqual([form.isOvertaken, form.values.seen, stored.city], [true, '2', 'Berlin'])
  await submit()
  assert.deepEqual([stored.bank_name, stored.city], ['Other Bank', 'Frankfurt'])
})

it('the refusal stays beside the button when the newer values cannot be read', async () => {
  stored = { bank_name: 'Members Bank', city: 'Berlin', seen: '2' }
  isReadable = false
  flushSync(() => form.change({ bank_name: 'Other Bank' }))
  await submit()
  assert.deepEqual([form.isOvertaken, form.refusal], [false, [beneficiaryTexts.changedElsewhere]])
})

it('a value stays that was corrected after a save without an answer, which did arrive', async () => {
  isAnswered = false
  flushSync(() => form.change({ bank_name: 'Wrong Bank' }))
  await submit()
  isAnswered = true
  flushSync(() => form.change({ bank_name: 'Members Bank', city: 'Berlin' }))
  await submit()
  assert.deepEqual([form.values.bank_name, form.values.city], ['Members Bank', 'Berlin'])
  await submit()
  assert.deepEqual([stored.bank_name, stored.city], ['Members Bank', 'Berlin'])
})
