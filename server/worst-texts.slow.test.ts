import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openWalk, type Walk } from './testing/worst-text-walk.ts'
import { worstTexts } from './testing/worst-texts.ts'

/**
 * All of the worst texts in every call and in every text that is kept. Each field meets a part of them, another one than its
 * neighbour; with `ATRIUM_WORST_TEXTS=all` each meets all of them, which takes the better part of an hour.
 */
const isAll = process.env.ATRIUM_WORST_TEXTS === 'all'
const share = isAll ? { sent: 1, kept: 1 } : { sent: 12, kept: 4 }
const timeout = isAll ? 3_600_000 : 600_000
let walk: Walk
before(async () => {
  walk = await openWalk()
})
after(() => walk.close())

describe('all of the worst texts', { timeout: 2 * timeout }, () => {
  it('are answered below 500 by every field of every call', { timeout }, async () => {
    let tried = 0
    for (const call of walk.calls)
      for (const [at, text] of worstTexts.entries())
        tried += await walk.tryEvery(call, text, (field) => (field + at) % share.sent === 0)
    assert.ok(tried > 100_000 / share.sent, String(tried))
    assert.deepEqual(Object.keys(Object.prototype), [])
  })

  it('are shown as they were written wherever they are kept, or the field is refused', { timeout }, async () => {
    const fields = walk.kept.flatMap((kept) => kept.fields.map((field) => ({ kept, field })))
    for (const [number, { kept, field }] of fields.entries()) {
      const texts = worstTexts.filter((_, at) => (number + at) % share.kept === 0)
      let taken = 0
      for (const text of texts) taken += Number(await walk.tryKept(kept, field, text))
      assert.ok(taken > texts.length / 2, `${kept.call.path} ${field} took ${taken}`)
    }
  })
})
