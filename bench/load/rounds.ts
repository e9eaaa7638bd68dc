import { medianOf } from '../measure/measurement.ts'
import type { Answered } from './load-generator.ts'
import { usedBy, usedByTree } from './process-usage.ts'

export type Contestant = { name: string; pid: number; run(seconds: number): Promise<Answered> }
/** `ownMs`, `databaseMs`: processor time per answer. */
export type Round = Answered & { ownMs: number; databaseMs: number }
export type Results = Map<string, Round[]>

/** `tidy`: runs before each turn and is not measured, so that no contestant pays for what another one left. */
type Plan = { rounds: number; seconds: number; databasePid: number; tidy?: () => Promise<void> }

/** Runs all contestants in turn and starts each round with another one, so that a slow minute does not affect only one. */
export async function runRounds(contestants: readonly Contestant[], plan: Plan): Promise<Results> {
  for (const { run } of contestants) {
    await plan.tidy?.()
    await run(plan.seconds)
  }
  const results: Results = new Map(contestants.map(({ name }) => [name, []]))
  for (let round = 0; round < plan.rounds; round += 1) {
    const first = round % contestants.length
    for (const contestant of [...contestants.slice(first), ...contestants.slice(0, first)])
      results.get(contestant.name)?.push(await runOne(contestant, plan))
  }
  return results
}

async function runOne({ pid, run }: Contestant, { seconds, databasePid, tidy }: Plan): Promise<Round> {
  await tidy?.()
  const spent = () => [usedBy(pid), usedByTree(databasePid)].map((used) => used?.cpuSeconds ?? Number.NaN)
  const before = spent()
  const measurement = await run(seconds)
  const [ownMs = 0, databaseMs = 0] = spent().map(
    (after, place) => ((after - (before[place] ?? 0)) * 1_000) / measurement.count,
  )
  return { ...measurement, ownMs, databaseMs }
}

const notMeasured: Round = {
  count: 0,
  perSecond: Number.NaN,
  p50Ms: Number.NaN,
  p99Ms: Number.NaN,
  ownMs: Number.NaN,
  databaseMs: Number.NaN,
}

type Compared = { name?: string; beside: string; of?: (round: Round) => number }

/** The median over rounds of ours against another contestant, both measured within the same seconds. */
export function medianRatio(
  results: Results,
  { name = 'ours', beside, of = ({ perSecond }: Round) => perSecond }: Compared,
): number {
  const others = results.get(beside) ?? []
  return medianOf((results.get(name) ?? []).map((round, index) => of(round) / of(others[index] ?? notMeasured)))
}

export function reportResults(title: string, results: Results): void {
  console.log(`  ${title}`)
  for (const name of results.keys()) {
    const median = (of: (round: Round) => number) => medianOf((results.get(name) ?? []).map(of))
    const all = results.get(name)?.map(({ perSecond }) => perSecond) ?? []
    const cells = [
      name.padEnd(34),
      `${median(({ perSecond }) => perSecond)
        .toFixed(0)
        .padStart(6)} /s (${Math.min(...all).toFixed(0)} to ${Math.max(...all).toFixed(0)})`.padEnd(26),
      `p50 ${median(({ p50Ms }) => p50Ms)
        .toFixed(1)
        .padStart(5)} ms`,
      `p99 ${median(({ p99Ms }) => p99Ms)
        .toFixed(1)
        .padStart(6)} ms`,
      `processor ${median(({ ownMs }) => ownMs).toFixed(2)} + database ${median(({ databaseMs }) => databaseMs).toFixed(2)} ms`,
    ]
    console.log(`    ${cells.join('   ')}`)
  }
}
