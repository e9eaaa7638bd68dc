// spec: MP 5, AO 3, AO 5
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Big from 'big.js'
import fc from 'fast-check'
import { currencyDecimals } from './currencies.ts'
import { addAmounts, formatAmount, isMore, isSame, readAmount, subtractAmounts, toScale } from './money.ts'

const currencies = ['USD', 'JPY', 'KWD', 'BTC', 'ETH']

/** Valid amounts as text, with their currency. */
const amounts = fc
  .record({ currency: fc.constantFrom(...currencies), units: fc.bigInt({ min: 1n, max: 10n ** 15n }) })
  .map(({ currency, units }) => {
    const decimals = currencyDecimals(currency)
    const digits = units.toString().padStart(decimals + 1, '0')
    const cut = digits.length - decimals
    const text = decimals === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`
    return { currency, text, units }
  })
  .filter(({ text }) => (text.split('.')[0] ?? '').length <= 9)

const runs = Number(process.env.ATRIUM_TEST_FUZZ_RUNS ?? 10_000)

test('reads a valid amount exactly', () => {
  fc.assert(
    fc.property(amounts, ({ currency, text }) => {
      assert.deepEqual(readAmount(text, currency), { amount: text })
    }),
    { numRuns: runs },
  )
})

test('refuses one digit more than the currency has, however small', () => {
  fc.assert(
    fc.property(amounts, fc.integer({ min: 1, max: 9 }), ({ currency, text }, digit) => {
      const decimals = currencyDecimals(currency)
      if (decimals === 18) return
      const longer = decimals === 0 ? `${text}.${digit}` : `${text}${digit}`
      assert.deepEqual(readAmount(longer, currency), { problem: 'too_precise' })
    }),
    { numRuns: runs },
  )
})

test('adds and subtracts exactly', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
      fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
      (left, right) => {
        const text = (cents: bigint): string =>
          `${cents < 0n ? '-' : ''}${cents / 100n < 0n ? -(cents / 100n) : cents / 100n}.${String(cents < 0n ? -(cents % 100n) : cents % 100n).padStart(2, '0')}`
        assert.ok(isSame(addAmounts(text(left), text(right)), text(left + right)))
        assert.ok(isSame(subtractAmounts(text(left), text(right)), text(left - right)))
        assert.equal(isMore(text(left), text(right)), left > right)
      },
    ),
    { numRuns: runs },
  )
})

test('refuses text that is not a plain amount', () => {
  const plain = /^\d{1,15}(\.\d{1,18})?$/
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string({ unit: 'binary' }),
        fc.constantFrom('1e3', '0x10', 'NaN', '-1', '0', '1,5', '+1', '1_000', '٣'),
      ),
      (text) => {
        const read = readAmount(text, 'USD')
        if ('amount' in read) assert.match(text, plain)
      },
    ),
    { numRuns: runs },
  )
})

test("shows amounts with two decimals, or the currency's own if it has more", () => {
  const cases: [string, string, string][] = [
    ['1250', 'USD', '1,250.00'],
    ['0.1', 'USD', '0.10'],
    ['999999999.99', 'USD', '999,999,999.99'],
    ['-12.5', 'EUR', '-12.50'],
    ['1250', 'JPY', '1,250.00'],
    ['0.12345678', 'BTC', '0.12345678'],
    ['1', 'KWD', '1.000'],
    ['123456789012345.123456789012345678', 'ETH', '123,456,789,012,345.123456789012345678'],
  ]
  for (const [amount, currency, shown] of cases) assert.equal(formatAmount(amount, currency), shown)
})

test('scales without truncating digits', () => {
  assert.equal(toScale('1', 'USD'), '1.00')
  assert.equal(toScale('1.005', 'USD'), '1.005')
  assert.equal(toScale('100', 'JPY'), '100')
})

/** Numbers as the database prints them, with more or fewer decimals than their currency has. */
const printed = fc.record({
  currency: fc.constantFrom(...currencies),
  sign: fc.constantFrom('', '-'),
  whole: fc.bigInt({ min: 0n, max: 10n ** 18n }),
  fraction: fc.array(fc.constantFrom('0', '0', '5', '9'), { maxLength: 20 }).map((digits) => digits.join('')),
})

test('shows every printed number at its scale as arithmetic does', () => {
  fc.assert(
    fc.property(printed, ({ currency, sign, whole, fraction }) => {
      const text = `${sign}${whole}${fraction && '.'}${fraction}`
      const decimals = Math.max(currencyDecimals(currency), fraction.replace(/0+$/, '').length)
      assert.equal(toScale(text, currency), new Big(text).toFixed(decimals), text)
    }),
    { numRuns: runs },
  )
})
