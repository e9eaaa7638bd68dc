import { normalizeIdentifier } from '../validators/identifier.ts'
import {
  type AddressFormat,
  algorand,
  base58Checked,
  bech32Bytes,
  cardanoByron,
  cardanoShelley,
  cashAddress,
  evm,
  evmShape,
  memoOfMuxed,
  monero,
  ripple,
  rippleX,
  segwit,
  solana,
  ss58,
  stellar,
  tagOfXAddress,
  ton,
  zcashUnified,
} from './address-formats.ts'

const tron = base58Checked([0x41])
const bitcoin = base58Checked([0x00], [0x05])
/** Twenty bytes, or 32 for module and contract accounts. */
const cosmosOf = (prefix: string) => bech32Bytes(prefix, [20, 32])
const binance = bech32Bytes('bnb', [20])
/** Accounts by kind of key, and contracts. */
const tezos = base58Checked([6, 161, 159], [6, 161, 161], [6, 161, 164], [6, 161, 166], [2, 90, 121])
const cardano = [cardanoShelley, cardanoByron]
const chainsOfAvalanche = (address: string) =>
  /^[XP]-avax1/.test(address) && bech32Bytes('avax', [20])(address.slice(2))

/**
 * The address formats of each coin on its main network, or on all of its networks. A coin without an entry accepts any
 * address, since a wrong rule would reject valid ones.
 */
const formats: Record<string, readonly AddressFormat[]> = {
  ADA: cardano,
  AKT: [cosmosOf('akash')],
  ALGO: [algorand],
  ATOM: [cosmosOf('cosmos')],
  AVAX: [evm, chainsOfAvalanche],
  BCH: [cashAddress('bitcoincash'), bitcoin],
  BNB: [evm, binance],
  BSV: [bitcoin],
  BTC: [segwit('bc'), bitcoin],
  DAI: [evm],
  DASH: [base58Checked([0x4c], [0x10])],
  DOGE: [base58Checked([0x1e], [0x16])],
  DOT: [ss58(0)],
  EGLD: [bech32Bytes('erd', [32])],
  ETC: [evm],
  ETH: [evm],
  LTC: [segwit('ltc'), base58Checked([0x30], [0x32], [0x05])],
  MATIC: [evm],
  OSMO: [cosmosOf('osmo')],
  POL: [evm],
  RUNE: [cosmosOf('thor'), evm, binance],
  RVN: [base58Checked([0x3c], [0x7a])],
  SOL: [solana],
  TON: [ton],
  TRX: [tron],
  USDC: [evm, solana, tron, stellar],
  USDT: [evm, tron, solana, ton],
  XLM: [stellar],
  XMR: [monero],
  XRP: [ripple, rippleX],
  XTZ: [tezos],
  ZEC: [base58Checked([0x1c, 0xb8], [0x1c, 0xbd]), bech32Bytes('zs', [43]), zcashUnified],
}

/** Coins whose addresses are validated. */
export const judgedCoins: readonly string[] = Object.keys(formats)

/** Their networks, Rootstock (EIP-1191) and Zilliqa, have a checksum of their own in the case of the letters. */
const withOtherCase = ['RIF', 'ZIL']

/**
 * False if the text is not an address of this coin, by length, alphabet or checksum. A coin without an entry is most often a token
 * of a network like Ethereum, so a text of that format must have its checksum.
 */
export function isAddress(coin: string, address: string): boolean {
  const known = Object.hasOwn(formats, coin) ? formats[coin] : undefined
  const normalized = normalizeIdentifier(address)
  if (known) return known.some((format) => format(normalized))
  return withOtherCase.includes(coin) || !evmShape.test(normalized) || evm(normalized)
}

/** Addresses of some networks can contain the tag or memo that is otherwise given separately. */
const heldTags: Readonly<Record<string, (address: string) => string | number | null | undefined>> = {
  XLM: memoOfMuxed,
  XRP: tagOfXAddress,
}

/** False if the address contains a tag and a different one is given. */
export function fitsTag(coin: string, { address, tag }: { address: string; tag: string }): boolean {
  const given = normalizeIdentifier(tag)
  const held = Object.hasOwn(heldTags, coin) ? heldTags[coin]?.(normalizeIdentifier(address)) : undefined
  return given === '' || held === undefined || held === null || given === String(held)
}

/** Address formats by the network suffix of a coin's code. */
const onNetworks: Readonly<Record<string, AddressFormat>> = {
  ...{ AVAX: evm, BEP20: evm, ERC20: evm, MATIC: evm, POL: evm },
  ...{ SOL: solana, TRC20: tron },
}

/** Matches a full coin code to a wallet: `USDT.TRC20` matches a USDT wallet with an address on Tron. */
export function fitsWallet(code: string, { currency, address }: { currency: string; address: string }): boolean {
  const [symbol = '', network] = code.split('.')
  const format = network !== undefined && Object.hasOwn(onNetworks, network) ? onNetworks[network] : undefined
  return symbol === currency && isAddress(symbol, address) && (format?.(normalizeIdentifier(address)) ?? true)
}
