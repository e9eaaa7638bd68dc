import { placeOf } from '../../ui/charts/short-amount.ts'

/** A point of a line, in what the reader is drawn: `at` of time, the figure as text, since it is money. */
export type SparkPoint = { at: number; equity: string }
type Frame = { from: number; to: number; width: number; height: number }

/** Room for the width of the line itself at either edge. */
const inset = 2

/** Where a small line goes. Null where there is nothing to draw: one point is no line. */
export function sparkPath(points: readonly SparkPoint[], { from, to, width, height }: Frame): string | null {
  if (points.length < 2 || to <= from) return null
  const values = points.map(({ equity }) => placeOf(equity))
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const placed = points.map(({ at }, index) => {
    const x = inset + ((at - from) / (to - from)) * (width - 2 * inset)
    // What never moved lies in the middle, not at an edge that would say high or low.
    const share = most === least ? 0.5 : ((values[index] ?? least) - least) / (most - least)
    return `${x.toFixed(1)} ${(height - inset - share * (height - 2 * inset)).toFixed(1)}`
  })
  return `M${placed.join('L')}`
}
