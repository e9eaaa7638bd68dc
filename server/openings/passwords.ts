import { randomInt } from 'node:crypto'
import { platformPasswordRules } from '@atrium/contract/accounts/trading-passwords.ts'
import type { Capabilities } from '../trading-platforms/contract.ts'

type Policy = Capabilities['passwordPolicy']

/** Violations of the platform's password rules beyond the portal's, as messages; empty if the password fits. */
export function passwordErrors(password: string, policy: Policy): string[] {
  return platformPasswordRules(policy)
    .filter(({ holds }) => !holds(password))
    .map(({ text }) => text)
}

const classesOfCharacters = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnopqrstuvwxyz', '23456789', '!#%+-.']

/** Generates the investor password that the platform requires; it is sent and never stored. */
export function makeUnknownPassword({ max, forbidden }: Policy): string {
  const usable = classesOfCharacters.map((characters) => [...characters].filter((each) => !forbidden.includes(each)))
  const pick = (from: string[]): string => from[randomInt(from.length)] ?? ''
  const picked = usable.map(pick)
  while (picked.length < Math.min(max, 16)) picked.push(pick(usable.flat()))
  for (let last = picked.length - 1; last > 0; last--) {
    const other = randomInt(last + 1)
    const held = picked[last] ?? ''
    picked[last] = picked[other] ?? ''
    picked[other] = held
  }
  return picked.join('')
}
