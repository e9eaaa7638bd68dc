import { plainIdentifier } from '../validators/identifier.ts'
import {
  type AddressFormat,
  base58Checked,
  bech32Bytes,
  cardanoByron,
  cardanoShelley,
  cashAddress,
  evm,
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
/** Twenty bytes, or 32 of what is no plain key. */
const cosmos = bech32Bytes('cosmos', [20, 32])
const cardano = [cardanoShelley, cardanoByron]
const chainsOfAvalanche = (address: string) =>
  /^[XP]-avax1/.test(address) && bech32Bytes('avax', [20])(address.slice(2))

/**
 * The formats of each coin's addresses on its main network, with the checksum that each carries. A coin that several
 * networks carry has the formats of all. Where nothing stands, anything goes: better no rule than one that turns a good
 * address away.
 */
const formats: Record<string, readonly AddressFormat[]> = {
  ADA: cardano,
  ATOM: [cosmos],
  AVAX: [evm, chainsOfAvalanche],
  BCH: [cashAddress('bitcoincash'), bitcoin],
  BNB: [evm, bech32Bytes('bnb', [20])],
  BTC: [segwit('bc'), bitcoin],
  DAI: [evm],
  DASH: [base58Checked([0x4c], [0x10])],
  DOGE: [base58Checked([0x1e], [0x16])],
  DOT: [ss58(0)],
  ETC: [evm],
  ETH: [evm],
  LTC: [segwit('ltc'), base58Checked([0x30], [0x32], [0x05])],
  MATIC: [evm],
  POL: [evm],
  SOL: [solana],
  TON: [ton],
  TRX: [tron],
  USDC: [evm, solana, tron, stellar],
  USDT: [evm, tron, solana, ton],
  XLM: [stellar],
  XMR: [monero],
  XRP: [ripple, rippleX],
  ZEC: [base58Checked([0x1c, 0xb8], [0x1c, 0xbd]), bech32Bytes('zs', [43]), zcashUnified],
}

/** Coins whose addresses are judged. */
export const judgedCoins: readonly string[] = Object.keys(formats)

/** False for what is no address of this coin, by its length, its letters or its checksum. */
export function isAddress(coin: string, address: string): boolean {
  const known = Object.hasOwn(formats, coin) ? formats[coin] : undefined
  const plain = plainIdentifier(address)
  return known === undefined || known.some((format) => format(plain))
}

/** Addresses of some networks can hold the tag or memo that others are given beside them. */
const heldTags: Readonly<Record<string, (address: string) => string | number | null | undefined>> = {
  XLM: memoOfMuxed,
  XRP: tagOfXAddress,
}

/** False where an address holds a tag of its own and another one is given beside it. */
export function fitsTag(coin: string, { address, tag }: { address: string; tag: string }): boolean {
  const given = plainIdentifier(tag)
  const held = Object.hasOwn(heldTags, coin) ? heldTags[coin]?.(plainIdentifier(address)) : undefined
  return given === '' || held === undefined || held === null || given === String(held)
}

/** The format of addresses on the network that the end of a coin's code names. */
const onNetworks: Readonly<Record<string, AddressFormat>> = {
  ...{ AVAX: evm, BEP20: evm, ERC20: evm, MATIC: evm, POL: evm },
  ...{ SOL: solana, TRC20: tron },
}

/** A coin by its whole code for a wallet of that coin: `USDT.TRC20` for one of USDT whose address is on Tron. */
export function fitsWallet(code: string, { currency, address }: { currency: string; address: string }): boolean {
  const [symbol = '', network] = code.split('.')
  const format = network !== undefined && Object.hasOwn(onNetworks, network) ? onNetworks[network] : undefined
  return symbol === currency && isAddress(symbol, address) && (format?.(plainIdentifier(address)) ?? true)
}
