/** How many decimals an amount of a currency may have. Fiat not listed here has two (ISO 4217's usual minor unit). */
const decimalsOf: Record<string, number> = {
  BHD: 3,
  BTC: 8,
  CLP: 0,
  ETH: 18,
  IQD: 3,
  ISK: 0,
  JOD: 3,
  JPY: 0,
  KRW: 0,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  PYG: 0,
  TND: 3,
  UGX: 0,
  USDC: 6,
  USDT: 6,
  VND: 0,
  XAF: 0,
  XOF: 0,
}

/** Number of decimals a currency is settled in, e.g. 2 for USD, 0 for JPY, 8 for BTC. */
export function currencyDecimals(currency: string): number {
  return decimalsOf[currency] ?? 2
}
