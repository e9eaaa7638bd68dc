import type { Direction, Place } from '../form-places.ts'

export type Spot = { left: number; top: number }
export type Gap = Spot & { id: string; width: number; height: number }

/** Rows are spaced apart; gaps closer than this are in the same row. */
const samePx = 4

/** The gap that an arrow key reaches: the nearest line in that direction, and the nearest gap within it. */
export function gapTowards(direction: Direction, from: Spot, gaps: readonly Gap[]): Gap | null {
  const isAcross = direction === 'left' || direction === 'right'
  const sign = direction === 'up' || direction === 'left' ? -1 : 1
  const ahead = (gap: Gap) => sign * (isAcross ? gap.left - from.left : gap.top - from.top)
  const aside = (gap: Gap) => Math.abs(isAcross ? gap.top - from.top : gap.left - from.left)
  const candidates = gaps.filter((gap) => ahead(gap) > samePx && (!isAcross || aside(gap) <= samePx + gap.height))
  return candidates.reduce<Gap | null>((best, gap) => {
    if (best === null) return gap
    const [nearer, isLevel] = [ahead(gap) < ahead(best), Math.abs(ahead(gap) - ahead(best)) <= samePx]
    return (isLevel ? aside(gap) < aside(best) : nearer) ? gap : best
  }, null)
}

/** The distance from a point to a gap; 0 inside it. */
export function distanceTo({ left, top, width, height }: Omit<Gap, 'id'>, point: Spot): number {
  const across = Math.max(left - point.left, 0, point.left - (left + width))
  const down = Math.max(top - point.top, 0, point.top - (top + height))
  return Math.hypot(across, down)
}

/** The id encodes the position of the gap; `-` is a new row. */
export const gapId = ({ stepId, row, column }: Place): string => `${row}:${column ?? '-'}:${stepId}`

export function placeOfGap(id: string): Place | null {
  const match = /^(\d+):(\d+|-):(.+)$/s.exec(id)
  const [, row, column, stepId] = match ?? []
  if (row === undefined || column === undefined || stepId === undefined) return null
  return { stepId, row: Number(row), column: column === '-' ? null : Number(column) }
}
