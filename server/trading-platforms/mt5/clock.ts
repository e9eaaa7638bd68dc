import type { Utc } from '../contract.ts'

/**
 * The platform's "epoch seconds" count its own wall clock: local time read as if it were UTC. Only this module converts
 * them.
 */
export type PlatformClock = {
  /** Seconds that the platform's clock is ahead of UTC at this moment. */
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
  // Zones change at quarter hours only, and a history of deals asks for the same few repeatedly.
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
    // The hour that repeats in autumn: the larger offset gives the earlier reading.
    const larger = Math.max(before, after)
    if (offsetAt(platform - larger) === larger) return platform - larger
    const smaller = Math.min(before, after)
    // The hour skipped in spring occurs only by mistake; it is read with the offset valid before.
    return offsetAt(platform - smaller) === smaller ? platform - smaller : platform - before
  }
  return { offsetAt, toUtc, toPlatform: (utc) => utc + offsetAt(utc) }
}

/** A clock difference as a time zone offset, in whole quarter hours. */
export function roundedOffset(platformNow: number, utcNow: Utc): number {
  return Math.round((platformNow - utcNow) / QUARTER_HOUR) * QUARTER_HOUR
}
