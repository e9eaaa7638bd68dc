const base58 = '[1-9A-HJ-NP-Za-km-z]'
const bech32 = '[02-9ac-hj-np-z]'
const shape = (pattern: string, flags = ''): RegExp => new RegExp(`^(?:${pattern})$`, flags)

/** Ethereum, and every network that is like it. */
const evm = shape('0x[0-9a-f]{40}', 'i')
const tron = shape(`T${base58}{33}`)
const solana = shape(`${base58}{32,44}`)
const stellar = shape('G[A-Z2-7]{55}|M[A-Z2-7]{68}')
const ton = shape('[EU]Q[A-Za-z0-9_-]{46}')

/**
 * How addresses of a coin look: length and letters, as each network publishes them. A coin that several networks carry has
 * the shapes of all. Where nothing stands, anything goes: better no rule than one that turns a good address away.
 */
const shapes: Record<string, readonly RegExp[]> = {
  ADA: [shape(`addr1${bech32}{50,110}|(Ae2|DdzFF)${base58}{50,110}`)],
  ATOM: [shape(`cosmos1${bech32}{38}`)],
  BCH: [shape(`(bitcoincash:)?[qp]${bech32}{41}|[13]${base58}{25,34}`)],
  BTC: [shape(`bc1${bech32}{11,71}`, 'i'), shape(`[13]${base58}{25,34}`)],
  DAI: [evm],
  DASH: [shape(`[X7]${base58}{33}`)],
  DOGE: [shape(`[DA9]${base58}{33}`)],
  DOT: [shape(`1${base58}{45,48}`)],
  ETC: [evm],
  ETH: [evm],
  LTC: [shape(`ltc1${bech32}{11,71}`, 'i'), shape(`[LM3]${base58}{25,34}`)],
  SOL: [solana],
  TON: [ton],
  TRX: [tron],
  USDC: [evm, solana, tron, stellar],
  USDT: [evm, tron, solana, ton],
  XLM: [stellar],
  XMR: [shape(`[48]${base58}{94}|4${base58}{105}`)],
  XRP: [shape(`r${base58}{24,34}|X${base58}{46}`)],
  ZEC: [shape(`t[13]${base58}{33}|zs1${bech32}{75}|u1${bech32}{50,500}`)],
}

/** False only for what cannot be an address of this coin. */
export function canBeAddress(coin: string, address: string): boolean {
  const known = Object.hasOwn(shapes, coin) ? shapes[coin] : undefined
  return known === undefined || known.some((one) => one.test(address.trim()))
}

/** What an address on the network has to look like that the end of a coin's code names. */
const onNetworks: Readonly<Record<string, RegExp>> = {
  ...{ AVAX: evm, BEP20: evm, ERC20: evm, MATIC: evm, POL: evm },
  ...{ SOL: solana, TRC20: tron },
}

/** A coin by its whole code for a wallet of that coin: `USDT.TRC20` for one of USDT whose address is on Tron. */
export function fitsWallet(code: string, { currency, address }: { currency: string; address: string }): boolean {
  const [symbol = '', network] = code.split('.')
  const shape = network !== undefined && Object.hasOwn(onNetworks, network) ? onNetworks[network] : undefined
  return symbol === currency && canBeAddress(symbol, address) && (shape?.test(address.trim()) ?? true)
}
