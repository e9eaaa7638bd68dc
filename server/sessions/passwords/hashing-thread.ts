import { hashSync, type Options, verifySync } from '@node-rs/argon2'

export type ToHash = { password: string; cost: Options }
export type ToCompare = { password: string; stored: string }

/** What a thread of its own does with a password. It has no loop to keep free: so it takes as long as it takes. */
export const hash = ({ password, cost }: ToHash): string => hashSync(password, cost)
export const compare = ({ password, stored }: ToCompare): boolean => verifySync(stored, password)
