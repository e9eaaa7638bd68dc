// spec: AO 9
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cryptoCodes, currencyDecimals, currencySign, fiatCodes } from './currencies.ts'

/** What ICU still names and nobody keeps an account in any more, or never did. */
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
  it('is that of ICU as this Node brings it: a new currency shows here with the Node that knows it', () => {
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

  it('is sorted, names each once, and shares one code with a coin', () => {
    for (const codes of [fiatCodes, cryptoCodes]) assert.equal(new Set(codes).size, codes.length)
    assert.deepEqual([...fiatCodes], [...fiatCodes].sort())
    assert.deepEqual(
      fiatCodes.filter((code) => cryptoCodes.includes(code)),
      // Tögrög and Mantle: which of both is meant says the kind of the beneficiary.
      ['MNT'],
    )
  })
})

describe('how many decimals a currency has', () => {
  /** ISO 4217. CLDR says how people write amounts, which is coarser for some: nobody may settle by that. */
  const none = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ')
  const three = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')

  it('is exactly what ISO 4217 says for every one of them', () => {
    for (const code of fiatCodes)
      assert.equal(currencyDecimals(code), none.includes(code) ? 0 : three.includes(code) ? 3 : 2, code)
  })

  it('is never less than what people write', () => {
    for (const currency of fiatCodes) {
      const written = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
      assert.ok(currencyDecimals(currency) >= (written.maximumFractionDigits ?? 0), currency)
    }
  })

  it('is that of the chain for coins', () => {
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
    it(`of ${code} is ${sign}`, () => assert.equal(currencySign(code), sign))
})
