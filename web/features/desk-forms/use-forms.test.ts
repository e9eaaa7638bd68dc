// spec: DK forms
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { DeskForm, FormValues } from '@atrium/contract/forms/desk-calls.ts'
import { hookUnderTest } from '../../hook-under-test.ts'
import { openPage } from '../../page-under-test.ts'
import { queryClient } from '../../ui/lists/query-client.ts'
import { formQuery, useChangeForm } from './use-forms.ts'

const id = '0199a1b2-0000-7000-8000-000000000001'
const values: Omit<FormValues, 'name'> = {
  ...{ show_on: null, is_request: true, category: null },
  ...{ vendors: [], departments: [] },
}
const formOf = (name: string) =>
  ({
    ...{ _id: id, name, ...values, archived: false, version: 1, made_at: 0, made_by: null, submissions: 0 },
    ...{ request_types: [], definition: {}, versions: [] },
  }) as unknown as DeskForm
const answerOf = (form: DeskForm) => Response.json({ status: 'ok', form })

it('a reading that began before a save does not bring the old settings back', async () => {
  let answerReading: (answer: Response) => void = () => undefined
  const reading = new Promise<Response>((resolve) => {
    answerReading = resolve
  })
  const closePage = openPage((_address, { method }: { method: string }) =>
    method === 'POST' ? answerOf(formOf('Move')) : reading,
  )
  const { queryKey } = formQuery(id)
  queryClient.setQueryData(queryKey, formOf('Address'))
  let change: ReturnType<typeof useChangeForm> | undefined
  const { show, close } = hookUnderTest(
    () => useChangeForm(id),
    (shown) => (change = shown),
  )
  show()
  const isRead = queryClient.fetchQuery({ ...formQuery(id), staleTime: 0 }).catch(() => null)
  await change?.mutateAsync({ ...values, name: 'Move', seen: undefined })
  answerReading(answerOf(formOf('Address')))
  await isRead
  await new Promise((resolve) => setTimeout(resolve))
  assert.equal(queryClient.getQueryData(queryKey)?.name, 'Move')
  close()
  queryClient.clear()
  closePage()
})
