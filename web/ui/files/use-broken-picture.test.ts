import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { createElement, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { makePageElement } from '../../../tests/fixtures/page-element.ts'
import { useBrokenPicture } from './use-broken-picture.ts'

let root: Root
let picture: ReturnType<typeof useBrokenPicture>

function Shown({ address }: { address: string }) {
  const shown = useBrokenPicture(address)
  useLayoutEffect(() => {
    picture = shown
  })
  return null
}
const show = (address: string) => flushSync(() => root.render(createElement(Shown, { address })))

beforeEach(() => {
  Object.assign(globalThis, { window: { ...globalThis } })
  root = createRoot(makePageElement() as never)
})
afterEach(() => flushSync(() => root.unmount()))

it('a picture at another address is attempted although the one before was broken', () => {
  show('/files/1')
  flushSync(() => picture.onError())
  assert.equal(picture.isBroken, true)
  show('/files/2')
  assert.equal(picture.isBroken, false)
})
