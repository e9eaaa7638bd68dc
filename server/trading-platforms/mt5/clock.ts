import type { Utc } from '../contract.ts'

/**
 * The platform counts "epoch seconds" of its own wall clock: the clock's digits read as if they were UTC. This module
 * is the only place that knows it.
 */
export type PlatformClock = {
  /** Seconds that the platform's clock is ahead of UTC at a moment of UTC. */
  offsetAt(utc: Utc): number
  toPlatform(utc: Utc): number
  toUtc(platform: number): Utc
}

const DAY = 86_400
const QUARTER_HOUR = 900

export function platformClock(zone: { timeZone: string; shiftMinutes: number }): PlatformClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone.timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  const wallClock = (utc: Utc): number => {
    const parts = new Map(format.formatToParts(utc * 1000).map(({ type, value }) => [type, Number(value)]))
    const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
    const date = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
    return date / 1000
  }
  // Zones change at quarter hours, and a history of deals asks for the same few of them again and again.
  let cachedQuarter = Number.NaN
  let cachedOffset = 0
  const offsetAt = (utc: Utc): number => {
    const quarter = Math.floor(utc / QUARTER_HOUR)
    if (quarter !== cachedQuarter) {
      cachedOffset = wallClock(quarter * QUARTER_HOUR) - quarter * QUARTER_HOUR + zone.shiftMinutes * 60
      cachedQuarter = quarter
    }
    return cachedOffset
  }
  const toUtc = (platform: number): Utc => {
    const before = offsetAt(platform - DAY)
    const after = offsetAt(platform + DAY)
    // The hour that the clock shows twice in autumn: the larger offset is the earlier reading.
    const larger = Math.max(before, after)
    if (offsetAt(platform - larger) === larger) return platform - larger
    const smaller = Math.min(before, after)
    // The hour that spring skips exists only by mistake; it is read with the offset that was valid until then.
    return offsetAt(platform - smaller) === smaller ? platform - smaller : platform - before
  }
  return { offsetAt, toUtc, toPlatform: (utc) => utc + offsetAt(utc) }
}

/** A difference of two clocks as an offset of zones: whole quarter hours. */
export function roundedOffset(platformNow: number, utcNow: Utc): number {
  return Math.round((platformNow - utcNow) / QUARTER_HOUR) * QUARTER_HOUR
}
