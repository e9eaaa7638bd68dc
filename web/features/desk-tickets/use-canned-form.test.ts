// spec: DK tickets
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { flushSync } from 'react-dom'
import { hookUnderTest } from '../../hook-under-test.ts'
import '../../ui/text/i18n.ts'
import { useCannedForm } from './use-canned-form.ts'

it('cancelling a canned reply asks before it drops what was written', async () => {
  const happened: string[] = []
  let answer = false
  const confirm = async ({ title }: { title: string }) => {
    happened.push(title)
    return answer
  }
  let form: ReturnType<typeof useCannedForm> | undefined
  const { show, close } = hookUnderTest(
    () =>
      useCannedForm({
        edited: 'new',
        tools: { confirm, onDirty: () => undefined },
        onDone: () => happened.push('left'),
      }),
    (shown) => (form = shown),
  )
  show()
  await form?.cancel()
  flushSync(() => form?.change({ content: 'Please send us' }))
  await form?.cancel()
  answer = true
  await form?.cancel()
  close()
  const question = 'Do you want to exit before saving?'
  assert.deepEqual(happened, ['left', question, question, 'left'])
})
