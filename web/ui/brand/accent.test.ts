import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accentOf, contexts, shadesOf } from './accent.ts'
import { contrast, toHex, toOklch } from './colour.ts'

const brands = [
  '#0b5d7a',
  '#000000',
  '#ffffff',
  '#ffff00',
  '#ff0000',
  '#00ff88',
  '#7f7f7f',
  '#f5a623',
  '#3b82f6',
  '#e0e7ff',
  '#1a1a2e',
  '#ff69b4',
]

describe('an accent from any brand colour', () => {
  for (const scheme of ['light', 'dark'] as const) {
    for (const brand of brands) {
      it(`is legible in ${scheme} with ${brand}`, () => {
        const accent = accentOf(brand, scheme)
        assert.ok(contrast(accent.fill, accent.onFill) >= 4.5, 'text on a button')
        assert.ok(contrast(accent.fillHover, accent.onFill) >= 4.5, 'text on a button under the pointer')
        for (const behind of [contexts[scheme].canvas, contexts[scheme].surface, accent.soft])
          assert.ok(contrast(accent.text, behind) >= 4.5, `accent text on ${behind}`)
      })
    }
  }

  it('keeps a brand colour that is already legible', () => {
    assert.equal(accentOf('#0b5d7a', 'light').fill, '#0b5d7a')
  })

  it('returns ten shades, light to dark', () => {
    const shades = shadesOf('#0b5d7a')
    assert.equal(shades.length, 10)
    const lightness = shades.map((shade) => toOklch(shade).lightness)
    assert.deepEqual(
      lightness,
      lightness.toSorted((a, b) => b - a),
    )
  })
})

describe('colour arithmetic', () => {
  it('computes the contrast of black on white, and of grey', () => {
    assert.equal(contrast('#000000', '#ffffff'), 21)
    assert.equal(contrast('#767676', '#ffffff').toFixed(2), '4.54')
  })

  it('survives a round trip', () => {
    for (const brand of brands) assert.equal(toHex(toOklch(brand)), brand)
  })
})
