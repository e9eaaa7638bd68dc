import { protocolError } from '../refusals.ts'
import { type Mt5Call, readServerTime } from './client.ts'
import { roundedOffset } from './clock.ts'
import { callDone, type Platform } from './platform.ts'

export async function readServerClock(
  platform: Platform,
  how: Pick<Mt5Call, 'urgent' | 'sessionAfterMs'> = {},
): Promise<{ utcOffsetSeconds: number; platformNow: number }> {
  const answer = await callDone(platform, { ...how, path: '/api/time/server' })
  const platformNow = readServerTime(answer)
  if (platformNow === undefined) throw protocolError()
  const utcNow = Math.floor(platform.dependencies.time.now() / 1000)
  return { platformNow, utcOffsetSeconds: roundedOffset(platformNow, utcNow) }
}
