// spec: MP 5, MP 9, AO 5, AO 9
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { texts } from '../texts.ts'
import { changePassword, processPasswordReset } from './calls.ts'

function errorsOf(password: string, password_confirmation = password): string[] {
  const parsed = processPasswordReset.input.safeParse({ code: 'x', password, password_confirmation })
  return parsed.success ? [] : parsed.error.issues.map((issue) => issue.message)
}

describe('a new password', () => {
  for (const [password, ...errors] of [
    ['Harbour1'],
    ['Ärgerlich7'],
    ['ЖЖЖЖЖЖЖ٣'],
    ['With spaces 1 '],
    ['😀😀😀😀😀😀A1'],
    ['Harbou1', texts.passwordTooShort],
    ['😀😀😀A1', texts.passwordTooShort],
    ['harbour1', texts.passwordUppercase],
    ['Harbours', texts.passwordDigit],
    ['', texts.passwordTooShort, texts.passwordUppercase, texts.passwordDigit],
    ['Harbour1\ud800', texts.passwordUnreadable],
  ] as const) {
    test(JSON.stringify(password), () => assert.deepEqual(errorsOf(password), errors))
  }

  test('requires a matching confirmation', () => {
    const parsed = changePassword.input.safeParse({ password: 'Harbour1', password_confirmation: 'Harbour2' })
    assert.deepEqual(
      parsed.error?.issues.map(({ path, message }) => [...path, message]),
      [['password_confirmation', texts.passwordConfirmation]],
    )
    assert.deepEqual(errorsOf('Harbour1', ''), [texts.passwordConfirmation])
  })
})
