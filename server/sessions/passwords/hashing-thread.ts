import { hashSync, type Options, verifySync } from '@node-rs/argon2'

export type ToHash = { password: string; cost: Options }
export type ToCompare = { password: string; stored: string }

/** Runs in a worker thread, where synchronous hashing blocks no event loop. */
export const hash = ({ password, cost }: ToHash): string => hashSync(password, cost)
export const compare = ({ password, stored }: ToCompare): boolean => verifySync(stored, password)
