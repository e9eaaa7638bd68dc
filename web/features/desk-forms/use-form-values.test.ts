// spec: DK forms
import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import type { DeskForm } from '@atrium/contract/forms/desk-calls.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { createElement, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { makePageElement, replaceGlobals } from '../../../tests/fixtures/page-element.ts'
import { queryClient } from '../../ui/lists/query-client.ts'
import '../../ui/text/i18n.ts'
import { useFormValues } from './use-form-values.ts'

let root: Root
let writing: ReturnType<typeof useFormValues>
let restore: () => void

/** The form as far as its settings read it. */
const formAt = (revision: string, name: string) =>
  ({
    ...{ _id: '0199a1b2-0000-7000-8000-000000000001', revision, name },
    ...{ show_on: null, is_request: true, category: null, vendors: [], departments: [] },
  }) as unknown as DeskForm

function Shown({ form }: { form: DeskForm }) {
  const shown = useFormValues(form)
  useLayoutEffect(() => {
    writing = shown
  })
  return null
}
const show = (form: DeskForm) =>
  flushSync(() =>
    root.render(createElement(QueryClientProvider, { client: queryClient }, createElement(Shown, { form }))),
  )

beforeEach(() => {
  restore = replaceGlobals({ window: {}, document: { querySelector: () => null } })
  root = createRoot(makePageElement() as never)
  show(formAt('1', 'Address'))
})
afterEach(() => {
  flushSync(() => root.unmount())
  restore()
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
