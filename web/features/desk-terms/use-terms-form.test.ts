// spec: DK terms
import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { DeskTerms, TermsText } from '@atrium/contract/terms/desk-calls.ts'
import { flushSync } from 'react-dom'
import { hookUnderTest } from '../../hook-under-test.ts'
import { openPage } from '../../page-under-test.ts'
import '../../ui/text/i18n.ts'
import { queryClient } from '../../ui/lists/query-client.ts'
import { termsOneQuery } from './use-terms.ts'
import { type TermsForm, termsChanged, usePublication, useTermsForm } from './use-terms-form.ts'

const text: TermsText = {
  name: 'Client agreement',
  tickbox_text: 'I agree.',
  template: '<p>Text</p>',
  blocked_portal_sections: ['all'],
}
const termsAt = (revision: number, draft = text): DeskTerms => ({
  _id: '0199a1b2-0000-7000-8000-000000000001',
  name: draft.name,
  state: 'published',
  version: 1,
  published_at: 0,
  blocked_portal_sections: draft.blocked_portal_sections,
  is_changed: false,
  accepted: 0,
  members: 0,
  draft,
  revision,
  updated_at: 0,
  versions: [],
})

/** The revision of the server's draft. */
let stored = 0

async function serve(_address: string, { body }: { body: string }): Promise<Response> {
  // Answers after the page has shown that it waits.
  await new Promise((resolve) => setTimeout(resolve, 5))
  const { revision, id: _, ...draft } = JSON.parse(body) as TermsText & { revision: number; id?: string }
  if (revision !== stored)
    return Response.json({ code: 'conflict', error: deskTexts.termsChangedElsewhere }, { status: 409 })
  stored += 1
  return Response.json({ status: 'ok', terms: termsAt(stored, draft) })
}

let form: TermsForm
let closePage: () => void
const { show, until, close } = hookUnderTest(
  (terms: DeskTerms) => useTermsForm(terms, () => undefined),
  (shown) => (form = shown),
)
async function save(changes: Partial<TermsText>): Promise<void> {
  flushSync(() => form.change(changes))
  flushSync(() => form.submit())
  await until(() => form.isSubmitting)
  await until(() => !form.isSubmitting)
}

beforeEach(() => {
  stored = 1
  closePage = openPage(serve)
  show(termsAt(1))
})
afterEach(() => {
  close()
  queryClient.clear()
  closePage()
})

it('a draft can be saved after it was published from the same page', async () => {
  await save({ name: 'Agreement' })
  assert.equal(form.isConflict, false)
  stored += 1
  flushSync(() => form.onPublished(termsAt(stored)))
  await save({ name: 'New agreement' })
  assert.deepEqual([form.isConflict, form.isDirty], [false, false])
})

it('a draft that a colleague has changed is not overwritten', async () => {
  stored += 1
  await save({ name: 'Agreement' })
  assert.deepEqual([form.isConflict, form.isDirty], [true, true])
})

it('an unchanged editor shows the draft that a publication would publish', async () => {
  const theirs = { ...text, template: '<p>Their text</p>' }
  stored += 1
  show(termsAt(stored, theirs))
  assert.deepEqual([form.values.template, form.isDirty], ['<p>Their text</p>', false])
  await save({ name: 'Agreement' })
  assert.deepEqual([form.isConflict, form.values.template], [false, '<p>Their text</p>'])
})

it('a text that is being written stays when a colleague saves another one', async () => {
  flushSync(() => form.change({ template: '<p>My text</p>' }))
  stored += 1
  show(termsAt(stored, { ...text, template: '<p>Their text</p>' }))
  assert.equal(form.values.template, '<p>My text</p>')
  await save({})
  assert.equal(form.isConflict, true)
})

it('a text that a colleague has changed since is shown before it can be published', async () => {
  const theirs = { ...text, template: '<p>Their text</p>' }
  stored += 1
  queryClient.setQueryData(termsOneQuery(termsAt(1)._id).queryKey, termsAt(stored, theirs))
  let isOpen = true
  let publication: ReturnType<typeof usePublication> | undefined
  const dialog = hookUnderTest(
    () => usePublication({ ...form, terms: termsAt(1), onClose: () => (isOpen = false) }),
    (shown) => (publication = shown),
  )
  dialog.show()
  flushSync(() => publication?.submit())
  await dialog.until(() => publication?.refusal.length === 1)
  await until(() => form.refusal.length > 0)
  assert.equal(isOpen, false)
  assert.deepEqual([form.values.template, form.isDirty, form.refusal], ['<p>Their text</p>', false, [termsChanged]])
  dialog.close()
  await save({ name: 'Agreement' })
  assert.deepEqual([form.isConflict, form.refusal], [false, []])
})
