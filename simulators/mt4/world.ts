import type { PlatformWorld } from '../metatrader/platform.ts'

/** Faults of a bridge or its connection that do not fail a single call. */
export type Switches = {
  /** The manager connection is idle: reads are empty until a ping revives it. */
  stale: boolean
  /** False makes the ping fail too: the bridge has no connection to the platform. */
  connected: boolean
  /** The bridge crashes between the platform's execution and its own record: idempotency keys are lost. */
  forgetsKeys: boolean
  retryAfterSeconds: number
  accountantAllowed: boolean
  /** Account fields that are stored with another value than sent, without an error. An empty value drops the field. */
  altered: Record<string, string>
  /** The bridge converts platform time with a wrong offset. */
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

/** Converts seconds of platform time to the bridge's UTC text. */
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
