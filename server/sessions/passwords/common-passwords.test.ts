import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import { passwordRules } from '@atrium/contract/sessions/passwords.ts'
import { isCommonPassword, listCommonPasswords } from './common-passwords.ts'

const capital = (word: string) => word.replace(/\p{L}/u, (letter) => letter.toUpperCase())

describe('common passwords', () => {
  test('are at least three thousand that pass the other rules, and each is refused', () => {
    const satisfying = new Set(
      [...listCommonPasswords()]
        .map(capital)
        .filter(
          (word) => word.length <= limits.loginPasswordCharsMax && passwordRules.every((rule) => rule.holds(word)),
        ),
    )
    assert.ok(satisfying.size >= 3_000, String(satisfying.size))
    for (const word of satisfying) assert.ok(isCommonPassword(word), word)
  })

  for (const password of [
    'Password1',
    'PASSWORD1',
    'P@ssw0rd1',
    'P@$$w0rd2026!',
    'Passw0rd!1',
    'Summer2026!',
    'Welcome123',
    'Qwerty123456',
    'Liverpool1!',
    '1qaz2WSX',
    'Aaaaaaa1',
    'AAAAAAAA1234',
    'B1tcoin2025',
    '123Password',
  ]) {
    test(`includes ${password}`, () => assert.ok(isCommonPassword(password)))
  }

  for (const password of ['Tidal-Gauge-71', 'Quay7 lantern rope', 'Xk4#mPz0qLw', 'Gezeiten89Pegel', 'Ⅷ Ärger über 9']) {
    test(`does not include ${password}`, () => assert.ok(!isCommonPassword(password)))
  }
})
