import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { currencyDecimals } from '@atrium/contract/money/currencies.ts'
import {
  addAmounts,
  amountMax,
  formatAmount,
  readAmount,
  subtractAmounts,
  toScale,
} from '@atrium/contract/money/money.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { addCompanyBankAccount } from '../../tests/fixtures/payments/money.ts'
import { addAccount } from '../../tests/fixtures/trading/platforms.ts'
import {
  makePendingDeposit,
  openTradingFixture,
  readTransaction,
  type TradingFixture,
} from '../../tests/fixtures/trading/trading-fixture.ts'
import { reading } from '../foundation/database/database.ts'

const scales: Record<string, number> = { JPY: 0, USD: 2, KWD: 3, BTC: 8, ETH: 18 }
/** Amounts per scale; a hundred thousand in total. */
const amountsPerScale = 20_500
const batch = 5_000

let setup: TradingFixture
before(async () => {
  setup = await openTradingFixture()
})
after(() => setup.close())

/** Digits as people type them: with leading and trailing zeros, and up to the currency's number of decimals. */
function amountsOf(decimals: number): fc.Arbitrary<string> {
  const whole = fc.oneof(fc.nat(9), fc.nat(99_999), fc.nat(999_999_998)).map(String)
  const padded = fc.tuple(fc.constantFrom('', '', '', '0', '00'), whole).map((parts) => parts.join(''))
  if (decimals === 0) return padded
  const digit = fc.constantFrom(...'0123456789')
  const part = fc.array(digit, { minLength: 1, maxLength: decimals }).map((digits) => digits.join(''))
  return fc.oneof(
    { weight: 5, arbitrary: fc.tuple(padded, part).map((parts) => parts.join('.')) },
    { weight: 1, arbitrary: padded },
  )
}

/** Strips insignificant zeros: comparing text keeps floats out of the comparison too. */
function bare(amount: string): string {
  const [whole = '', part = ''] = amount.split('.')
  const [digits, decimals] = [whole.replace(/^0+(?=\d)/, ''), part.replace(/0+$/, '')]
  return decimals === '' ? digits : `${digits}.${decimals}`
}

const isNought = (amount: string): boolean => /^[0.]+$/.test(amount)

describe('an amount is the same everywhere', () => {
  it('the currencies of this test have the expected scales', () => {
    for (const [currency, decimals] of Object.entries(scales)) assert.equal(currencyDecimals(currency), decimals)
  })

  for (const [currency, decimals] of Object.entries(scales))
    it(`keeps ${amountsPerScale} amounts of ${decimals} decimals from input to database, wire and screen`, async () => {
      const typed = fc.sample(amountsOf(decimals), amountsPerScale)
      for (let from = 0; from < typed.length; from += batch) {
        const some = typed.slice(from, from + batch).filter((text) => !isNought(text))
        const read = some.map((text) => {
          const amount = readAmount(text, currency)
          assert.ok('amount' in amount, `${text} ${currency}`)
          return amount.amount
        })
        const stored = await throughTheDatabase(read)
        const wire = JSON.parse(JSON.stringify(stored.map((amount) => toScale(amount, currency)))) as string[]
        for (const [at, amount] of wire.entries()) {
          assert.equal(bare(amount), bare(some[at] ?? ''))
          assert.equal(amount.split('.')[1]?.length ?? 0, decimals)
          assert.equal(bare(formatAmount(amount, currency).replaceAll(',', '')), bare(amount))
        }
      }
    })

  it('a deposit keeps its amount through the money columns, to the last decimal', async () => {
    const { system, member, platformId } = setup
    const cases = { USD: ['0.01', '0.1', '999999999.99'], JPY: ['1', '90071992'], KWD: ['0.001', '12345678.999'] }
    for (const [currency, amounts] of Object.entries(cases)) {
      const accountId = await addAccount(system, { memberId: member.memberId, platformId, currency })
      const beneficiaryId = await addCompanyBankAccount(system, { currency })
      for (const amount of amounts) {
        const row = await readTransaction(
          setup,
          await makePendingDeposit({ ...setup, accountId, beneficiaryId }, amount),
        )
        assert.equal(bare(row.amount), bare(amount))
      }
    }
  })

  it('adds and subtracts exactly', () => {
    assert.equal(addAmounts('0.1', '0.2'), '0.3')
    const amount = fc.constantFrom(...Object.values(scales)).chain(amountsOf)
    fc.assert(
      fc.property(amount, amount, (one, other) => {
        assert.equal(bare(subtractAmounts(addAmounts(one, other), other)), bare(one))
      }),
      { numRuns: 20_000 },
    )
  })

  it('accepts only digits with one point and guesses nothing', () => {
    const refused = ['1e3', '1E3', '0x10', '0b1', 'NaN', 'Infinity', '-Infinity', '1,000', '1.000,00', '1 000', ' 1']
    const more = ['1 ', '1.', '.5', '+1', '--1', '١٢', '１２', '1_000', '1.2.3', '\u22121', '1\n', '1\0', '$1', 'null']
    const others = [true, false, [], ['1'], {}, { toString: () => '1' }, Number.NaN, Number.POSITIVE_INFINITY, 1e21]
    for (const raw of [...refused, ...more, ...others])
      for (const currency of Object.keys(scales))
        assert.deepEqual(readAmount(raw, currency), { problem: 'malformed' }, JSON.stringify(raw))
    for (const raw of ['0', '0.00', '00', '-1', '-0.01', 0, -5])
      assert.deepEqual(readAmount(raw, 'USD'), { problem: 'zero' })
    for (const raw of [undefined, null, '']) assert.deepEqual(readAmount(raw, 'USD'), { problem: 'missing' })
    for (const [currency, decimals] of Object.entries(scales)) {
      const tooFine = `0.${'0'.repeat(decimals)}1`
      const { problem } = readAmount(tooFine, currency) as { problem: string }
      assert.ok(problem === 'too_precise' || (decimals === 18 && problem === 'malformed'), tooFine)
    }
    assert.deepEqual(readAmount(addAmounts(amountMax, '0.01'), 'USD'), { problem: 'too_large' })
  })

  it('accepts only amounts among arbitrary texts', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom(...'0123456789.,-+eExX \u0661') }),
    )
    fc.assert(
      fc.property(text, (raw) => {
        if ('amount' in readAmount(raw, 'USD')) assert.match(raw, /^\d{1,15}(\.\d{1,18})?$/)
      }),
      { numRuns: 20_000 },
    )
  })
})

/** Written and read by the driver that the server uses, in the type of the money columns. */
async function throughTheDatabase(amounts: string[]): Promise<string[]> {
  return reading(setup.system, async (tx) => {
    const { rows } = await sql<{ amount: string }>`
      select amount::numeric from unnest(${amounts}::numeric[]) with ordinality as each (amount, place) order by place`.execute(
      tx,
    )
    return rows.map(({ amount }) => amount)
  })
}
