import { matchesMask, type Parameters, Refusal, type Reply } from './wire.ts'
import type { World } from './world.ts'

export type GroupSeed = {
  name: string
  currency: string
  currencyDigits?: number
  marginMode?: 0 | 1 | 2
  demoLeverage?: number
  passwordMin?: number
  company?: string
}

type GroupRecord = Record<string, unknown> & { Group: string; Currency: string; CurrencyDigits: string }

export const usualGroups: readonly GroupSeed[] = [
  { name: 'managers\\administrators', currency: 'USD' },
  { name: 'real\\standard-usd', currency: 'USD' },
  { name: 'real\\standard-eur', currency: 'EUR' },
  { name: 'real\\standard-gbp', currency: 'GBP' },
  { name: 'real\\standard-jpy', currency: 'JPY', currencyDigits: 0 },
  { name: 'real\\standard-cny', currency: 'CNY' },
  { name: 'real\\standard-vnd', currency: 'VND', currencyDigits: 0 },
  { name: 'real\\raw-usd', currency: 'USD', marginMode: 0 },
  { name: 'demo\\standard-usd', currency: 'USD', demoLeverage: 100 },
  { name: 'demo\\standard-eur', currency: 'EUR', demoLeverage: 100 },
]

/** Fields that the vendor's parser reads and the simulator does not use. */
const unusedFields = {
  AuthOTPMode: '0',
  CompanyPage: '',
  CompanyEmail: '',
  CompanySupportPage: '',
  CompanySupportEmail: '',
  CompanyCatalog: '',
  ReportsMode: '0',
  ReportsFlags: '0',
  ReportsSMTP: '',
  ReportsSMTPLogin: '',
  ReportsSMTPPass: '',
  NewsMode: '2',
  NewsCategory: '',
  NewsLangs: [],
  MailMode: '1',
  TradeTransferMode: '0',
  TradeInterestrate: '0.00',
  TradeVirtualCredit: '0.00',
  MarginSOMode: '0',
  MarginFreeMode: '1',
  MarginFreeProfitMode: '0',
  LimitOrders: '0',
  LimitSymbols: '0',
  LimitPositions: '0',
}

export function saveGroup(world: World, seed: GroupSeed): void {
  const record = {
    Group: seed.name,
    Server: '1',
    PermissionsFlags: '2',
    AuthMode: '0',
    AuthPasswordMin: String(seed.passwordMin ?? 8),
    Company: seed.company ?? 'Harbour Markets',
    Currency: seed.currency,
    CurrencyDigits: String(seed.currencyDigits ?? 2),
    MarginMode: String(seed.marginMode ?? 2),
    MarginCall: '100.00',
    MarginStopOut: '50.00',
    DemoLeverage: String(seed.demoLeverage ?? 0),
    DemoDeposit: '0.00',
    LimitHistory: '0',
    TradeFlags: '7',
    Commissions: [],
    Symbols: [],
  }
  world.state.run('insert or ignore into groups values (?, ?)', seed.name, JSON.stringify(record))
}

export function allGroups(world: World): GroupRecord[] {
  const rows = world.state.all<{ record: string }>('select record from groups order by name')
  return rows.map(readGroup)
}

export function findGroup(world: World, name: string): GroupRecord | undefined {
  const row = world.state.one<{ record: string }>('select record from groups where name = ?', name)
  return row && readGroup(row)
}

/** Stored state of an earlier version lacks newer fields. */
const readGroup = ({ record }: { record: string }): GroupRecord => ({
  ...unusedFields,
  ...(JSON.parse(record) as GroupRecord),
})

export function groupOf(world: World, name: string): GroupRecord {
  const group = findGroup(world, name)
  if (group === undefined) throw new Refusal(13)
  return group
}

const visibleGroups = (world: World): GroupRecord[] =>
  allGroups(world).filter(({ Group }) => !world.switches.hiddenGroups.includes(Group))

/** A mask shows no more groups than these. */
const maskedMax = 5_000

export const groupCommands = {
  '/api/group/list': (world: World): Reply => ({ code: 0, answer: visibleGroups(world).map((group) => group.Group) }),
  '/api/group/total': (world: World): Reply => ({ code: 0, answer: { Total: String(visibleGroups(world).length) } }),
  '/api/group/next': (world: World, parameters: Parameters): Reply => {
    const index = Number(parameters.get('index') ?? 0)
    const count = Number(parameters.get('count') ?? 1)
    const found = visibleGroups(world).slice(index, index + count)
    if (found.length === 0) throw new Refusal(13)
    return { code: 0, answer: count > 1 ? found : found[0] }
  },
  '/api/group/get': (world: World, parameters: Parameters): Reply => {
    const mask = parameters.get('mask')
    const name = parameters.get('group') ?? ''
    if (mask === undefined && world.switches.hiddenGroups.includes(name)) throw new Refusal(8)
    if (mask === undefined) return { code: 0, answer: groupOf(world, name) }
    const found = visibleGroups(world).filter((group) => matchesMask(group.Group, mask))
    return { code: found.length > maskedMax ? 14 : 0, answer: found.slice(0, maskedMax) }
  },
}
