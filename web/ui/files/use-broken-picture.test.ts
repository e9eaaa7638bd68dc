import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'
import { flushSync } from 'react-dom'
import { hookUnderTest } from '../../hook-under-test.ts'
import { useBrokenPicture } from './use-broken-picture.ts'

let picture: ReturnType<typeof useBrokenPicture>
const { show, close } = hookUnderTest(useBrokenPicture, (shown) => (picture = shown))

afterEach(close)

it('a picture at another address is attempted although the one before was broken', () => {
  show('/files/1')
  flushSync(() => picture.onError())
  assert.equal(picture.isBroken, true)
  show('/files/2')
  assert.equal(picture.isBroken, false)
})
