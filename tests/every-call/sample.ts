import { createHash, randomInt } from 'node:crypto'
import type { Call } from '@atrium/contract/call.ts'

const { ATRIUM_TEST_SEED: given } = process.env
/** What a day's sample is drawn with: `ATRIUM_TEST_SEED` draws the same one again. */
export const seed = Number(given ?? randomInt(2 ** 31))

process.stdout.write(`  every call: ATRIUM_TEST_SEED=${seed} repeats this sample\n`)

/** What a walk takes of the cross product of a call and everything that is tried at it. */
export type Sample = {
  /** That many of them, others for another key and on another day; all of them where the walk leaves nothing out. */
  pick<Item>(key: string, all: readonly Item[], count: number): Item[]
  /** Whether this one of so many is drawn. */
  has(key: string, oneIn: number): boolean
}

/** Money moves by these calls or goes to what they name, so that no day leaves anything of them out. */
const ofMoney = /deposit|withdraw|payout|transfer|transaction|payment|bank-account|fund-account/

export const isOfMoney = ({ path, decides }: Call): boolean => decides !== undefined || ofMoney.test(path)

export const whole: Sample = { pick: (_, all) => [...all], has: () => true }

const drawn: Sample = {
  pick(key, all, count) {
    const start = numberOf(key)
    return all.length <= count
      ? [...all]
      : Array.from({ length: count }, (_, at) => at).map((at) => nth(all, start + at))
  },
  has: (key, oneIn) => numberOf(key) % oneIn === 0,
}

/** What an everyday walk tries at a call. */
export const sampleFor = (call: Call): Sample => (isOfMoney(call) ? whole : drawn)
export { drawn }

const nth = <Item>(all: readonly Item[], at: number): Item => all[at % all.length] as Item

/** Evenly spread, and the same for the same seed and key on every machine. */
export function numberOf(key: string): number {
  return createHash('sha256').update(`${seed} ${key}`).digest().readUInt32BE()
}
