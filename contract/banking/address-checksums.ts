import { bech32 } from '@scure/base'

/** Address checksums that the installed libraries lack. */

/** CRC-16/XMODEM, for Stellar and TON. */
export function crc16(bytes: Uint8Array): number {
  let sum = 0
  for (const byte of bytes) {
    sum ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) sum = ((sum << 1) ^ (sum & 0x8000 ? 0x1021 : 0)) & 0xffff
  }
  return sum
}

/** CRC-32 as in gzip, for Cardano's Byron addresses. */
export function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
  }
  return (sum ^ 0xffffffff) >>> 0
}

const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const generators = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n]
const checksumLetters = 8

function cashPolymod(values: readonly number[]): bigint {
  let sum = 1n
  for (const value of values) {
    const top = sum >> 35n
    sum = ((sum & 0x07ffffffffn) << 5n) ^ BigInt(value)
    generators.forEach((generator, at) => {
      if ((top >> BigInt(at)) & 1n) sum ^= generator
    })
  }
  return sum
}

/**
 * The hash type and length of a CashAddr; null if the checksum is wrong or the length differs from the one in its first byte.
 */
export function cashAddressHash(prefix: string, address: string): { type: number; length: number } | null {
  const lower = address.toLowerCase()
  if (address !== lower && address !== address.toUpperCase()) return null
  const payload = lower.startsWith(`${prefix}:`) ? lower.slice(prefix.length + 1) : lower
  const words = [...payload].map((letter) => letters.indexOf(letter))
  if (words.includes(-1) || words.length <= checksumLetters) return null
  const ofPrefix = [...prefix].map((letter) => letter.charCodeAt(0) & 31)
  if (cashPolymod([...ofPrefix, 0, ...words]) !== 1n) return null
  const [first = 0, ...hash] = bech32.fromWords(words.slice(0, -checksumLetters))
  const length = [20, 24, 28, 32, 40, 48, 56, 64][first & 7]
  return first < 128 && hash.length === length ? { type: first >> 3, length } : null
}
