type Size = { width: number; height: number }
type Box = Size & { left: number; top: number }

const gap = 5
const edge = 8

const between = (value: number, max: number): number => Math.max(edge, Math.min(value, max - edge))

/** The position of a tip next to its anchor: on the opposite side where there is no room, and always inside the window. */
export function tooltipPosition(
  wanted: 'above' | 'left' | 'right',
  anchor: Box,
  tip: Size,
  room: Size,
): { left: number; top: number } {
  if (wanted === 'above') {
    const above = anchor.top - gap - tip.height
    return {
      left: between(anchor.left + anchor.width / 2 - tip.width / 2, room.width - tip.width),
      top: above >= edge ? above : anchor.top + anchor.height + gap,
    }
  }
  const onLeft = anchor.left - gap - tip.width
  const onRight = anchor.left + anchor.width + gap
  const isLeft = wanted === 'left' ? onLeft >= edge : onRight + tip.width > room.width - edge
  return {
    left: isLeft ? onLeft : onRight,
    top: between(anchor.top + anchor.height / 2 - tip.height / 2, room.height - tip.height),
  }
}
