import type { Utc } from '../contract.ts'
import { type CallTiming, type Platform, read } from './platform.ts'
import { timeRecord } from './records.ts'

/** The bridge's UTC, converted from the platform's clock; comparing it with ours reveals a wrong time zone. */
export function readBridgeTime(
  platform: Platform,
  how: CallTiming = {},
): Promise<{ utc: Utc; utc_offset_seconds: number }> {
  return read(platform, { ...how, path: '/v1/time' }, timeRecord)
}

export async function readServerClock(platform: Platform): Promise<{ utcOffsetSeconds: number; platformNow: number }> {
  const { utc, utc_offset_seconds: utcOffsetSeconds } = await readBridgeTime(platform)
  return { utcOffsetSeconds, platformNow: utc + utcOffsetSeconds }
}
