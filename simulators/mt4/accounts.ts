import { randomBytes } from 'node:crypto'
import Big from 'big.js'
import { type AccountMetrics, openTradeMetrics, type Trade } from '../metatrader/account-metrics.ts'
import { hashPassword, hashPasswords, isGoodPassword, isPassword } from '../metatrader/passwords.ts'
import { type Call, cursorOf, limitOf, pageOf, refuseUnknownFields, refuseWhileStale, textOf } from './calls.ts'
import { groupOf } from './groups.ts'
import { Refusal, type Reply } from './refusal.ts'
import type { TradeRow, UserRow } from './state.ts'
import { platformNow, utcText, type World } from './world.ts'

export const passwordPolicy = { min: 5, max: 15, classes: 'two-of-three', forbidden: '' } as const
export const leverageRange = { min: 1, max: 1000 }

export function findUser(world: World, login: string): UserRow | undefined {
  if (!/^\d{1,10}$/.test(login)) return undefined
  return world.state.one<UserRow>('select * from users where login = ?', Number(login))
}

export function userOf(world: World, login: string): UserRow {
  const user = world.switches.stale ? undefined : findUser(world, login)
  if (user === undefined) throw new Refusal('not_found', 65)
  return user
}

export function openTrades(world: World, login: number): TradeRow[] {
  return world.state.all<TradeRow>('select * from trades where login = ? and close_time = 0 order by ticket', login)
}

export function tradeOf(row: TradeRow): Trade {
  const { symbol, open_price: openPrice, storage, commission } = row
  const side = row.cmd === 0 ? 'buy' : 'sell'
  return { symbol, side, openPrice, storage, commission, lots: new Big(row.volume).div(100) }
}

export function metricsOf(world: World, user: UserRow): AccountMetrics & { digits: number; trades: TradeRow[] } {
  const { currency, currency_digits: digits } = groupOf(world, user.group_name)
  const trades = openTrades(world, user.login).filter((row) => row.cmd <= 1)
  return { ...openTradeMetrics(world.market, { ...user, currency, digits }, trades.map(tradeOf)), digits, trades }
}

export function isActive(world: World, user: UserRow): boolean {
  return world.active.has(user.login) || openTrades(world, user.login).length > 0
}

const noMetrics = {
  equity: null,
  floating: null,
  margin: null,
  margin_free: null,
  margin_level: null,
  level_type: null,
}

function marginRecord(world: World, user: UserRow): Record<string, unknown> {
  if (!isActive(world, user)) return noMetrics
  const { equity, floating, margin, marginFree, digits } = metricsOf(world, user)
  const level = margin.eq(0) ? null : equity.div(margin).times(100)
  return {
    equity: equity.toFixed(digits),
    floating: floating.toFixed(digits),
    margin: margin.toFixed(digits),
    margin_free: marginFree.toFixed(digits),
    margin_level: level?.toFixed(2) ?? null,
    level_type: level === null || level.gt(100) ? 0 : level.gt(50) ? 1 : 2,
  }
}

export function accountRecord(world: World, user: UserRow): Record<string, unknown> {
  const group = groupOf(world, user.group_name)
  const texts = JSON.parse(user.texts) as Record<string, string>
  const text = (name: string) => texts[name] ?? ''
  return {
    login: String(user.login),
    group: group.name,
    currency: group.currency,
    currency_digits: group.currency_digits,
    leverage: user.leverage,
    enable: user.enable === 1,
    enable_change_password: user.enable_change_password === 1,
    enable_read_only: user.enable_read_only === 1,
    name: text('name'),
    email: text('email'),
    phone: text('phone'),
    country: text('country'),
    city: text('city'),
    state: text('state'),
    zip: text('zip'),
    address: text('address'),
    comment: text('comment'),
    registered_at: utcText(world, user.registered),
    balance: new Big(user.balance).toFixed(group.currency_digits),
    credit: new Big(user.credit).toFixed(group.currency_digits),
    ...marginRecord(world, user),
  }
}

export function readAccount(world: World, { login }: Call): Reply {
  return { status: 200, body: accountRecord(world, userOf(world, login)) }
}

export function listAccounts(world: World, call: Call): Reply {
  const { query } = call
  const [chosen, ...others] = (['group', 'login', 'tag'] as const).filter((name) => query.has(name))
  if (chosen === undefined || others.length > 0) throw new Refusal('bad_request')
  const value = query.get(chosen) ?? ''
  const after = cursorOf(call, 1)?.[0] ?? 0
  const limit = limitOf(call)
  const wheres = {
    group: 'group_name = ?',
    login: 'login in (select value from json_each(?))',
    tag: "upper(substr(json_extract(texts, '$.comment'), 1, 17)) = upper(?)",
  }
  const given = chosen === 'login' ? JSON.stringify(value.split(',').map(Number)) : value
  const found = world.switches.stale
    ? []
    : world.state.all<UserRow>(
        `select * from users where ${wheres[chosen]} and login > ? order by login limit ?`,
        given,
        after,
        limit + 1,
      )
  const { page, next_cursor } = pageOf(found, limit, (user) => [user.login])
  return { status: 200, body: { items: page.map((user) => accountRecord(world, user)), next_cursor } }
}

/** Name and maximum length, as the platform stores them. */
const texts: readonly [string, number][] = [
  ['name', 127],
  ['email', 47],
  ['phone', 31],
  ['country', 31],
  ['city', 31],
  ['state', 31],
  ['zip', 15],
  ['address', 95],
]
const accountFields = [
  'tag',
  'login',
  'group',
  'leverage',
  'password',
  'investor_password',
  ...texts.map(([name]) => name),
]

export function openAccount(world: World, { body }: Call): Reply {
  refuseWhileStale(world)
  refuseUnknownFields(body, accountFields)
  const group = groupOf(world, textOf(body, 'group', 15) ?? '')
  const leverage = body.leverage
  const { min, max } = leverageRange
  if (typeof leverage !== 'number' || !Number.isInteger(leverage) || leverage < min || leverage > max) {
    throw new Refusal('invalid', 3)
  }
  const stored: Record<string, string> = { comment: textOf(body, 'tag', 17) ?? '' }
  for (const [name, charsMax] of texts) stored[name] = textOf(body, name, charsMax) ?? ''
  if (stored.name === '' || stored.comment === '') throw new Refusal('invalid', 3)
  const main = goodPassword(body.password)
  const investor = goodPassword(body.investor_password)
  const login = chooseLogin(world, textOf(body, 'login', 10))
  insertUser(world, {
    login,
    group: group.name,
    leverage,
    registered: platformNow(world),
    texts: stored,
    mainPassword: main,
    investorPassword: investor,
  })
  alterUser(world, login)
  return { status: 201, body: accountRecord(world, userOf(world, String(login))) }
}

/** Alters the stored fields, as a platform plugin can without the bridge's knowledge. */
function alterUser(world: World, login: number): void {
  const { group, leverage, enable_read_only, ...altered } = world.switches.altered
  const user = userOf(world, String(login))
  world.state.run(
    'update users set group_name = ?, leverage = ?, enable_read_only = ?, texts = ? where login = ?',
    group ?? user.group_name,
    Number(leverage ?? user.leverage),
    Number(enable_read_only ?? user.enable_read_only),
    JSON.stringify({ ...(JSON.parse(user.texts) as Record<string, string>), ...altered }),
    login,
  )
}

function chooseLogin(world: World, wanted: string | undefined): number {
  const { first, last } = world.loginRange
  if (wanted !== undefined) {
    if (findUser(world, wanted) !== undefined) throw new Refusal('already_exists')
    if (!(Number(wanted) >= first && Number(wanted) <= last)) throw new Refusal('misconfigured')
    return Number(wanted)
  }
  const highest = world.state.one<{ login: number | null }>(
    'select max(login) as login from users where login between ? and ?',
    first,
    last,
  )
  const next = (highest?.login ?? first - 1) + 1
  if (next > last) throw new Refusal('logins_exhausted')
  return next
}

function goodPassword(password: unknown): string {
  const isPlain = typeof password === 'string' && /^[\x20-\x7e]+$/.test(password)
  if (!isPlain || !isGoodPassword(password, passwordPolicy)) throw new Refusal('weak_password')
  return password
}

type NewUser = {
  login: number
  group: string
  leverage: number
  registered: number
  texts: Record<string, string>
  mainPassword?: string | undefined
  investorPassword?: string | undefined
}

export function insertUser(world: World, user: NewUser): void {
  const unknown = () => `Aa1${randomBytes(5).toString('hex')}`
  world.state.insert('users', {
    login: user.login,
    group_name: groupOf(world, user.group).name,
    enable: 1,
    enable_change_password: 1,
    enable_read_only: 0,
    leverage: user.leverage,
    balance: '0',
    credit: '0',
    registered: user.registered,
    texts: JSON.stringify(user.texts),
    ...hashPasswords(user.mainPassword ?? unknown(), user.investorPassword ?? unknown()),
  })
}

function whichPassword(world: World, { login, body }: Call) {
  refuseUnknownFields(body, ['which', 'password'])
  const { which, password } = body
  if ((which !== 'main' && which !== 'investor') || typeof password !== 'string') throw new Refusal('bad_request')
  return { user: userOf(world, login), which, password } as const
}

export function setPassword(world: World, call: Call): Reply {
  const { user, which, password } = whichPassword(world, call)
  const column = which === 'main' ? 'main_hash' : 'investor_hash'
  const hash = hashPassword(goodPassword(password), user.salt)
  world.state.run(`update users set ${column} = ? where login = ?`, hash, user.login)
  return { status: 204 }
}

export function checkPassword(world: World, call: Call): Reply {
  const { user, which, password } = whichPassword(world, call)
  return { status: 200, body: { valid: isPassword(user, which, password) } }
}

export function setPerson(world: World, { login, body }: Call): Reply {
  refuseUnknownFields(
    body,
    texts.map(([name]) => name),
  )
  const user = userOf(world, login)
  const stored = JSON.parse(user.texts) as Record<string, string>
  for (const [name, charsMax] of texts) {
    const isEmptied = name === 'email' && body[name] === ''
    stored[name] = (isEmptied ? '' : textOf(body, name, charsMax)) ?? stored[name] ?? ''
  }
  world.state.run('update users set texts = ? where login = ?', JSON.stringify(stored), user.login)
  alterUser(world, user.login)
  return { status: 200, body: accountRecord(world, userOf(world, login)) }
}

const flags = ['enable', 'enable_change_password', 'enable_read_only'] as const

export function setAccess(world: World, { login, body }: Call): Reply {
  refuseUnknownFields(body, flags)
  const user = userOf(world, login)
  for (const flag of flags) {
    const wanted = body[flag]
    if (wanted === undefined) continue
    if (typeof wanted !== 'boolean') throw new Refusal('bad_request')
    world.state.run(`update users set ${flag} = ? where login = ?`, Number(wanted), user.login)
  }
  alterUser(world, user.login)
  return { status: 200, body: accountRecord(world, userOf(world, login)) }
}
