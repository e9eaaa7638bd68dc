import { channel } from 'node:diagnostics_channel'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { makeTurnstile } from '../foundation/turnstile.ts'

/** OWASP's lower bound for argon2id (this library's default kind): 19 MiB, two passes, one lane. Runs off the event loop. */
export const passwordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * A hash takes a core for some 30 ms. One core of the machine is left to everybody else's calls, and the line is as long as
 * a second or two of work: a storm of sign-ins is told to come again instead of starving the others. A process has its
 * cores once, so the turnstile is the process's own.
 */
const hashing = makeTurnstile(Math.max(1, availableParallelism() - 1), { waitingMax: 64 })

/** Each password that is looked at, for whoever counts guesses by what was evaluated and not by what was answered. */
export const evaluations = channel('atrium.password.evaluated')

/** The same letters typed on another device may come as other code points (RFC 8265): é is one or two. */
const sameEverywhere = (password: string) => password.normalize('NFC')

export function hashPassword(password: string): Promise<string> {
  return hashing(() => hash(sameEverywhere(password), passwordCost))
}

/** A hash nobody knows the password of: what an unknown email is compared with, so that it costs the same time. */
const nobodysHash = hashPassword(crypto.randomUUID())

export async function isPasswordOf(storedHash: string | null, password: string): Promise<boolean> {
  const compared = storedHash ?? (await nobodysHash)
  const matches = await hashing(() => {
    evaluations.publish({})
    return verify(compared, sameEverywhere(password))
  })
  return matches && storedHash !== null
}
