/** A part of an upload as far as it is known. `tookMs`: until the answer; null if it failed or its outcome is unknown. */
type SentPart = { sizeBytes: number; tookMs: number | null }

/** Of an upload, and of each attempt to resume one, whose line may be another: as much as a small file sends at once. */
export const firstPartBytes = 1_000_000
/** A slow line loses little, and the server takes the largest file in such parts. */
export const partBytesMin = 250_000
/** Even over a line that is suddenly a hundred times slower, it arrives within the server's time limit for a request. */
export const partBytesMax = 16_000_000

/** A broken line loses at most about as much as it carries in this time. */
const partMs = 2_000
/** A single part may be fast or slow by chance, so the size changes by at most this factor. */
const stepMax = 4

/** The size of the next part: what the line carries in two seconds, and a quarter after a failure. */
export function nextPartBytes({ sizeBytes, tookMs }: SentPart): number {
  const wantedBytes = tookMs === null ? 0 : (sizeBytes * partMs) / Math.max(tookMs, 1)
  const steppedBytes = Math.min(Math.max(wantedBytes, sizeBytes / stepMax), sizeBytes * stepMax)
  return Math.round(Math.min(Math.max(steppedBytes, partBytesMin), partBytesMax))
}

/** Follows the parts of one attempt, which are sent one after another. `nowMs`: a clock that is never set back. */
export function makePartSizer(nowMs: () => number) {
  let sizeBytes = firstPartBytes
  let mostBytes = partBytesMax
  let sentAtMs: number | null = null

  /** Ignores other requests, such as a query for the offset that fails too. */
  function resize(arrivedBytes: number | null): number {
    if (sentAtMs === null) return sizeBytes
    const isArrived = arrivedBytes !== null
    const tookMs = isArrived ? nowMs() - sentAtMs : null
    sizeBytes = Math.min(nextPartBytes({ sizeBytes: isArrived ? arrivedBytes : sizeBytes, tookMs }), mostBytes)
    sentAtMs = null
    return sizeBytes
  }

  return {
    partSent() {
      sentAtMs = nowMs()
    },
    /** Both return the size of the next part. The last one of a file is shorter. */
    partArrived: (arrivedBytes: number) => resize(arrivedBytes),
    partFailed: () => resize(null),
    /** A proxy refuses requests of this size: no later part is as large. Null if no part was sent, or none is smaller. */
    partTooLarge(): number | null {
      if (sentAtMs === null || sizeBytes <= partBytesMin) return null
      mostBytes = Math.max(Math.round(sizeBytes / stepMax), partBytesMin)
      return resize(null)
    },
  }
}
