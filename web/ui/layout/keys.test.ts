import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Press, readPress } from './keys.ts'

const bindings = [
  { keys: 'j', mayRepeat: true },
  { keys: 'a' },
  { keys: '/' },
  { keys: '?' },
  { keys: 'g d' },
  { keys: 'g a' },
]

const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  code: '',
  hasModifier: false,
  isRepeat: false,
  isTyping: false,
  isDialogOpen: false,
  ...more,
})

const read = (key: string, more: Partial<Press> = {}, begun: string | null = null) => {
  const { found, begun: next } = readPress(press(key, more), bindings, begun)
  return { keys: found?.keys ?? null, begun: next }
}
const nothing = { keys: null, begun: null }

describe('keyboard shortcuts', () => {
  for (const keys of ['j', 'a', '/', '?'])
    it(`reads ${keys}`, () => assert.deepEqual(read(keys), { keys, begun: null }))

  it('ignores other keys', () => {
    for (const key of ['x', 'Enter', 'Escape', 'Tab', 'ArrowDown', ' ', '', 'd'])
      assert.deepEqual(read(key), nothing, key)
  })

  it('ignores keys during typing, in an open dialog, and with a browser modifier', () => {
    for (const key of ['j', 'a', '/', '?', 'g']) {
      for (const why of [{ isTyping: true }, { isDialogOpen: true }, { hasModifier: true }])
        assert.deepEqual(read(key, why), nothing)
    }
  })

  it('repeats navigation while a key is held, but no decision', () => {
    assert.equal(read('j', { isRepeat: true }).keys, 'j')
    assert.deepEqual(read('a', { isRepeat: true }), nothing)
  })

  it('works with caps lock, and by position on non-Latin keyboards', () => {
    assert.equal(read('J').keys, 'j')
    assert.equal(read('\u043e', { code: 'KeyJ' }).keys, 'j')
    // On a French keyboard, q is at the position of a: the letter counts.
    assert.deepEqual(read('q', { code: 'KeyA' }), nothing)
  })

  it('reads a sequence of two keys', () => {
    assert.deepEqual(read('g'), { keys: null, begun: 'g' })
    assert.deepEqual(read('d', {}, 'g'), { keys: 'g d', begun: null })
    assert.deepEqual(read('a', {}, 'g'), { keys: 'g a', begun: null })
  })

  it('runs no decision after a wrong second key', () => {
    assert.deepEqual(read('j', {}, 'g'), nothing)
    assert.deepEqual(read('g', {}, 'g'), nothing)
  })
})
