import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parts, share, timeout } from './hostile-string-share.ts'
import { openWalk, type Walk } from './hostile-string-walk.ts'
import { worstTexts } from './hostile-strings.ts'

/** All of the worst texts in every call. */
let walk: Walk
before(async () => {
  walk = await openWalk()
})
after(() => walk.close())

describe('all of the worst texts', { timeout: parts.length * timeout }, () => {
  let tried = 0
  for (const part of parts)
    it(`are answered below 500 by every field of every call (${part.name})`, { timeout }, async () => {
      for (const [number, call] of walk.calls.entries())
        for (const [at, text] of part.has(number) ? worstTexts.entries() : [])
          tried += await walk.tryEvery(call, text, (field) => (field + at) % share.sent === 0)
    })

  it('were that many, and none left anything behind in the program', () => {
    assert.ok(tried > 100_000 / share.sent, String(tried))
    assert.deepEqual(Object.keys(Object.prototype), [])
  })
})
