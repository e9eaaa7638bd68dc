/** The crop square: its centre in the picture's own pixels, and the zoom. */
export type View = { x: number; y: number; zoom: number }
export type Size = { width: number; height: number }
export type Cut = { left: number; top: number; side: number }

export const zoomMax = 5

export const middleOf = ({ width, height }: Size): View => ({ x: width / 2, y: height / 2, zoom: 1 })

/** The square to cut out: never larger than the picture, never beyond its edges. */
export function cutOf(size: Size, view: View): Cut {
  const side = Math.min(size.width, size.height) / within(view.zoom, 1, zoomMax)
  return {
    side,
    left: within(view.x - side / 2, 0, size.width - side),
    top: within(view.y - side / 2, 0, size.height - side),
  }
}

/** Moves and zooms, clamped to the picture, so that dragging beyond an edge adds no distance to drag back. */
export function moveView(size: Size, view: View, by: { x?: number; y?: number; zoom?: number }): View {
  const zoom = within(view.zoom * (by.zoom ?? 1), 1, zoomMax)
  const { left, top, side } = cutOf(size, { x: view.x + (by.x ?? 0), y: view.y + (by.y ?? 0), zoom })
  return { x: left + side / 2, y: top + side / 2, zoom }
}

const within = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high)
