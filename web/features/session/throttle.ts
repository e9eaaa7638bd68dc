/** Passes the first event of a burst, then one per interval; times come from a monotonic clock. */
export function createThrottle(intervalMs: number): (nowMs: number) => boolean {
  let lastMs = Number.NEGATIVE_INFINITY
  return (nowMs) => {
    if (nowMs - lastMs < intervalMs) return false
    lastMs = nowMs
    return true
  }
}
