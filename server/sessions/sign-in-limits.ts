import { type Counted, type Limit, networkOf } from '../foundation/rate-limit.ts'
import type { Device } from './session.ts'
import { hashToken } from './token.ts'

const quarterHour = 15 * 60
const day = 24 * 3600

/** Guesses at one account, from wherever they come. */
const account: Limit[] = [
  { name: 'sign-in-account', triesMax: 10, windowSeconds: quarterHour },
  { name: 'sign-in-account-day', triesMax: 100, windowSeconds: day },
]
/** What one network may use up of that: a guesser who sits in one place leaves the owner, in another, a way in. */
const accountFromOneNetwork: Limit[] = [
  { name: 'sign-in-account-network', triesMax: 8, windowSeconds: quarterHour },
  { name: 'sign-in-account-network-day', triesMax: 60, windowSeconds: day },
]
/** One password tried over many accounts from one network. */
const network: Limit = { name: 'sign-in-network', triesMax: 30, windowSeconds: quarterHour }

/** A browser that signed in to this account before has tries of its own: nobody else's guesses use them up. */
const knownDevice: Limit[] = [
  { name: 'sign-in-device', triesMax: 10, windowSeconds: quarterHour },
  { name: 'sign-in-device-day', triesMax: 100, windowSeconds: day },
]

/** They limit nothing: a known browser's try writes as many rows as a stranger's, and takes as long. */
const uncounted: Limit[] = [1, 2, 3].map((number) => ({
  name: `sign-in-device-uncounted-${number}`,
  triesMax: Number.POSITIVE_INFINITY,
  windowSeconds: quarterHour,
}))

/** Right passwords give their try back; this keeps whoever knows one from opening sessions without end. */
export const rightPasswords: Limit = { name: 'sign-in-right', triesMax: 30, windowSeconds: quarterHour }

/** What a try to sign in counts against (docs/decisions/0014-guesses-and-the-owner.md). */
export function signInLimits(name: string, device: Device, isKnownDevice: boolean): Counted[] {
  if (isKnownDevice && device.key) {
    const own = `${name} ${hashToken(device.key).toString('hex')}`
    return [...knownDevice, ...uncounted].map((limit) => [limit, own])
  }
  const from = networkOf(device.address)
  return [
    ...account.map((limit): Counted => [limit, name]),
    ...accountFromOneNetwork.map((limit): Counted => [limit, `${name} ${from}`]),
    [network, from],
  ]
}
