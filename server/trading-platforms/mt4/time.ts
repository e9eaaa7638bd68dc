import type { Utc } from '../contract.ts'
import { type Haste, type Platform, read } from './platform.ts'
import { timeRecord } from './records.ts'

/** The bridge converts the platform's clock; how well it does shows when its UTC is held against ours. */
export function readBridgeTime(platform: Platform, how: Haste = {}): Promise<{ utc: Utc; utc_offset_seconds: number }> {
  return read(platform, { ...how, path: '/v1/time' }, timeRecord)
}

export async function readServerClock(platform: Platform): Promise<{ utcOffsetSeconds: number; platformNow: number }> {
  const { utc, utc_offset_seconds: utcOffsetSeconds } = await readBridgeTime(platform)
  return { utcOffsetSeconds, platformNow: utc + utcOffsetSeconds }
}
