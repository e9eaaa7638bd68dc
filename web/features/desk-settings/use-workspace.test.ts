// spec: DK workspace
import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { flushSync } from 'react-dom'
import { hookUnderTest } from '../../hook-under-test.ts'
import { openPage } from '../../page-under-test.ts'
import { queryClient } from '../../ui/lists/query-client.ts'
import '../../ui/text/i18n.ts'
import { type DeskWorkspace, useSection, workspaceQuery } from './use-workspace.ts'

let form: ReturnType<typeof useSection<'brand'>>
let closePage: () => void

/** The workspace as far as the section reads it. */
const workspaceAt = (version: number, name: string, accent = '#0050b3') =>
  ({
    sections: { brand: { name, accent, support_email: null } },
    versions: { brand: { version, by: 'Ben', at: 0 } },
  }) as unknown as DeskWorkspace

/** What the next calls meet; by default each change is refused, because a colleague has saved. */
let isLost = false

async function serve(_address: string, { method }: { method: string }): Promise<Response> {
  // Answers after the page has shown that it waits.
  await new Promise((resolve) => setTimeout(resolve, 5))
  if (isLost) throw new TypeError('Failed to fetch')
  if (method === 'POST') return Response.json({ code: 'conflict', error: deskTexts.settingsChanged }, { status: 409 })
  return Response.json({ code: 'invalid_input', error: 'No.' }, { status: 422 })
}
const { show, until, close } = hookUnderTest(
  () => useSection('brand'),
  (shown) => (form = shown),
)
const read = (workspace: DeskWorkspace) =>
  flushSync(() => void queryClient.setQueryData(workspaceQuery.queryKey, workspace))

async function submit(): Promise<void> {
  flushSync(() => form.submit())
  await until(() => form.isSubmitting)
  await until(() => !form.isSubmitting)
}

beforeEach(() => {
  isLost = false
  closePage = openPage(serve)
  queryClient.setQueryData(workspaceQuery.queryKey, workspaceAt(1, 'Harbour'))
  show()
})
afterEach(() => {
  close()
  queryClient.clear()
  closePage()
})

it('a section without edits shows what a colleague has saved', async () => {
  read(workspaceAt(2, 'Harbour Markets'))
  await until(() => form.values.name === 'Harbour Markets')
  assert.deepEqual([form.isDirty, form.conflict], [false, null])
})

it('edits stay when the settings are read again', async () => {
  flushSync(() => form.change({ name: 'Haven' }))
  read(workspaceAt(2, 'Harbour Markets'))
  await new Promise((resolve) => setTimeout(resolve, 5))
  assert.deepEqual([form.values.name, form.isDirty], ['Haven', true])
})

it('a refused save says so when the colleague’s values cannot be read', async () => {
  flushSync(() => form.change({ name: 'Haven' }))
  await submit()
  assert.deepEqual([form.refusal, form.conflict, form.values.name], [[deskTexts.settingsChanged], null, 'Haven'])
})

it('its own save without an answer is not named as a colleague’s', async () => {
  isLost = true
  flushSync(() => form.change({ name: 'Haven' }))
  await submit()
  isLost = false
  flushSync(() => form.change({ accent: '#112233' }))
  // The settings are being read while the next save is refused.
  const arrived = Promise.withResolvers<DeskWorkspace>()
  const reading = queryClient.fetchQuery({ ...workspaceQuery, queryFn: () => arrived.promise })
  flushSync(() => form.submit())
  await until(() => form.refusal.includes(deskTexts.settingsChanged))
  arrived.resolve(workspaceAt(2, 'Haven'))
  await reading
  await until(() => form.conflict !== null)
  assert.deepEqual(form.conflict, { by: 'Ben', fields: [] })
  assert.deepEqual([form.values.name, form.values.accent, form.isDirty], ['Haven', '#112233', true])
})

it('edits stay that were sent in vain, when a colleague has saved something else meanwhile', async () => {
  isLost = true
  flushSync(() => form.change({ name: 'Haven' }))
  await submit()
  isLost = false
  const arrived = Promise.withResolvers<DeskWorkspace>()
  const reading = queryClient.fetchQuery({ ...workspaceQuery, queryFn: () => arrived.promise })
  flushSync(() => form.submit())
  await until(() => form.refusal.includes(deskTexts.settingsChanged))
  arrived.resolve(workspaceAt(2, 'Harbour', '#112233'))
  await reading
  await until(() => form.conflict !== null)
  assert.deepEqual(form.conflict, { by: 'Ben', fields: ['accent'] })
  assert.deepEqual([form.values.name, form.values.accent, form.isDirty], ['Haven', '#112233', true])
})
