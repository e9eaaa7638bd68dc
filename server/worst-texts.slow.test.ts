import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openWalk, type Walk } from './testing/worst-text-walk.ts'
import { worstTexts } from './testing/worst-texts.ts'

/**
 * All of the worst texts in every text that is kept, and in every call; there each field meets a part of them, another one
 * than its neighbour, and all of them with `ATRIUM_WORST_TEXTS=all`.
 */
const share = process.env.ATRIUM_WORST_TEXTS === 'all' ? 1 : 6
let walk: Walk
before(async () => {
  walk = await openWalk()
})
after(() => walk.close())

describe('all of the worst texts', () => {
  it('are answered below 500 by every field of every call', async () => {
    let tried = 0
    for (const call of walk.calls)
      for (const [at, text] of worstTexts.entries())
        tried += await walk.tryEvery(call, text, (field) => (field + at) % share === 0)
    assert.ok(tried > 100_000 / share, String(tried))
    assert.deepEqual(Object.keys(Object.prototype), [])
  })

  it('are shown as they were written wherever they are kept, or the field is refused', async () => {
    for (const kept of walk.kept) {
      for (const field of kept.fields) {
        let taken = 0
        for (const text of worstTexts) taken += Number(await walk.tryKept(kept, field, text))
        assert.ok(taken > worstTexts.length / 2, `${kept.call.path} ${field} took ${taken}`)
      }
    }
  })
})
