// spec: MP 5
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import fc from 'fast-check'
import { formatLocales } from '../languages.ts'
import { currencyDecimals } from './currencies.ts'
import { formatAmount, isSame, readAmount } from './money.ts'
import { typedText } from './number-marks.ts'
import { numberSentence, shownNumber } from './number-texts.ts'
import { amountShape, readTypedNumber } from './typed-number.ts'

const everywhere = ['en', 'de', 'fr', 'sv', 'pl', 'pt-BR', 'es', 'de-CH', 'hi-IN', 'ar', 'ar-EG', 'vi', 'zh'] as const
const runs = Number(process.env.ATRIUM_TEST_FUZZ_RUNS ?? 3_000)

/** The value, or the kind of refusal. */
function read(text: string, language: string, currency = 'USD'): string {
  const found = readTypedNumber(text, amountShape(currency, language))
  return 'value' in found ? found.value : found.problem.kind
}

/** [typed text, its meaning in every language]. */
const clear: readonly (readonly [string, string])[] = [
  ['100,50', '100.50'],
  ['100.50', '100.50'],
  ['12,50', '12.50'],
  ['1.000,00', '1000.00'],
  ['1,000.00', '1000.00'],
  ['1 000', '1000'],
  ['1\u00a0000', '1000'],
  ['1\u202f000', '1000'],
  ['1\u2009000,5', '1000.5'],
  ["1'000.50", '1000.50'],
  ['1\u2019000,50', '1000.50'],
  ['1,00,000.00', '100000.00'],
  ['1,00,000', '100000'],
  ['12,34,56,789.10', '123456789.10'],
  ['1.000.000', '1000000'],
  ['1,000,000', '1000000'],
  ['\u0661\u0660\u0660\u066b\u0665\u0660', '100.50'],
  ['\u0661\u066c\u0660\u0660\u0660', '1000'],
  ['\u06f1\u06f0\u06f0\u066b\u06f5', '100.5'],
  ['\uff11\uff10\uff10\uff0e\uff15\uff10', '100.50'],
  ['\uff11\uff10\uff10\uff0c\uff15\uff10', '100.50'],
  ['100\u300250', '100.50'],
  ['\u0967\u0966\u0966.\u096b\u0966', '100.50'],
  ['100,', '100'],
  ['100.', '100'],
  [',5', '0.5'],
  ['.50', '0.50'],
  ['0,001', 'too_precise'],
  ['0.500', '0.50'],
  ['1000.000', '1000.00'],
  ['007,50', '7.50'],
  ['+100,50', '100.50'],
  ['-100,50', '-100.50'],
  ['\u2212100.50', '-100.50'],
  ['100,50 \u20ac', 'other_currency'],
  ['100,50 $', '100.50'],
  ['$100.50', '100.50'],
  ['US$ 1,000.00', '1000.00'],
  ['USD 1,000.00', '1000.00'],
  ['1.000,00\u00a0usd', '1000.00'],
  ['-$12.50', '-12.50'],
  ['$.50', '0.50'],
  ['$,50', '0.50'],
  ['USD .50', '0.50'],
  ['USD.50', '0.50'],
  ['$100.', '100'],
  [',5 USD', '0.5'],
  ['$-12.50', '-12.50'],
  ['\u202a100,50\u202c', '100.50'],
  ['  100,50  ', '100.50'],
  ['', 'missing'],
  ['   ', 'missing'],
  [',', 'malformed'],
  ['-', 'malformed'],
  ['--5', 'malformed'],
  ['5-', 'malformed'],
  ['1e3', 'malformed'],
  ['0x10', 'malformed'],
  ['1.2.3', 'malformed'],
  ['1,000,00', 'malformed'],
  ['1.000.00', 'malformed'],
  ['1,000.000,00', 'malformed'],
  ['100,50.25', 'malformed'],
  ['100 50', 'malformed'],
  ['1 00', 'malformed'],
  ['1  000', 'malformed'],
  ['100\t500', 'malformed'],
  ['100\n500', 'malformed'],
  ['10\u00b2', 'malformed'],
  ['\u00bd', 'malformed'],
  ['1/2', 'malformed'],
  ['NaN', 'malformed'],
  ['Infinity', 'malformed'],
  ['(100)', 'malformed'],
  ['100%', 'malformed'],
  ['1_000', 'malformed'],
  ['100-200', 'malformed'],
  ['12:50', 'malformed'],
  ['abc', 'malformed'],
  ['100 EUR', 'other_currency'],
  ['EUR 100', 'other_currency'],
  ['\u20b9 1,00,000', 'other_currency'],
  ['A$ 100', 'other_currency'],
  ['1000.505', 'too_precise'],
  ['1.000,505', 'too_precise'],
  ['0.001', 'too_precise'],
  ['9'.repeat(101), 'malformed'],
]

describe('a typed amount of a currency with two decimals', () => {
  for (const [typed, meant] of clear)
    for (const language of everywhere)
      it(`${JSON.stringify(typed.slice(0, 20))} in ${language} is ${meant}`, () =>
        assert.equal(read(typed, language), meant))
})

describe('one point or comma before three digits', () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    ['1,000', 'en', 'USD', '1000'],
    ['1.000', 'en', 'USD', 'ambiguous'],
    ['1,000', 'de', 'USD', 'ambiguous'],
    ['1.000', 'de', 'USD', '1000'],
    ['1.000', 'es', 'EUR', '1000'],
    ['1.000', 'pt-BR', 'BRL', '1000'],
    ['1.000', 'vi', 'VND', '1000'],
    ['1,000', 'vi', 'VND', 'ambiguous'],
    ['1,000', 'zh', 'CNY', '1000'],
    ['1,000', 'hi-IN', 'INR', '1000'],
    ['1,000', 'fr', 'EUR', 'ambiguous'],
    ['1.000', 'fr', 'EUR', 'ambiguous'],
    ['1.000', 'sv', 'SEK', 'ambiguous'],
    ['1,000', 'pl', 'PLN', 'ambiguous'],
    ['1,000', 'de-CH', 'CHF', 'ambiguous'],
    ['1.000', 'de-CH', 'CHF', 'ambiguous'],
    ['100.505', 'en', 'USD', 'ambiguous'],
    ['100.505', 'de', 'USD', '100505'],
    ['1,000', 'en', 'KWD', '1000'],
    ['1.000', 'en', 'KWD', '1.000'],
    ['1,000', 'de', 'KWD', '1.000'],
    ['1.000', 'de', 'KWD', '1000'],
    ['1,000', 'fr', 'KWD', '1.000'],
    ['1.000', 'fr', 'KWD', 'ambiguous'],
    ['1,234', 'en', 'BTC', '1234'],
    ['1.234', 'en', 'BTC', '1.234'],
    ['1,234', 'de', 'BTC', '1.234'],
    ['1,2345', 'en', 'BTC', '1.2345'],
    ['0,001', 'en', 'BTC', '0.001'],
    ['0.00000001', 'de', 'BTC', '0.00000001'],
    ['0.000000001', 'de', 'BTC', 'too_precise'],
    ['1,000', 'en', 'JPY', '1000'],
    ['1,000.00', 'en', 'JPY', '1000'],
    ['1.000,00', 'de', 'JPY', '1000'],
    ['1000.5', 'en', 'JPY', 'too_precise'],
    ['-1,000', 'de', 'USD', 'ambiguous'],
    ['\u0661\u066c\u0660\u0660\u0660', 'ar-EG', 'KWD', '1000'],
    ['\u0661\u066b\u0660\u0660\u0660', 'ar-EG', 'KWD', '1.000'],
    ['1,000', 'ar-EG', 'KWD', 'ambiguous'],
    ['1\u060c000', 'ar', 'USD', '1000'],
  ]
  for (const [typed, language, currency, meant] of cases)
    it(`${typed} ${currency} in ${language} is ${meant}`, () => assert.equal(read(typed, language, currency), meant))
})

describe('a currency beside the amount', () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    ['100,50 \u20ac', 'de', 'EUR', '100.50'],
    ['\u20ac100.50', 'en', 'EUR', '100.50'],
    ['\u20b9 1,00,000', 'hi-IN', 'INR', '100000'],
    ['100,50 kr', 'sv', 'SEK', '100.50'],
    ['kr. 100,50', 'da', 'DKK', '100.50'],
    ['R$ 1.000,00', 'pt-BR', 'BRL', '1000.00'],
    ['1.000\u00a0\u20ab', 'vi', 'VND', '1000'],
    ['\uffe51,000', 'zh', 'CNY', '1000'],
    ['100,50 z\u0142', 'pl', 'PLN', '100.50'],
    ['Rs.100', 'en', 'PKR', '100'],
    ['S/.100', 'es-PE', 'PEN', '100'],
    ['A$100', 'en', 'AUD', '100'],
    ['BTC 0.5', 'en', 'BTC', '0.5'],
    ['0,5 BTC', 'de', 'BTC', '0.5'],
    ['USD 100 USD', 'en', 'USD', 'malformed'],
    ['USD', 'en', 'USD', 'malformed'],
  ]
  for (const [typed, language, currency, meant] of cases)
    it(`${typed} in ${language} is ${meant} ${currency}`, () => assert.equal(read(typed, language, currency), meant))

  it('can be any currency in a filter, and is refused in a plain number', () => {
    const asked = (unit?: string) => readTypedNumber('100,50 \u20ac', { language: 'de', decimals: 2, unit })
    assert.deepEqual(asked('any'), { value: '100.50' })
    assert.deepEqual(asked(), { problem: { kind: 'malformed' } })
    assert.deepEqual(readTypedNumber('2,5 %', { language: 'de', decimals: 4, unit: '%' }), { value: '2.5' })
  })
})

describe('the error of a refused number', () => {
  const said = (text: string, language: string, currency = 'USD') => {
    const shape = amountShape(currency, language)
    const found = readTypedNumber(text, shape)
    const sentence = 'problem' in found ? numberSentence(found.problem, text, shape) : null
    return sentence?.text.replace(/\{\{(\w+)\}\}/g, (_, name) => `${sentence.values[name]}`)
  }
  it('shows both meanings', () => {
    assert.equal(
      said('1,000', 'de'),
      '\u201c1,000\u201d can mean 1,00 or 1.000,00. Write it without thousands separators.',
    )
    assert.equal(
      said('1.234', 'en'),
      '\u201c1.234\u201d can mean 1.234 or 1,234.00. Write it without thousands separators.',
    )
  })
  it('shows the number format, the maximum of decimals, and the currency', () => {
    assert.equal(said('1e3', 'en'), 'Enter a number like 1,000.50.')
    assert.equal(said('1e3', 'de'), 'Enter a number like 1.000,50.')
    assert.equal(said('1e3', 'en', 'JPY'), 'Enter a number like 1,000.')
    assert.equal(said('0.001', 'en'), 'Use at most 2 decimals.')
    assert.equal(said('0.5', 'en', 'JPY'), 'Enter a whole number.')
    assert.equal(said('5 EUR', 'en'), 'This amount is in USD. Enter it without another currency.')
    assert.equal(said('', 'en'), undefined)
  })
})

const currencies = ['USD', 'JPY', 'KWD', 'USDT', 'BTC', 'ETH']
const languages = fc.constantFrom(
  ...formatLocales,
  ...everywhere,
  ...([
    'fa',
    'bn',
    'mr',
    'my',
    'ff-Adlm',
    'ne',
    'ckb',
    'de-AT',
    'fr-CH',
    'it-CH',
    'en-IN',
    'en-ZA',
    'ur',
    'sl',
  ] as const),
)
const amounts = fc
  .record({ currency: fc.constantFrom(...currencies), units: fc.bigInt({ min: 1n, max: 10n ** 15n }) })
  .map(({ currency, units }) => {
    const decimals = currencyDecimals(currency)
    const digits = units.toString().padStart(decimals + 1, '0')
    const cut = digits.length - decimals
    return { currency, amount: decimals === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}` }
  })
  .filter(({ amount }) => (amount.split('.')[0] ?? '').length <= 9)

const understood = (text: string, language: string, currency: string): string | null => {
  const found = readTypedNumber(text, amountShape(currency, language))
  return 'value' in found ? found.value : null
}

test('reads every displayed amount as the same amount in the same language', () => {
  fc.assert(
    fc.property(amounts, languages, ({ currency, amount }, language) => {
      const withUnit = new Intl.NumberFormat(language, {
        style: 'currency',
        currency: currency.slice(0, 3),
        minimumFractionDigits: 2,
        maximumFractionDigits: 18,
      })
      const shown = [
        formatAmount(amount, currency, language),
        shownNumber(amount, language, 2),
        typedText(amount, language),
        ...(currency.length === 3 ? [withUnit.format(amount as Intl.StringNumericLiteral)] : []),
      ]
      for (const text of shown)
        assert.ok(isSame(understood(text, language, currency) ?? '0', amount), `${text} ${language}`)
    }),
    { numRuns: runs },
  )
})

test('reads an amount with up to two decimals alike in every language', () => {
  const ofTwo = amounts.filter(({ currency }) => currencyDecimals(currency) <= 2)
  fc.assert(
    fc.property(ofTwo, languages, languages, ({ currency, amount }, writer, reader) => {
      const text = formatAmount(amount, currency, writer)
      assert.ok(isSame(understood(text, reader, currency) ?? '0', amount), `${text} ${writer} ${reader}`)
    }),
    { numRuns: runs },
  )
})

test('reads a text as a valid amount or refuses it, and reads the displayed amount as the same', () => {
  const marks = fc.constantFrom(
    ...'0123456789',
    ...'0123456789',
    ',',
    '.',
    ' ',
    "'",
    '-',
    '+',
    '\u066b',
    '\u066c',
    'e',
    '$',
  )
  fc.assert(
    fc.property(
      fc.array(marks, { maxLength: 14 }),
      languages,
      fc.constantFrom(...currencies),
      (signs, language, currency) => {
        const text = signs.join('')
        const value = understood(text, language, currency)
        if (value === null) return
        assert.match(value, /^-?\d+(\.\d+)?$/)
        assert.equal(value.replace(/\D/g, '').replace(/^0+|0+$/g, ''), text.replace(/\D/g, '').replace(/^0+|0+$/g, ''))
        const again = understood(typedText(value, language), language, currency)
        assert.ok(again !== null && isSame(again, value))
        const judged = readAmount(value, currency)
        assert.ok('amount' in judged || judged.problem !== 'too_precise')
      },
    ),
    { numRuns: runs },
  )
})
