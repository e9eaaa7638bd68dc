// spec: AO 5
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { validatorTexts } from './messages.ts'
import { passwordStrength, type Strength, validateStrength } from './strength.ts'

const words: Record<Strength, string[]> = {
  0: ['', 'a', 'abc', '12345678', 'aaaaaaaaaaaaaaaaaaaa', 'abcdefghijklmnop', '87654321', 'Aaaaaa1', '\u0000'],
  1: ['correcthorsebatt', 'harbour', 'qwertzui', 'Harbor1', 'password', '19371948'],
  2: ['Password1', 'Harbour7', 'lighthouse-k'],
  3: ['Harbour-2026', 'correct horse battery staple', 'Tr0ub4dor&3x', 'ЁлкаЗелёная42!', 'Zm9v-YmFy-9!q'],
}

describe('the strength of a password', () => {
  for (const [strength, passwords] of Object.entries(words))
    for (const password of passwords)
      it(`${JSON.stringify(password)} is ${strength}`, () => assert.equal(passwordStrength(password), Number(strength)))

  it('accepts strength 2 and above unless another minimum is given', () => {
    assert.equal(validateStrength('Harbor1'), validatorTexts.strength)
    assert.equal(validateStrength('Harbor1', 1), null)
    assert.equal(validateStrength('Password1'), null)
    assert.equal(validateStrength('Password1', 3), validatorTexts.strength)
    assert.equal(validateStrength(''), null)
  })

  it('never decreases when varied characters are added', () => {
    let before: Strength = 0
    for (let length = 0; length <= 16; length++) {
      const strength = passwordStrength('kT4.wQ9!zB2-mX7?'.slice(0, length))
      assert.ok(strength >= before)
      before = strength
    }
    assert.equal(before, 3)
  })

  it('reads only the start of a very long password', () => {
    assert.equal(passwordStrength('kT4.'.repeat(250_000)), passwordStrength('kT4.'.repeat(32)))
  })
})
