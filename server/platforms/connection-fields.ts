import type { connectPlatform, DeskPlatform } from '@atrium/contract/platforms/desk-calls.ts'
import type { z } from 'zod'
import type { PlatformKind } from '../trading-platforms/contract.ts'

type Fields = NonNullable<DeskPlatform['connection']>
type Given = Omit<z.output<(typeof connectPlatform)['input']>, 'id' | 'version' | 'enabled' | 'secret'>
export type Settings = Record<string, unknown>

/** The adapters' default timeouts, for an empty form. */
export const usualDeadlines = { connectMs: 10_000, readMs: 15_000, writeMs: 30_000 }

/** The adapters' names for the fields of the desk. */
const namesOf = { baseUrl: 'base_url', managerLogin: 'manager_login', timeZone: 'time_zone', caPem: 'ca_pem' } as const
const deadlineNames = { connectMs: 'connect_ms', readMs: 'read_ms', writeMs: 'write_ms' } as const
/** The adapters' names for the secret. */
export const secretNames: Record<PlatformKind, string> = { mt5: 'managerPassword', mt4: 'token' }

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null)

export type Timing = Pick<Fields, 'settle_ms' | 'look_again_ms' | 'lease_ms'>

/** The defaults of the table's columns. */
export const usualTiming: Timing = { settle_ms: 200_000, look_again_ms: 30_000, lease_ms: 75_000 }

export const timingOf = (row: { [Name in keyof Timing]: number | null }): Timing => ({
  settle_ms: row.settle_ms ?? usualTiming.settle_ms,
  look_again_ms: row.look_again_ms ?? usualTiming.look_again_ms,
  lease_ms: row.lease_ms ?? usualTiming.lease_ms,
})

/** Stored settings as the desk shows them. A connection without settings has no address. */
export function describeConnection(
  settings: Settings | null,
  timing: Timing,
): { connection: Fields | null; is_simulated: boolean } {
  const base_url = text(settings?.baseUrl)
  if (!settings || base_url === null) return { connection: null, is_simulated: false }
  const deadlines = { ...usualDeadlines, ...(settings.deadlines as Partial<typeof usualDeadlines> | undefined) }
  return {
    is_simulated: settings.allowPlainHttp === true,
    connection: {
      base_url,
      manager_login: text(settings.managerLogin),
      time_zone: text(settings.timeZone),
      time_zone_shift_minutes: number(settings.timeZoneShiftMinutes),
      ca_pem: text(settings.caPem),
      server_name: text(settings.serverName),
      connect_ms: deadlines.connectMs,
      read_ms: deadlines.readMs,
      write_ms: deadlines.writeMs,
      ...timing,
    },
  }
}

/** Settings as the adapter expects them. Stored ones that the desk does not show are preserved. */
export function settingsFrom(kind: PlatformKind, given: Given, current: Settings): Settings {
  const { connect_ms, read_ms, write_ms } = given
  const deadlines = {
    ...(current.deadlines as Settings | undefined),
    connectMs: connect_ms,
    readMs: read_ms,
    writeMs: write_ms,
  }
  const both = { baseUrl: given.base_url, caPem: given.ca_pem, serverName: given.server_name, deadlines }
  const ofMt5 = {
    managerLogin: given.manager_login,
    timeZone: given.time_zone,
    timeZoneShiftMinutes: given.time_zone_shift_minutes,
  }
  const said: Settings = { ...current, ...both, ...(kind === 'mt5' && ofMt5) }
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null && value !== ''))
}

/** Whether the secret's recipient is the same; with another one the stored secret must be entered again. */
export const isSameListener = (before: Settings, after: Settings): boolean =>
  ['baseUrl', 'managerLogin', 'caPem', 'serverName'].every((name) => before[name] === after[name])

/** The desk's field for an adapter's setting. */
export function fieldOf(path: readonly PropertyKey[], kind: PlatformKind): string {
  const [first = '', second = ''] = path.map(String)
  if (first === secretNames[kind]) return 'secret'
  if (first === 'deadlines') return deadlineNames[second as keyof typeof deadlineNames] ?? 'read_ms'
  if (first === 'serverName') return 'server_name'
  if (first === 'timeZoneShiftMinutes') return 'time_zone_shift_minutes'
  return namesOf[first as keyof typeof namesOf] ?? 'base_url'
}
