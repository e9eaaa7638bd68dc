import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parts, share, timeout } from './hostile-string-share.ts'
import { openWalk, type Walk } from './hostile-string-walk.ts'
import { worstTexts } from './hostile-strings.ts'

/** All of the worst texts in every text that is kept. */
let walk: Walk
before(async () => {
  walk = await openWalk()
})
after(() => walk.close())

describe('all of the worst texts', { timeout: parts.length * timeout }, () => {
  for (const part of parts)
    it(`are shown as they were written wherever they are kept, or the field is refused (${part.name})`, {
      timeout,
    }, async () => {
      const fields = walk.kept.flatMap((kept) => kept.fields.map((field) => ({ kept, field })))
      let tried = 0
      for (const [number, { kept, field }] of fields.entries()) {
        if (!part.has(number)) continue
        const texts = worstTexts.filter((_, at) => (number + at) % share.kept === 0)
        let taken = 0
        for (const text of texts) taken += Number(await walk.tryKept(kept, field, text))
        assert.ok(taken > texts.length / 2, `${kept.call.path} ${field} took ${taken}`)
        tried += 1
      }
      assert.ok(tried > fields.length / (parts.length + 1), String(tried))
    })
})
