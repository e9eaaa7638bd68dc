import { blake2b } from '@noble/hashes/blake2.js'
import { sha256, sha512_256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base32nopad, base58, base58xmr, base58xrp, base64url, bech32, bech32m, createBase58check } from '@scure/base'
import { cashAddressHash, crc16, crc32 } from './address-checksums.ts'

/** Validates a text as an address of one format, including the checksum if the format has one. */
export type AddressFormat = (address: string) => boolean

/** Longer than any address except Zcash's unified ones; base58 decoding takes quadratic time. */
const charsMax = 120
const unifiedCharsMax = 512

/** A text that makes a decoder throw is not an address. */
const judged =
  (judge: AddressFormat, longest = charsMax): AddressFormat =>
  (address) => {
    if (address.length > longest) return false
    try {
      return judge(address)
    } catch {
      return false
    }
  }

const startsWith = (bytes: Uint8Array, start: readonly number[]) => start.every((byte, at) => bytes[at] === byte)
const isEqual = (one: Uint8Array, other: Uint8Array) => one.length === other.length && startsWith(one, [...other])
const bigEndian = (bytes: Uint8Array) => bytes.reduce<number>((sum, byte) => sum * 256 + byte, 0)

const base58check = createBase58check(sha256)

/** Base58Check addresses like Bitcoin's older ones: a version, twenty bytes, four of a double SHA-256. */
export function base58Checked(...versions: readonly (readonly number[])[]): AddressFormat {
  return judged((address) => {
    const bytes = base58check.decode(address)
    return versions.some((version) => startsWith(bytes, version) && bytes.length === version.length + 20)
  })
}

/**
 * SegWit: version 0 is bech32 and version 1 is bech32m (BIP 173, BIP 350). Later versions are refused, since today anybody can
 * spend what is sent to them.
 */
export function segwit(prefix: string): AddressFormat {
  return judged((address) => {
    const isTaproot = address.toLowerCase().startsWith(`${prefix}1p`)
    const { prefix: found, words } = (isTaproot ? bech32m : bech32).decode(address)
    const [version, ...program] = words
    const { length } = bech32.fromWords(program)
    if (found !== prefix) return false
    return isTaproot ? version === 1 && length === 32 : version === 0 && (length === 20 || length === 32)
  })
}

/** Bytes in bech32 or bech32m without a version; `starts` lists the allowed first bytes, if any. */
export function bech32Bytes(
  prefix: string,
  lengths: readonly number[],
  { isBech32m = false, starts = [] as readonly number[], charsMax: longest = charsMax } = {},
): AddressFormat {
  return judged((address) => {
    const { prefix: found, bytes } = (isBech32m ? bech32m : bech32).decodeToBytes(address, longest)
    const [first = 0] = bytes
    const isStart = starts.length === 0 || starts.includes(first)
    return found === prefix && isStart && (lengths.length === 0 || lengths.includes(bytes.length))
  }, longest)
}

/** Zcash's unified addresses: scrambled bytes of any number of receivers in bech32m. */
export const zcashUnified = bech32Bytes('u', [], { isBech32m: true, charsMax: unifiedCharsMax })

/** Cardano's Shelley addresses by the network in their first byte: payments on the main network, with or without a stake. */
const cardanoStarts = Array.from({ length: 8 }, (_, kind) => kind * 16 + 1)
export const cardanoShelley: AddressFormat = (address) =>
  bech32Bytes('addr', [29, 57], { starts: cardanoStarts })(address) ||
  // A pointer to a certificate has no fixed length.
  bech32Bytes('addr', [], { starts: [0x41, 0x51] })(address)

/** Cardano's Byron addresses: CBOR bytes with their CRC-32. */
export const cardanoByron: AddressFormat = judged((address) => {
  const bytes = base58.decode(address)
  // A pair of a tagged byte string of at most 255 bytes and a number.
  if (!startsWith(bytes, [0x82, 0xd8, 0x18, 0x58])) return false
  const length = bytes[4] ?? 0
  const [mark = 0, ...sum] = bytes.slice(5 + length)
  const sumBytes = { 24: 1, 25: 2, 26: 4 }[mark] ?? 0
  if (sum.length !== sumBytes || mark > 26) return false
  return crc32(bytes.slice(5, 5 + length)) === (sumBytes === 0 ? mark : bigEndian(Uint8Array.from(sum)))
}, 130)

export const evmShape = /^0x[0-9a-fA-F]{40}$/

/** Ethereum and compatible networks. EIP-55 encodes a checksum in the case of the letters; a single case has none. */
export const evm: AddressFormat = (address) => {
  if (!evmShape.test(address)) return false
  const digits = address.slice(2)
  const lower = digits.toLowerCase()
  if (digits === lower || digits === digits.toUpperCase()) return true
  const hash = keccak_256(new TextEncoder().encode(lower))
  return [...lower].every((digit, at) => {
    const half = ((hash[at >> 1] ?? 0) >> (at % 2 ? 0 : 4)) & 15
    return digits[at] === (half > 7 ? digit.toUpperCase() : digit)
  })
}

const rippleCheck = (address: string): Uint8Array => {
  const bytes = base58xrp.decode(address)
  const [body, sum] = [bytes.slice(0, -4), bytes.slice(-4)]
  if (!isEqual(sha256(sha256(body)).slice(0, 4), sum)) throw new Error('checksum')
  return body
}

export const ripple: AddressFormat = judged((address) => {
  const body = rippleCheck(address)
  return body.length === 21 && body[0] === 0
})

/** The tag inside an X-address of the main network: null without a tag, undefined if it is not an X-address. */
export function tagOfXAddress(address: string): number | null | undefined {
  if (!/^X[1-9A-HJ-NP-Za-km-z]{46}$/.test(address)) return undefined
  try {
    const body = rippleCheck(address)
    const flag = body[22]
    if (body.length !== 31 || !startsWith(body, [0x05, 0x44])) return undefined
    const tag = bigEndian(body.slice(23, 27).reverse())
    if (body.slice(27).some((byte) => byte !== 0)) return undefined
    if (flag === 0) return tag === 0 ? null : undefined
    return flag === 1 ? tag : undefined
  } catch {
    return undefined
  }
}

export const rippleX: AddressFormat = (address) => tagOfXAddress(address) !== undefined

/** An account (G), or a muxed account with its id (M). */
export const stellar: AddressFormat = judged((address) => {
  const bytes = base32nopad.decode(address)
  const length = { 48: 35, 96: 43 }[bytes[0] ?? 0]
  const [body, sum] = [bytes.slice(0, -2), bytes.slice(-2)]
  return bytes.length === length && crc16(body) === (sum[0] ?? 0) + (sum[1] ?? 0) * 256
})

/** The memo inside a muxed address (M); undefined for any other. */
export function memoOfMuxed(address: string): string | undefined {
  if (!address.startsWith('M') || !stellar(address)) return undefined
  const id = base32nopad.decode(address).slice(33, 41)
  return id.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n).toString()
}

/** The user-friendly form, in either alphabet; the test-network flag is refused. */
export const ton: AddressFormat = judged((address) => {
  const bytes = base64url.decode(address.replaceAll('+', '-').replaceAll('/', '_'))
  const [tag = 0, chain] = bytes
  const isMain = (tag === 0x11 || tag === 0x51) && (chain === 0 || chain === 0xff)
  return isMain && bytes.length === 36 && crc16(bytes.slice(0, 34)) === bigEndian(bytes.slice(34))
})

/** A key and the end of its hash. */
export const algorand: AddressFormat = judged((address) => {
  const bytes = base32nopad.decode(address)
  const [key, sum] = [bytes.slice(0, 32), bytes.slice(32)]
  return sum.length === 4 && isEqual(sha512_256(key).slice(-4), sum)
})

/** Substrate: a network in the first byte, a key, two bytes of a hash. */
export function ss58(network: number): AddressFormat {
  const start = new TextEncoder().encode('SS58PRE')
  return judged((address) => {
    const bytes = base58.decode(address)
    const hash = blake2b(Uint8Array.from([...start, ...bytes.slice(0, -2)]), { dkLen: 64 })
    return bytes.length === 35 && bytes[0] === network && isEqual(hash.slice(0, 2), bytes.slice(-2))
  })
}

/** Standard, subaddress and integrated addresses of the main network. */
export const monero: AddressFormat = judged((address) => {
  const bytes = base58xmr.decode(address)
  const length = { 18: 69, 42: 69, 19: 77 }[bytes[0] ?? 0]
  return bytes.length === length && isEqual(keccak_256(bytes.slice(0, -4)).slice(0, 4), bytes.slice(-4))
})

/** Only a key: the format has no checksum. */
export const solana: AddressFormat = judged((address) => base58.decode(address).length === 32)

/** Bitcoin Cash, with or without its prefix: payments to a key or a script. */
export function cashAddress(prefix: string): AddressFormat {
  return judged((address) => {
    const hash = cashAddressHash(prefix, address)
    return hash !== null && ((hash.length === 20 && hash.type <= 1) || (hash.length === 32 && hash.type === 1))
  })
}
