// spec: AO 3
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bankAccountInput } from './calls.ts'
import { isDomesticAccount, isRoutingNumber } from './domestic-numbers.ts'
import { beneficiaryTexts } from './texts.ts'

/** The number with each digit changed once, and with each pair of neighbours swapped whose digits differ by other than five. */
const slips = (number: string): string[] => {
  const digits = [...number]
  const changed = digits.map((digit, at) => digits.with(at, String((Number(digit) + 1) % 10)).join(''))
  const swapped = digits.flatMap((digit, at) => {
    const next = digits[at + 1]
    const isSeen = next !== undefined && (Number(next) - Number(digit)) % 5 !== 0
    return isSeen
      ? [
          digits
            .with(at, next)
            .with(at + 1, digit)
            .join(''),
        ]
      : []
  })
  return [...changed, ...swapped]
}

describe('a routing number of a bank in the USA', () => {
  for (const number of ['021000021', '011401533', '111000025', '122105155'])
    it(`is ${number}, and not with a slip in it`, () => {
      for (const country of ['US', 'PR']) assert.equal(isRoutingNumber(country, number), true, country)
      for (const wrong of slips(number)) assert.equal(isRoutingNumber('US', wrong), false, wrong)
    })

  it('has nine digits', () => {
    for (const wrong of ['21000021', '0210000210', '02100002A', '000000000', '021-000-021'])
      assert.equal(isRoutingNumber('US', wrong), false, wrong)
  })

  it('says nothing about those of other countries', () => {
    for (const [country, number] of [
      ['GB', '202016'],
      ['IN', 'HDFC0000001'],
      ['CA', '000312345'],
      ['AU', '062-000'],
      ['', '1'],
    ] as const)
      assert.equal(isRoutingNumber(country, number), true, number)
  })
})

describe('an account number with a check digit', () => {
  for (const [country, number] of [
    ['MX', '032180000118359719'],
    ['MX', '002010077777777771'],
    ['AR', '2850590940090418135201'],
    ['AR', '0170099220000067797370'],
  ] as const)
    it(`is ${number} in ${country}, and not with a slip in it`, () => {
      assert.equal(isDomesticAccount(country, number), true)
      for (const wrong of slips(number)) assert.equal(isDomesticAccount(country, wrong), false, wrong)
    })

  it('is judged in that format and country only', () => {
    for (const [country, number] of [
      ['MX', '4152313012345678'],
      ['AR', '0000003100010000000001'],
      ['US', '032180000118359710'],
      ['constructor', '032180000118359710'],
    ] as const)
      assert.equal(isDomesticAccount(country, number), true, number)
  })
})

describe('a bank account', () => {
  const account = {
    currency: 'USD',
    account_holder: 'Mara Member',
    bank_name: 'First Bank',
    bank_account: '000123456789',
    swift: 'CHASUS33',
    address_line_1: '1 Bank Street',
    city: 'New York',
    state: 'New York',
    country: 'US',
    routing_number: '0210 0002\u00a01',
  }
  const problemsIn = (change: object) =>
    bankAccountInput.safeParse({ ...account, ...change }).error?.issues.map(({ path, message }) => [path[0], message])

  it('is refused at the field of the wrong number', () => {
    assert.equal(problemsIn({}), undefined)
    assert.equal(problemsIn({ routing_number: '' }), undefined)
    assert.deepEqual(problemsIn({ routing_number: '021000022' }), [
      ['routing_number', beneficiaryTexts.routingNumberWrong],
    ])
    const mexico = { country: 'MX', swift: 'BNMXMXMM', state: 'CMX', routing_number: null, currency: 'MXN' }
    assert.equal(problemsIn({ ...mexico, bank_account: '0321 8000 0118 3597 19' }), undefined)
    assert.deepEqual(problemsIn({ ...mexico, bank_account: '032180000118359718' }), [
      ['bank_account', beneficiaryTexts.accountNumberWrong],
    ])
  })
})
