/** Measures whether response times distinguish two kinds of requests, as an outside attacker could. */

/** The accepted range: within it the two sides are indistinguishable by measurement. */
const band = { low: 0.45, high: 0.55 }
const medianOf = 50
const resamplings = 400

export type Compared = { name: string; pairs: number; single: Area; medians: Area }
/** Probability that a left time exceeds a right one (0.5 if indistinguishable), with its 95 % confidence interval. */
type Area = { value: number; low: number; high: number }

type Arm = { name: string; pairs: number; warmUp?: number; left(index: number): Promise<unknown>; right: Arm['left'] }

/** Alternates the sides, each pair in random order, so that other load on the machine affects both alike. */
export async function compare({ name, pairs, warmUp = 20, left, right }: Arm): Promise<Compared> {
  const times = { left: [] as number[], right: [] as number[] }
  for (let index = -warmUp; index < pairs; index++) {
    const order = Math.random() < 0.5 ? (['left', 'right'] as const) : (['right', 'left'] as const)
    for (const side of order) {
      const started = performance.now()
      await (side === 'left' ? left : right)(index + warmUp)
      if (index >= 0) times[side].push(performance.now() - started)
    }
  }
  const single = areaOf(times.left, times.right)
  return { name, pairs, single, medians: areaOf(mediansOf(times.left), mediansOf(times.right)) }
}

/** True if the times separate the two sides beyond chance, by single tries or by medians of fifty. */
export const revealsMembers = ({ single, medians }: Compared): boolean => isOutside(single) || isOutside(medians)

const isOutside = ({ low, high }: Area): boolean => low > band.high || high < band.low

export function describe(compared: Compared): string {
  const { name, pairs, single, medians } = compared
  const cell = ({ value, low, high }: Area) => `${value.toFixed(3)} (${low.toFixed(2)} to ${high.toFixed(2)})`
  const verdict = revealsMembers(compared) ? 'TELLS' : 'same'
  return `  ${name.padEnd(62)} ${String(pairs).padStart(6)} pairs   ${cell(single)}   medians ${cell(medians)}   ${verdict}`
}

/** Medians of fifty tries each, as an attacker would take them to reduce noise. */
function mediansOf(times: number[]): number[] {
  const groups = Array.from({ length: Math.floor(times.length / medianOf) }, (_, group) =>
    times.slice(group * medianOf, (group + 1) * medianOf).sort((one, other) => one - other),
  )
  return groups.map((group) => ((group[medianOf / 2 - 1] ?? 0) + (group[medianOf / 2] ?? 0)) / 2)
}

function areaOf(left: number[], right: number[]): Area {
  const pick = (from: number[]) => from.map(() => from[Math.floor(Math.random() * from.length)] ?? 0)
  const resampled = Array.from({ length: resamplings }, () => areaUnderCurve(pick(left), pick(right)))
  const mean = resampled.reduce((sum, each) => sum + each, 0) / resamplings
  const variance = resampled.reduce((sum, each) => sum + (each - mean) ** 2, 0) / resamplings
  // With few values resampling underestimates the variance.
  const byChance = (left.length + right.length + 1) / (12 * left.length * right.length)
  const reach = 1.96 * Math.sqrt(Math.max(variance, byChance))
  const value = areaUnderCurve(left, right)
  return { value, low: Math.max(0, value - reach), high: Math.min(1, value + reach) }
}

/** By ranks (Mann-Whitney): comparing every pair takes minutes for thousands of values. */
function areaUnderCurve(left: number[], right: number[]): number {
  const all = [...left.map((time) => ({ time, isLeft: true })), ...right.map((time) => ({ time, isLeft: false }))].sort(
    (one, other) => one.time - other.time,
  )
  let ranks = 0
  for (let from = 0; from < all.length; ) {
    let to = from
    while (to < all.length && all[to]?.time === all[from]?.time) to += 1
    for (let index = from; index < to; index++) if (all[index]?.isLeft) ranks += (from + to + 1) / 2
    from = to
  }
  return (ranks - (left.length * (left.length + 1)) / 2) / (left.length * right.length)
}
