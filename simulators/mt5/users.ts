import { randomBytes } from 'node:crypto'
import Big from 'big.js'
import { hashPassword, hashPasswords, isGoodPassword, isHashOf } from '../metatrader/passwords.ts'
import { metricsOf, tradeAccountRecord } from './account-metrics.ts'
import { findGroup, groupOf } from './groups.ts'
import type { UserRow } from './state.ts'
import { type Body, fieldOf, listOf, matchesMask, type Parameters, Refusal, type Reply } from './wire.ts'
import type { World } from './world.ts'

/** Query name, field name, maximum length. Longer texts are truncated without an error. */
const textFields: readonly [string, string, number][] = [
  ['name', 'Name', 127],
  ['first_name', 'FirstName', 127],
  ['last_name', 'LastName', 127],
  ['middle_name', 'MiddleName', 127],
  ['company', 'Company', 63],
  ['account', 'Account', 31],
  ['country', 'Country', 63],
  ['city', 'City', 63],
  ['state', 'State', 63],
  ['zipcode', 'ZipCode', 15],
  ['address', 'Address', 127],
  ['phone', 'Phone', 31],
  ['email', 'Email', 63],
  ['id', 'ID', 31],
  ['status', 'Status', 15],
  ['comment', 'Comment', 63],
  ['lead_source', 'LeadSource', 63],
  ['lead_campaign', 'LeadCampaign', 63],
]
const personalFields = 'Name Account Country City State ZipCode Address Phone Email Comment ID Status'.split(' ')
const RIGHT_ENABLED = 1n
const UINT64_MAX = 2n ** 64n - 1n
const leverageMax = 5000
const passwordCharsMax = 16

export function findUser(world: World, login: string | undefined): UserRow | undefined {
  if (login === undefined || !/^\d{1,15}$/.test(login)) return undefined
  return world.state.one<UserRow>('select * from users where login = ?', Number(login))
}

export function userOf(world: World, login: string | undefined): UserRow {
  const user = findUser(world, login)
  if (user === undefined) throw new Refusal(13)
  return user
}

export function usersOfGroups(world: World, masks: string): UserRow[] {
  const users = world.state.all<UserRow>('select * from users order by login')
  return users.filter((user) => matchesMask(user.group_name, masks))
}

export function isActive(world: World, user: UserRow): boolean {
  return world.active.has(user.login) || metricsOf(world, user).positions.length > 0
}

function userRecord(world: World, user: UserRow): Record<string, unknown> {
  const digits = Number(groupOf(world, user.group_name).CurrencyDigits)
  const seconds = String(Math.floor(user.registered_msc / 1000))
  const texts = JSON.parse(user.texts) as Record<string, string>
  const record: Record<string, unknown> = {
    Login: String(user.login),
    Group: user.group_name,
    CertSerialNumber: '0',
    Rights: user.rights,
    MQID: '',
    Registration: seconds,
    LastAccess: seconds,
    LastPassChange: seconds,
    LastIP: '0.0.0.0',
    Language: '0',
    Color: '4278190080',
    PhonePassword: '',
    Leverage: String(user.leverage),
    Agent: '0',
    Balance: new Big(user.balance).toFixed(digits),
    Credit: new Big(user.credit).toFixed(digits),
    InterestRate: '0.00',
    CommissionDaily: '0.00',
    CommissionMonthly: '0.00',
    BalancePrevDay: '0.00',
    BalancePrevMonth: '0.00',
    EquityPrevDay: '0.00',
    EquityPrevMonth: '0.00',
    ClientID: '0',
    TradeAccounts: '',
    LimitOrders: '0',
    LimitPositions: '0',
    ApiData: [],
  }
  for (const [, field] of textFields) record[field] = texts[field] ?? ''
  if (!world.switches.personalDataVisible) for (const field of personalFields) record[field] = ''
  return record
}

function readTexts(parameters: Parameters, body: Body, before: Record<string, string>): Record<string, string> {
  const texts = { ...before }
  for (const [query, field, charsMax] of textFields) {
    const value = fieldOf(parameters, body, query, field)
    if (value !== undefined) texts[field] = value.slice(0, charsMax)
  }
  return texts
}

function chooseLogin(world: World, wanted: string): number {
  const { first, last } = world.loginRange
  const highest = world.state.one<{ login: number | null }>(
    'select max(login) as login from users where login between ? and ?',
    first,
    last,
  )
  const next = (highest?.login ?? first - 1) + 1
  if (wanted !== '0') {
    if (findUser(world, wanted) !== undefined) throw new Refusal(3004)
    const login = Number(wanted)
    if (!(login >= next && login <= last)) throw new Refusal(3003)
    return login
  }
  if (next > last) throw new Refusal(3002)
  return next
}

function readRights(text: string | undefined): string | undefined {
  if (text === undefined || !/^\d{1,20}$/.test(text) || BigInt(text) > UINT64_MAX) return undefined
  return text
}

function readLeverage(text: string | undefined): number | undefined {
  const leverage = Number(text)
  return Number.isInteger(leverage) && leverage >= 1 && leverage <= leverageMax ? leverage : undefined
}

function addUser(world: World, parameters: Parameters, body: Body): Reply {
  const read = (query: string, field: string) => fieldOf(parameters, body, query, field)
  // An unknown group gets the same answer as one that the manager cannot see.
  const group = findGroup(world, read('group', 'Group') ?? '')
  if (group === undefined) throw new Refusal(8)
  const texts = readTexts(parameters, body, {})
  const leverage = readLeverage(read('leverage', 'Leverage'))
  if (leverage === undefined || (texts.Name ?? '') === '') throw new Refusal(3)
  const main = read('pass_main', 'PassMain') ?? ''
  const investor = read('pass_investor', 'PassInvestor') ?? ''
  for (const password of [main, investor]) {
    if (!isAllowed(world, group, password)) throw new Refusal(3006)
  }
  const login = chooseLogin(world, read('login', 'Login') ?? '0')
  const rights = readRights(read('rights', 'Rights')) ?? '2531'
  world.state.insert('users', {
    login,
    group_name: group.Group,
    rights,
    leverage,
    balance: '0',
    credit: '0',
    registered_msc: world.time.nowMsc(),
    texts: JSON.stringify(texts),
    ...hashPasswords(main, investor),
  })
  alterUser(world, login)
  return { code: 0, answer: userRecord(world, userOf(world, String(login))) }
}

/** Alters the stored fields but not the answer, as a plugin or another build would. */
function alterUser(world: World, login: number): void {
  const { Group, Leverage, Rights, ...texts } = world.switches.altered
  const user = userOf(world, String(login))
  world.state.run(
    'update users set group_name = ?, leverage = ?, rights = ?, texts = ? where login = ?',
    Group ?? user.group_name,
    Leverage ?? user.leverage,
    Rights ?? user.rights,
    JSON.stringify({ ...(JSON.parse(user.texts) as Record<string, string>), ...texts }),
    login,
  )
}

function isAllowed(world: World, group: Record<string, unknown>, password: string): boolean {
  const { passwordClasses: classes } = world.switches
  return isGoodPassword(password, { min: Number(group.AuthPasswordMin), max: passwordCharsMax, classes })
}

/** An invalid value leaves its field unchanged without an error. Balance is ignored. */
function updateUser(world: World, parameters: Parameters, body: Body): Reply {
  const user = userOf(world, fieldOf(parameters, body, 'login', 'Login'))
  const read = (query: string, field: string) => fieldOf(parameters, body, query, field)
  const group = findGroup(world, read('group', 'Group') ?? user.group_name)
  const texts = readTexts(parameters, body, JSON.parse(user.texts) as Record<string, string>)
  world.state.run(
    'update users set group_name = ?, rights = ?, leverage = ?, texts = ? where login = ?',
    group?.Group ?? user.group_name,
    readRights(read('rights', 'Rights')) ?? user.rights,
    readLeverage(read('leverage', 'Leverage')) ?? user.leverage,
    JSON.stringify(texts),
    user.login,
  )
  alterUser(world, user.login)
  return { code: 0, answer: userRecord(world, userOf(world, String(user.login))) }
}

const passwordKinds = ['main', 'investor', 'api'] as const

/** Clients send it as the body of a POST, or as the query of a GET. */
function passwordRequest(world: World, parameters: Parameters, body: Body) {
  const read = (query: string, field: string) => fieldOf(parameters, body, query, field)
  const user = userOf(world, read('login', 'Login'))
  const which = passwordKinds.find((kind) => kind === read('type', 'Type'))
  const password = read('password', 'Password')
  if (which === undefined || password === undefined) throw new Refusal(3)
  return { user, which, password }
}

/** Null: an account has no API password until one is set. */
function storedHash(world: World, user: UserRow, which: (typeof passwordKinds)[number]): string | null {
  if (which !== 'api') return which === 'main' ? user.main_hash : user.investor_hash
  return world.state.one<{ hash: string }>('select hash from api_passwords where login = ?', user.login)?.hash ?? null
}

function checkPassword(world: World, parameters: Parameters, body: Body): Reply {
  const { user, which, password } = passwordRequest(world, parameters, body)
  const stored = storedHash(world, user, which)
  if (stored === null || !isHashOf(stored, password, user.salt)) throw new Refusal(3006)
  return { code: 0 }
}

function changePassword(world: World, parameters: Parameters, body: Body): Reply {
  const { user, which, password } = passwordRequest(world, parameters, body)
  if (!isAllowed(world, groupOf(world, user.group_name), password)) throw new Refusal(3006)
  const hash = hashPassword(password, user.salt)
  if (which === 'api') world.state.run('insert or replace into api_passwords values (?, ?)', user.login, hash)
  else world.state.run(`update users set ${which}_hash = ? where login = ?`, hash, user.login)
  return { code: 0 }
}

function chosenUsers(world: World, parameters: Parameters): UserRow[] {
  const masks = parameters.get('group')
  if (masks !== undefined) return usersOfGroups(world, masks)
  return listOf(parameters.get('login')).flatMap((login) => findUser(world, login) ?? [])
}

export const userCommands = {
  '/api/user/add': (world: World, parameters: Parameters, body: Body) =>
    world.state.atOnce(() => addUser(world, parameters, body)),
  '/api/user/update': updateUser,
  '/api/user/check_password': checkPassword,
  '/api/user/change_password': changePassword,
  '/api/user/get': (world: World, parameters: Parameters): Reply => ({
    code: 0,
    answer: userRecord(world, userOf(world, parameters.get('login'))),
  }),
  '/api/user/get_batch': (world: World, parameters: Parameters): Reply => ({
    code: 0,
    answer: chosenUsers(world, parameters).map((user) => userRecord(world, user)),
  }),
  '/api/user/logins': (world: World, parameters: Parameters): Reply => {
    const masks = parameters.get('group') ?? ''
    if (world.switches.hiddenGroups.includes(masks)) throw new Refusal(8)
    return { code: 0, answer: usersOfGroups(world, masks).map((user) => String(user.login)) }
  },
  '/api/user/group': (world: World, parameters: Parameters): Reply => ({
    code: 0,
    answer: { Group: userOf(world, parameters.get('login')).group_name },
  }),
  '/api/user/total': (world: World): Reply => ({
    code: 0,
    answer: { Total: String(usersOfGroups(world, '*').length) },
  }),
  '/api/user/account/get': (world: World, parameters: Parameters): Reply => {
    const user = userOf(world, parameters.get('login'))
    if (!isActive(world, user)) throw new Refusal(13)
    return { code: 0, answer: tradeAccountRecord(world, user) }
  },
  '/api/user/account/get_batch': (world: World, parameters: Parameters): Reply => ({
    code: 0,
    answer: chosenUsers(world, parameters)
      .filter((user) => isActive(world, user))
      .map((user) => tradeAccountRecord(world, user)),
  }),
}

export type NewUser = {
  login: number
  group: string
  leverage: number
  rights: string
  registeredMsc: number
  texts: Record<string, string>
  mainPassword?: string | undefined
  investorPassword?: string | undefined
}

/** For seeding: adds a user without the rules for managers. */
export function insertUser(world: World, user: NewUser): void {
  const unknown = () => `Aa1!${randomBytes(6).toString('hex')}`
  world.state.insert('users', {
    login: user.login,
    group_name: groupOf(world, user.group).Group,
    rights: String(BigInt(user.rights) | RIGHT_ENABLED),
    leverage: user.leverage,
    balance: '0',
    credit: '0',
    registered_msc: user.registeredMsc,
    texts: JSON.stringify(user.texts),
    ...hashPasswords(user.mainPassword ?? unknown(), user.investorPassword ?? unknown()),
  })
}
