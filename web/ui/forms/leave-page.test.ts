import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import {
  isLeavingOnPurpose,
  leaveBy,
  leaveFor,
  leaveForGood,
  reloadByChoice,
  reloadPage,
  stayOnPage,
} from './leave-page.ts'
import { asksBeforeUnload, holdEdits } from './unsaved-edits.ts'

const went: string[] = []
const location = {
  assign: (address: string) => went.push(`${address}, asked: ${asksBeforeUnload()}`),
  replace: (address: string) => went.push(`${address} in its place, asked: ${asksBeforeUnload()}`),
  reload: () => went.push(`reload, asked: ${asksBeforeUnload()}`),
}
const form = Symbol('form')
let releaseEdits: () => void = () => undefined

beforeEach(() => {
  went.length = 0
  Object.assign(globalThis, { window: { location } })
  releaseEdits = holdEdits(form, { blocksLeavingTo: () => true })
})
afterEach(() => {
  releaseEdits()
  stayOnPage()
  Reflect.deleteProperty(globalThis, 'window')
})

describe('a page with unsaved edits', () => {
  it('is not guarded while the app opens a payment page, posts a form in place of the page or reloads it', () => {
    leaveFor('https://pay.example')
    leaveBy(() => went.push(`posted, asked: ${asksBeforeUnload()}`))
    leaveForGood('/home/')
    reloadPage()
    assert.deepEqual(went, [
      'https://pay.example, asked: false',
      'posted, asked: false',
      '/home/ in its place, asked: false',
      'reload, asked: false',
    ])
  })

  it('is guarded when a person leaves or reloads it', () => {
    assert.equal(asksBeforeUnload(), true)
    reloadByChoice()
    assert.deepEqual(went, ['reload, asked: true'])
  })

  it('is guarded again once a form is edited on a page that did not unload', () => {
    leaveFor('https://pay.example')
    assert.equal(isLeavingOnPurpose(), true)
    const other = holdEdits(Symbol('other'), { blocksLeavingTo: () => true })
    assert.equal(asksBeforeUnload(), true)
    other()
  })

  it('is no longer guarded once its edits are gone', () => {
    releaseEdits()
    assert.equal(asksBeforeUnload(), false)
  })
})
