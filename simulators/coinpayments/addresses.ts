import { randomBytes } from 'node:crypto'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58, base58xrp, createBase58check } from '@scure/base'

const base58check = createBase58check(sha256)
/** The version byte of an address, by coin. */
const versions: Record<string, number> = { BCH: 0x00, BTC: 0x00, DOGE: 0x1e, LTC: 0x30, LTCT: 0x6f }

/** An unused address in the format of the coin, with a valid checksum, as wallets verify it. */
export function makeAddress(coin: string): string {
  const hash = randomBytes(20)
  if (coin === 'ETH' || coin.endsWith('.ERC20') || coin.endsWith('.BEP20')) return withCase(hash.toString('hex'))
  if (coin.endsWith('.TRC20')) return base58check.encode(Buffer.from([0x41, ...hash]))
  if (coin.endsWith('.SOL')) return base58.encode(randomBytes(32))
  if (coin === 'XRP') return rippleAddress(hash)
  return base58check.encode(Buffer.from([versions[coin] ?? 0x00, ...hash]))
}

/** EIP-55: a hash of the lower-case address determines the capitals. */
function withCase(digits: string): string {
  const hash = Buffer.from(keccak_256(new TextEncoder().encode(digits))).toString('hex')
  const letters = [...digits].map((digit, at) =>
    Number.parseInt(hash[at] ?? '0', 16) > 7 ? digit.toUpperCase() : digit,
  )
  return `0x${letters.join('')}`
}

function rippleAddress(hash: Uint8Array): string {
  const body = Uint8Array.from([0x00, ...hash])
  return base58xrp.encode(Uint8Array.from([...body, ...sha256(sha256(body)).slice(0, 4)]))
}
