import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deskKeys, type Press, readDeskKey } from './desk-keys.ts'

const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  code: '',
  hasModifier: false,
  isRepeat: false,
  isTyping: false,
  isDialogOpen: false,
  ...more,
})

describe('the keys of the desk', () => {
  for (const { key, action } of deskKeys)
    it(`reads ${key} as ${action}`, () => assert.equal(readDeskKey(press(key)), action))

  it('means nothing by other keys', () => {
    for (const key of ['x', 'Enter', 'Escape', 'Tab', 'ArrowDown', ' ', ''])
      assert.equal(readDeskKey(press(key)), null, key)
  })

  it('does nothing while somebody types, a dialog asks, or the browser is meant', () => {
    for (const { key } of deskKeys) {
      assert.equal(readDeskKey(press(key, { isTyping: true })), null)
      assert.equal(readDeskKey(press(key, { isDialogOpen: true })), null)
      assert.equal(readDeskKey(press(key, { hasModifier: true })), null)
    }
  })

  it('moves on while a key is held, and decides nothing', () => {
    assert.equal(readDeskKey(press('j', { isRepeat: true })), 'next')
    assert.equal(readDeskKey(press('k', { isRepeat: true })), 'previous')
    assert.equal(readDeskKey(press('a', { isRepeat: true })), null)
    assert.equal(readDeskKey(press('r', { isRepeat: true })), null)
  })

  it('works with caps lock, and by place where letters are not Latin', () => {
    assert.equal(readDeskKey(press('J')), 'next')
    assert.equal(readDeskKey(press('\u043e', { code: 'KeyJ' })), 'next')
    // On a French keyboard the letter q stands where a is elsewhere: the letter counts.
    assert.equal(readDeskKey(press('q', { code: 'KeyA' })), null)
  })
})
