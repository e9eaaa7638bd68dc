/** Lets the first of a burst through, and then one per interval; the moments come from a clock that never goes back. */
export function createThrottle(intervalMs: number): (nowMs: number) => boolean {
  let lastMs = Number.NEGATIVE_INFINITY
  return (nowMs) => {
    if (nowMs - lastMs < intervalMs) return false
    lastMs = nowMs
    return true
  }
}
