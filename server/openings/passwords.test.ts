import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tradingPassword } from '@atrium/contract/accounts/trading-passwords.ts'
import { openingTexts } from '@atrium/contract/openings/texts.ts'
import { makeUnknownPassword, passwordErrors } from './passwords.ts'

const strict = { min: 8, max: 16, classes: 'lower+upper+digit+special', forbidden: '=|\\' } as const
const loose = { min: 5, max: 15, classes: 'two-of-three', forbidden: '' } as const

test('generates a random password that every platform accepts', () => {
  const made = Array.from({ length: 500 }, () => makeUnknownPassword(strict))
  assert.equal(new Set(made).size, 500)
  for (const password of [...made, makeUnknownPassword(loose)]) {
    assert.deepEqual(
      [passwordErrors(password, strict), tradingPassword.safeParse(password).success],
      [[], true],
      password,
    )
  }
  assert.equal(makeUnknownPassword(loose).length, 15)
})

test('explains a platform’s rules beyond ours in sentences', () => {
  assert.deepEqual(passwordErrors('TidalGauge71', strict), [openingTexts.openingPasswordSpecial])
  assert.deepEqual(passwordErrors('TidalGauge71', loose), [])
  assert.match(String(passwordErrors('Tidal=Gauge71', strict)), /any of these characters: = \| \\/)
  assert.deepEqual(passwordErrors('Tidal-Gauge-71-long', strict), ['Use at most 16 characters.'])
})
