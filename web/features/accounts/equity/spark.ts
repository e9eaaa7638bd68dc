import { placeOf } from '../../../ui/charts/short-amount.ts'

/** A point of a sparkline: `at` is a timestamp, the equity is decimal text because it is money. */
export type SparkPoint = { at: number; equity: string }
type Frame = { from: number; to: number; width: number; height: number }

/** Space for the stroke width at each edge. */
const inset = 2

/** The SVG path of a sparkline; null with fewer than two points. */
export function sparkPath(points: readonly SparkPoint[], { from, to, width, height }: Frame): string | null {
  if (points.length < 2 || to <= from) return null
  const values = points.map(({ equity }) => placeOf(equity))
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const placed = points.map(({ at }, index) => {
    const x = inset + ((at - from) / (to - from)) * (width - 2 * inset)
    // A flat line is centred, because an edge would suggest high or low.
    const share = most === least ? 0.5 : ((values[index] ?? least) - least) / (most - least)
    return `${x.toFixed(1)} ${(height - inset - share * (height - 2 * inset)).toFixed(1)}`
  })
  return `M${placed.join('L')}`
}
