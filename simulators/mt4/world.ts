import type { PlatformWorld } from '../metatrader/platform.ts'

/** What can be wrong with a bridge or its connection without any single call failing. */
export type Switches = {
  /** The manager connection was left idle: reads find nothing, until a ping brings it back. */
  stale: boolean
  /** The ping fails too: the bridge has no connection to the platform. */
  connected: boolean
  /** The bridge crashes between the platform's act and its own note, each time: no key is remembered. */
  forgetsKeys: boolean
  retryAfterSeconds: number
  accountantAllowed: boolean
  /** Fields of an account that are kept otherwise than they were written, without a word. Empty: dropped. */
  altered: Record<string, string>
  /** The bridge takes the platform's clock for another time than it is. */
  clockShiftSeconds: number
}

export const usualSwitches: Switches = {
  stale: false,
  connected: true,
  forgetsKeys: false,
  retryAfterSeconds: 0,
  accountantAllowed: true,
  altered: {},
  clockShiftSeconds: 0,
}

export type World = PlatformWorld<Switches>

/** Seconds of the platform's clock as the bridge tells them. */
export function utcText(world: World, platformSeconds: number): string {
  const utc = world.time.toUtc(platformSeconds * 1000)
  return `${new Date(utc).toISOString().slice(0, 19)}Z`
}

export function platformSeconds(world: World, utcMs: number): number {
  return Math.floor(world.time.ofUtc(utcMs) / 1000)
}

export function platformNow(world: World): number {
  return Math.floor(world.time.nowMsc() / 1000)
}
