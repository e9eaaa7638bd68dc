import type { Direction, Place } from '../form-places.ts'

export type Spot = { left: number; top: number }
export type Gap = Spot & { id: string; width: number; height: number }

/** Rows stand a little apart: what is closer than this is beside each other, not below. */
const samePx = 4

/** The gap to which an arrow leads: the nearest line in that direction, and in it the one that is least aside. */
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

/** How far a point is from a gap; none at all inside of it. */
export function distanceTo({ left, top, width, height }: Omit<Gap, 'id'>, point: Spot): number {
  const across = Math.max(left - point.left, 0, point.left - (left + width))
  const down = Math.max(top - point.top, 0, point.top - (top + height))
  return Math.hypot(across, down)
}

/** A gap's name says where it leads; `-` is a row of its own. */
export const gapId = ({ stepId, row, column }: Place): string => `${row}:${column ?? '-'}:${stepId}`

export function placeOfGap(id: string): Place | null {
  const match = /^(\d+):(\d+|-):(.+)$/s.exec(id)
  const [, row, column, stepId] = match ?? []
  if (row === undefined || column === undefined || stepId === undefined) return null
  return { stepId, row: Number(row), column: column === '-' ? null : Number(column) }
}
