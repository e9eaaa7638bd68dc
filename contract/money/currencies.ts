/** Fiat currencies by their ISO 4217 codes, for accounts and beneficiaries. */
export const fiatCodes: readonly string[] = (
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP ' +
  'CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR ' +
  'IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU ' +
  'MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG ' +
  'SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST ' +
  'XAF XCD XCG XOF XPF YER ZAR ZMW ZWG'
).split(' ')

/** Coins by the symbols that payment providers use. */
export const cryptoCodes: readonly string[] = (
  '1INCH AAVE ACH ADA AGIX AGLD AKT ALGO ALICE ALPHA AMP ANKR ANT APE API3 APT AR ARB ARPA ASTR ATOM AUDIO AVAX AXS BAL ' +
  'BAND BAT BCH BICO BLUR BNB BNT BONK BSV BTC BTG BTT BUSD CAKE CELO CELR CFX CHR CHZ CKB COMP COTI CRO CRV CSPR CTSI ' +
  'CVC CVX DAI DASH DCR DENT DGB DOGE DOT DYDX EGLD ENJ ENS EOS ETC ETH ETHW FET FIL FLOKI FLOW FLR FTM FXS GALA GAS ' +
  'GLM GLMR GMT GMX GNO GRT GUSD HBAR HIVE HNT HOT ICP ICX ID ILV IMX INJ IOST IOTA IOTX JASMY JST JTO JUP KAS KAVA ' +
  'KCS KDA KLAY KNC KSM LDO LINK LPT LQTY LRC LSK LTC LUNA LUNC MAGIC MANA MASK MATIC MDT MINA MKR MNT MTL NANO NEAR ' +
  'NEO NEXO NMR NKN OCEAN OGN OKB OMG ONE ONT OP ORDI OSMO PAXG PENDLE PEPE PERP POL POLYX POWR PYTH PYUSD QNT QTUM ' +
  'RAY REN REQ RIF RLC RNDR ROSE RPL RSR RUNE RVN SAND SC SEI SFP SHIB SKL SLP SNT SNX SOL SPELL SSV STEEM STG STORJ ' +
  'STX SUI SUPER SUSHI SXP SYS T TFUEL THETA TIA TON TRB TRX TUSD TWT UMA UNI USDC USDD USDP USDT UST VET VTHO WAVES ' +
  'WAXP WBTC WEMIX WIF WLD WOO XCH XDC XEC XEM XLM XMR XRP XTZ XVG YFI YGG ZEC ZEN ZIL ZRX'
).split(' ')

/** Decimals of an amount that differ from the default: two for fiat (ISO 4217), eight for coins. */
const decimalsOf: Record<string, number> = {
  BHD: 3,
  BIF: 0,
  CLP: 0,
  DJF: 0,
  ETH: 18,
  GNF: 0,
  IQD: 3,
  ISK: 0,
  JOD: 3,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  PYG: 0,
  RWF: 0,
  TND: 3,
  UGX: 0,
  USDC: 6,
  USDT: 6,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
}

/** Well-known signs. The code is shown as well, since several currencies share a sign. */
const signs: Record<string, string> = { USD: '$', GBP: '\u00a3', EUR: '\u20ac', AUD: 'A$' }

/** The currency's sign, or null if none is shown. */
export const currencySign = (currency: string): string | null =>
  Object.hasOwn(signs, currency) ? (signs[currency] ?? null) : null

const fiat = new Set(fiatCodes)
const crypto = new Set(cryptoCodes)
const coinDecimals = 8
const fiatDecimals = 2

/** Number of decimals a currency is settled in, e.g. 2 for USD, 0 for JPY, 8 for BTC. */
export function currencyDecimals(currency: string): number {
  const known = Object.hasOwn(decimalsOf, currency) ? decimalsOf[currency] : undefined
  return known ?? (crypto.has(currency) && !fiat.has(currency) ? coinDecimals : fiatDecimals)
}

export type Currency = { code: string; name: string; decimals: number }

const byCode = (left: Currency, right: Currency) => (left.code < right.code ? -1 : 1)

/** Sorted by code. */
export function allCurrencies(): { currencies: Currency[]; crypto: Currency[] } {
  // Not a constant of the module: it loads a table that takes a browser several milliseconds, and most pages show no names.
  const fiatNames = new Intl.DisplayNames(['en'], { type: 'currency' })
  return {
    currencies: fiatCodes
      .map((code) => ({ code, name: fiatNames.of(code) ?? code, decimals: currencyDecimals(code) }))
      .sort(byCode),
    crypto: cryptoCodes
      .map((code) => ({ code, name: code, decimals: fiat.has(code) ? coinDecimals : currencyDecimals(code) }))
      .sort(byCode),
  }
}
