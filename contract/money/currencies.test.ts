// spec: AO 9
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cryptoCodes, currencyDecimals, currencySign, fiatCodes } from './currencies.ts'

/** Currencies that ICU still lists but that are obsolete or never were in use. */
const notKept: Record<string, string> = {
  ANG: 'the Caribbean guilder XCG since 2025',
  BGN: 'the euro since 2026',
  CUC: 'withdrawn in 2021',
  HRK: 'the euro since 2023',
  SLL: 'SLE since 2022',
  XDR: 'the International Monetary Fund’s unit of account',
  XSU: 'a unit of account between states',
  ZWL: 'ZWG since 2024',
}

describe('the list of fiat currencies', () => {
  it('matches ICU of this Node version, so that a Node upgrade reveals new currencies', () => {
    const known = Intl.supportedValuesOf('currency')
    assert.deepEqual(
      fiatCodes.filter((code) => !known.includes(code)),
      [],
    )
    assert.deepEqual(
      known.filter((code) => !fiatCodes.includes(code)),
      Object.keys(notKept),
    )
  })

  it('is sorted, has no duplicates, and shares one code with a coin', () => {
    for (const codes of [fiatCodes, cryptoCodes]) assert.equal(new Set(codes).size, codes.length)
    assert.deepEqual([...fiatCodes], [...fiatCodes].sort())
    assert.deepEqual(
      fiatCodes.filter((code) => cryptoCodes.includes(code)),
      // Tögrög and Mantle; the type of the beneficiary decides.
      ['MNT'],
    )
  })
})

describe('the decimals of a currency', () => {
  /** ISO 4217. CLDR uses fewer decimals for some currencies, which is not precise enough for settlement. */
  const none = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ')
  const three = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')

  it('follow ISO 4217 for every fiat currency', () => {
    for (const code of fiatCodes)
      assert.equal(currencyDecimals(code), none.includes(code) ? 0 : three.includes(code) ? 3 : 2, code)
  })

  it('are never fewer than in written amounts', () => {
    for (const currency of fiatCodes) {
      const written = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
      assert.ok(currencyDecimals(currency) >= (written.maximumFractionDigits ?? 0), currency)
    }
  })

  it('are those of the blockchain for coins', () => {
    assert.deepEqual(['BTC', 'ETH', 'USDT', 'DOGE'].map(currencyDecimals), [8, 18, 6, 8])
  })
})

describe('the sign of a currency', () => {
  for (const [code, sign] of [
    ['USD', '$'],
    ['GBP', '\u00a3'],
    ['EUR', '\u20ac'],
    ['AUD', 'A$'],
    ['JPY', null],
    ['constructor', null],
  ] as const)
    it(`is ${sign} for ${code}`, () => assert.equal(currencySign(code), sign))
})
