/**
 * The platform uses its local time: all its "epoch seconds" are local wall-clock time read as UTC, including daylight
 * saving.
 */
export type Clock = { now(): number }

export type PlatformTime = {
  nowMsc(): number
  /** Converts UTC to platform time. */
  ofUtc(utcMs: number): number
  /** Converts platform time to UTC; a repeated hour in autumn means the first one. */
  toUtc(platformMs: number): number
  describe(): { standardMinutes: number; daylightNow: boolean; daylightUsed: boolean }
}

const DAY_MS = 86_400_000

export function platformTime(timeZone: string, clock: Clock, shiftSeconds: () => number): PlatformTime {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const ofUtc = (utcMs: number): number => {
    const parts = Object.fromEntries(format.formatToParts(utcMs).map((part) => [part.type, Number(part.value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) + (((utcMs % 1000) + 1000) % 1000)
  }
  const offsetMinutes = (utcMs: number): number => (ofUtc(utcMs) - utcMs) / 60_000
  const toUtc = (platformMs: number): number => {
    const offsets = [-1, 1].map((days) => ofUtc(platformMs + days * DAY_MS) - platformMs - days * DAY_MS)
    const earlier = platformMs - Math.max(...offsets)
    return ofUtc(earlier) === platformMs ? earlier : platformMs - Math.min(...offsets)
  }
  return {
    ofUtc,
    toUtc,
    nowMsc: () => ofUtc(clock.now()) + shiftSeconds() * 1000,
    describe: () => {
      const year = new Date(clock.now()).getUTCFullYear()
      const offsets = [offsetMinutes(Date.UTC(year, 0, 15)), offsetMinutes(Date.UTC(year, 6, 15))]
      const standardMinutes = Math.min(...offsets)
      return {
        standardMinutes,
        daylightUsed: offsets[0] !== offsets[1],
        daylightNow: offsetMinutes(clock.now()) !== standardMinutes,
      }
    },
  }
}

/** `1572518788 2019.10.31 10:46:28` */
export function timeText(msc: number): string {
  const text = new Date(msc).toISOString()
  return `${Math.floor(msc / 1000)} ${text.slice(0, 10).replaceAll('-', '.')} ${text.slice(11, 19)}`
}
