import { dollarsPer } from '../metatrader/market.ts'

/** Invented, constant rates: the value of one unit in US dollars, in hundred-millionths. */
type Rate = {
  name: string
  dollars: bigint
  isFiat?: boolean
  isOff?: boolean
  isAway?: boolean
  hasTag?: boolean
  confirms?: number
}

const dollars = (amount: string): bigint => {
  const [whole = '0', part = ''] = amount.split('.')
  return BigInt(whole) * 100_000_000n + BigInt(part.padEnd(8, '0'))
}

const fiat = (code: string, name: string): Rate => ({
  name,
  dollars: dollars(dollarsPer(code).toFixed(8)),
  isFiat: true,
})

export const rates: Record<string, Rate> = {
  USD: fiat('USD', 'United States Dollar'),
  EUR: fiat('EUR', 'Euro'),
  GBP: fiat('GBP', 'British Pound'),
  JPY: fiat('JPY', 'Japanese Yen'),
  BTC: { name: 'Bitcoin', dollars: dollars('64000'), confirms: 2 },
  BCH: { name: 'Bitcoin Cash', dollars: dollars('340'), isAway: true },
  DOGE: { name: 'Dogecoin', dollars: dollars('0.12'), isOff: true },
  ETH: { name: 'Ether', dollars: dollars('3100'), confirms: 12 },
  LTC: { name: 'Litecoin', dollars: dollars('84'), confirms: 3 },
  LTCT: { name: 'Litecoin Testnet', dollars: dollars('84'), confirms: 0 },
  'USDC.SOL': { name: 'USD Coin (Solana)', dollars: dollars('1'), confirms: 1 },
  'USDT.ERC20': { name: 'Tether USD (ERC20)', dollars: dollars('1'), confirms: 12 },
  'USDT.TRC20': { name: 'Tether USD (Tron/TRC20)', dollars: dollars('1'), confirms: 20 },
  XRP: { name: 'Ripple', dollars: dollars('0.6'), hasTag: true, confirms: 1 },
}

const text = (hundredMillionths: bigint): string =>
  `${hundredMillionths / 100_000_000n}.${String(hundredMillionths % 100_000_000n).padStart(8, '0')}`

export const units = (amount: string): bigint => dollars(amount)
export const amountText = text

/** Converts an amount of money into a coin, rounded up, so that rounding never underpays. */
export function inCoin(amount: string, price: string, coin: string): bigint | null {
  const [from, to] = [rates[price], rates[coin]]
  if (!from || !to || !/^\d{1,12}(\.\d{1,8})?$/.test(amount)) return null
  return (dollars(amount) * from.dollars + to.dollars - 1n) / to.dollars
}

export const isTakable = (coin: string): boolean => {
  const rate = rates[coin]
  return rate !== undefined && !rate.isFiat && !rate.isOff && !rate.isAway
}

/** `accepted`: 1 adds whether the merchant accepts a coin, 2 also leaves out the coins that are not accepted. */
export function ratesAnswer(accepted: string): Record<string, unknown> {
  const bitcoin = rates.BTC?.dollars ?? 1n
  const listed = Object.entries(rates).filter(([, { isFiat, isOff }]) => accepted !== '2' || isFiat || !isOff)
  return Object.fromEntries(
    listed.map(([code, rate]) => [
      code,
      {
        is_fiat: rate.isFiat ? 1 : 0,
        rate_btc: text((rate.dollars * 100_000_000n) / bitcoin),
        last_update: '1700000000',
        tx_fee: '0.00001000',
        status: rate.isAway ? 'maintenance' : 'online',
        name: rate.name,
        confirms: String(rate.confirms ?? 0),
        can_convert: rate.isFiat ? 0 : 1,
        capabilities: rate.isFiat ? [] : ['payments', 'wallet', 'transfers', ...(rate.hasTag ? ['dest_tag'] : [])],
        ...(['1', '2'].includes(accepted) && { accepted: rate.isFiat || rate.isOff ? 0 : 1 }),
      },
    ]),
  )
}
