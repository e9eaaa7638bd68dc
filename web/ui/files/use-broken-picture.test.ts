import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { createElement, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
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
  const addEventListener = () => undefined
  const ownerDocument = { nodeType: 9, addEventListener, defaultView: { HTMLIFrameElement: Map } }
  root = createRoot({ nodeType: 1, tagName: 'DIV', namespaceURI: '', addEventListener, ownerDocument } as never)
})
afterEach(() => flushSync(() => root.unmount()))

it('a picture at another address is attempted although the one before was broken', () => {
  show('/files/1')
  flushSync(() => picture.onError())
  assert.equal(picture.isBroken, true)
  show('/files/2')
  assert.equal(picture.isBroken, false)
})
