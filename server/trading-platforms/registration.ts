import type { Utc } from './contract.ts'

/** More than a corrected time zone of the platform moves its times. */
const sameWithinSeconds = 2 * 86_400

/** Whether an account registered at one of these times is another one than that of the other; 0 says nothing. */
export const isOtherRegistration = (one: Utc, other: Utc): boolean =>
  one > 0 && other > 0 && Math.abs(one - other) > sameWithinSeconds
