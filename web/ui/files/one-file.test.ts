import assert from 'node:assert/strict'
import { it } from 'node:test'
import { notifications, notificationsStore as toasts } from '@mantine/notifications'
import { oneFile } from './one-file.ts'

const file = (name: string) => new File(['a'], name)

it('takes the first of several files, and says that it did not take the others', async () => {
  notifications.clean() // Other tests share the process.
  const said = new Promise<unknown>((resolve) => {
    const stop = toasts.subscribe((shown) => {
      stop()
      resolve(shown.notifications.map(({ message }) => message))
    })
  })
  assert.equal(oneFile([file('front.png')])?.name, 'front.png')
  assert.equal(oneFile([]), undefined)
  assert.equal(oneFile([file('front.png'), file('back.png')])?.name, 'front.png')
  assert.deepEqual(await said, ['Only one file can be added at a time: front.png was added, the others were not.'])
})
