import assert from 'node:assert/strict'
import { it } from 'node:test'
import { fitted } from './fitted.ts'
import { validatorTexts } from './messages.ts'
import { complainOfPhone } from './reach.ts'

it('a field of a call says what its validator says, and nothing about what was left empty', () => {
  const phone = fitted(complainOfPhone, 40)
  const saysOf = (value: unknown) => phone.safeParse(value).error?.issues.map(({ message }) => message)
  assert.equal(phone.parse(' +356 2123 4567 '), '+356 2123 4567')
  assert.equal(phone.parse(''), '')
  assert.deepEqual(saysOf('12'), [validatorTexts.phoneShort])
  assert.deepEqual(saysOf('x'), [validatorTexts.phone])
  assert.equal(saysOf(['12345'])?.length, 1)
  assert.equal(phone.safeParse('1'.repeat(41)).success, false)
})
