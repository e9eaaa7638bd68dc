import { Refusal } from './refusal.ts'
import type { World } from './world.ts'

export type GroupSeed = { name: string; currency: string; currencyDigits?: number; defaultLeverage?: number }

/** A group as the bridge returns it. */
export type GroupRecord = {
  name: string
  currency: string
  currency_digits: number
  default_leverage: number | null
  enabled: boolean
  margin_call: string
  stop_out: string
  min_password_length: number | null
}

/** At most 15 characters, the platform's maximum. */
export const usualGroups: readonly GroupSeed[] = [
  { name: 'manager', currency: 'USD' },
  { name: 'real-usd', currency: 'USD' },
  { name: 'real-eur', currency: 'EUR' },
  { name: 'real-gbp', currency: 'GBP' },
  { name: 'real-jpy', currency: 'JPY', currencyDigits: 0 },
  { name: 'demo-usd', currency: 'USD', defaultLeverage: 100 },
  { name: 'demo-eur', currency: 'EUR', defaultLeverage: 100 },
]

export function saveGroup(world: World, seed: GroupSeed): void {
  const record: GroupRecord = {
    name: seed.name,
    currency: seed.currency,
    currency_digits: seed.currencyDigits ?? 2,
    default_leverage: seed.defaultLeverage ?? null,
    enabled: true,
    margin_call: '100',
    stop_out: '50',
    min_password_length: 5,
  }
  world.state.run('insert or ignore into groups values (?, ?)', seed.name, JSON.stringify(record))
}

export function allGroups(world: World): GroupRecord[] {
  const rows = world.state.all<{ record: string }>('select record from groups order by name')
  return rows.map((row) => JSON.parse(row.record) as GroupRecord)
}

export function groupOf(world: World, name: string): GroupRecord {
  const row = world.state.one<{ record: string }>('select record from groups where name = ?', name)
  if (row === undefined) throw new Refusal('invalid', 3)
  return JSON.parse(row.record) as GroupRecord
}
