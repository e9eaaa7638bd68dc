import { createHash, randomInt } from 'node:crypto'
import type { Call } from '@atrium/contract/call.ts'

const { ATRIUM_TEST_SEED: given } = process.env
/** The seed of the day's sample: `ATRIUM_TEST_SEED` repeats a sample. */
export const seed = Number(given ?? randomInt(2 ** 31))

process.stdout.write(`  every call: ATRIUM_TEST_SEED=${seed} repeats this sample\n`)

/** Selects from the combinations of a call and everything tried on it. */
export type Sample = {
  /** Picks `count` items, which differ by key and seed; a whole walk picks all. */
  pick<Item>(key: string, all: readonly Item[], count: number): Item[]
  /** Whether this one of `oneIn` is drawn. */
  has(key: string, oneIn: number): boolean
}

/** Calls that move money or change where it goes; every run tries them completely. */
const ofMoney = /deposit|withdraw|payout|transfer|transaction|payment|bank-account|fund-account/

export const isOfMoney = ({ path, decides }: Call): boolean => decides !== undefined || ofMoney.test(path)

export const everySample: Sample = { pick: (_, all) => [...all], has: () => true }

const drawn: Sample = {
  pick(key, all, count) {
    const start = numberOf(key)
    return all.length <= count
      ? [...all]
      : Array.from({ length: count }, (_, at) => at).map((at) => nth(all, start + at))
  },
  has: (key, oneIn) => numberOf(key) % oneIn === 0,
}

/** The sample that a daily walk tries on a call. */
export const sampleFor = (call: Call): Sample => (isOfMoney(call) ? everySample : drawn)
export { drawn }

const nth = <Item>(all: readonly Item[], at: number): Item => all[at % all.length] as Item

/** A uniformly distributed number, the same for the same seed and key on every machine. */
export function numberOf(key: string): number {
  return createHash('sha256').update(`${seed} ${key}`).digest().readUInt32BE()
}
