export type Measurement = { count: number; p50Ms: number; p95Ms: number; p99Ms: number; perSecond: number }

/** Returns the quantile for a share of 0 to 1; 0 for an empty list. */
export function quantilesOf(values: readonly number[]): (share: number) => number {
  const sorted = values.toSorted((left, right) => left - right)
  return (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

type Work = (index: number, connection: number) => Promise<void>

/** Runs `work` `count` times over `connections` concurrent connections and measures each run. */
export function measure(connections: number, count: number, work: Work): Promise<Measurement> {
  return measureWhile(connections, (index) => index < count, work)
}

/** Like `measure`, but for a number of seconds. */
export function measureFor(connections: number, seconds: number, work: Work): Promise<Measurement> {
  const until = performance.now() + seconds * 1_000
  return measureWhile(connections, () => performance.now() < until, work)
}

async function measureWhile(connections: number, goesOn: (index: number) => boolean, work: Work): Promise<Measurement> {
  const took: number[] = []
  let next = 0
  const runWorker = async (_: unknown, connection: number): Promise<void> => {
    while (goesOn(next)) {
      const index = next
      next += 1
      const started = performance.now()
      await work(index, connection)
      took.push(performance.now() - started)
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: connections }, runWorker))
  const seconds = (performance.now() - started) / 1_000
  const at = quantilesOf(took)
  const count = took.length
  return { count, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), perSecond: count / seconds }
}

export function describeMeasurement(name: string, measurement: Measurement, baseline?: Measurement): string {
  const ratio = baseline
    ? `   ${(measurement.p50Ms / baseline.p50Ms).toFixed(2)} x p50, ${(baseline.perSecond / measurement.perSecond).toFixed(2)} x time`
    : ''
  const cells = [
    name.padEnd(44),
    `p50 ${measurement.p50Ms.toFixed(2).padStart(7)} ms`,
    `p99 ${measurement.p99Ms.toFixed(2).padStart(7)} ms`,
    `${Math.round(measurement.perSecond).toString().padStart(6)} /s`,
  ]
  return `  ${cells.join('   ')}${ratio}`
}

export function medianOf(values: readonly number[]): number {
  return quantilesOf(values)(0.5)
}

/** The median of each value over several rounds. */
export function middleOf(rounds: readonly Measurement[]): Measurement {
  const at = (key: keyof Measurement): number => medianOf(rounds.map((each) => each[key]))
  return { count: at('count'), p50Ms: at('p50Ms'), p95Ms: at('p95Ms'), p99Ms: at('p99Ms'), perSecond: at('perSecond') }
}

/** `at`: the time of the tick, on the clock that all processes of a machine share. */
export type Tick = { number: number; at: number }
