import { hash, verify } from '@node-rs/argon2'

/** OWASP's lower bound for argon2id (this library's default kind): 19 MiB, two passes, one lane. Runs off the event loop. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export function hashPassword(password: string): Promise<string> {
  return hash(password, cost)
}

/** A hash nobody knows the password of: what an unknown email is compared with, so that it costs the same time. */
const nobodysHash = hashPassword(crypto.randomUUID())

export async function isPasswordOf(storedHash: string | null, password: string): Promise<boolean> {
  const matches = await verify(storedHash ?? (await nobodysHash), password)
  return matches && storedHash !== null
}
