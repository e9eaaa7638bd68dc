import { type Counted, type Limit, networkOf } from '../foundation/rate-limit.ts'
import type { PersonKey } from './person.ts'
import type { Device } from './session.ts'
import { hashToken } from './token.ts'

const quarterHour = 15 * 60
const day = 24 * 3600

/** Attempts at one account, from all networks. */
const account: Limit[] = [
  { name: 'sign-in-account', triesMax: 10, windowSeconds: quarterHour },
  { name: 'sign-in-account-day', triesMax: 100, windowSeconds: day },
]
/** One network's share, so that guesses from one place leave attempts for the owner elsewhere. */
const accountFromOneNetwork: Limit[] = [
  { name: 'sign-in-account-network', triesMax: 8, windowSeconds: quarterHour },
  { name: 'sign-in-account-network-day', triesMax: 60, windowSeconds: day },
]
/** Password spraying: attempts at many accounts from one network. */
const network: Limit = { name: 'sign-in-network', triesMax: 30, windowSeconds: quarterHour }

/** A browser that signed in to this account before has its own attempts, which other guesses do not use up. */
const knownDevice: Limit[] = [
  { name: 'sign-in-device', triesMax: 10, windowSeconds: quarterHour },
  { name: 'sign-in-device-day', triesMax: 100, windowSeconds: day },
]

/** Unlimited: they make a known browser's attempt write as many rows, and take as long, as an unknown one's. */
const uncounted: Limit[] = [1, 2, 3].map((number) => ({
  name: `sign-in-device-uncounted-${number}`,
  triesMax: Number.POSITIVE_INFINITY,
  windowSeconds: quarterHour,
}))

const rightPassword: Limit = { name: 'sign-in-right', triesMax: 30, windowSeconds: quarterHour }

/**
 * Right passwords refund their attempt; this limits the sessions and challenges they open. The person's known browsers have
 * a share of their own: somebody with the password alone does not get past the second factor, and must not keep its owner out.
 */
export const limitOfRightPasswords = ({ kind, id }: PersonKey, isKnownDevice: boolean): Counted => [
  rightPassword,
  placeOf(`${kind}:${id}`, isKnownDevice),
]

/** What is counted apart for known browsers. */
export const placeOf = (subject: string, isKnownDevice: boolean): string =>
  isKnownDevice ? `${subject} known` : subject

/** The limits of a sign-in attempt (docs/decisions/0014-sign-in-limits-by-known-browser.md). */
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
