import assert from 'node:assert/strict'
import { it } from 'node:test'
import { nextToast } from '../../toast-under-test.ts'
import { oneFile } from './one-file.ts'

const file = (name: string) => new File(['a'], name)

it('takes the first of several files, and says that it did not take the others', async () => {
  const said = nextToast()
  assert.equal(oneFile([file('front.png')])?.name, 'front.png')
  assert.equal(oneFile([]), undefined)
  assert.equal(oneFile([file('front.png'), file('back.png')])?.name, 'front.png')
  assert.equal(await said, 'Only one file can be added at a time: front.png was added, the others were not.')
})
