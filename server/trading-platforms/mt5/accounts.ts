import {
  type ChangeAccess,
  GatewayError,
  type GroupInfo,
  type ListedAccount,
  type Login,
  type OnRefused,
  type OpenAccount,
  type PasswordKind,
  type Position,
  type RegisteredAccount,
  type WrittenAccount,
  type WrittenField,
  type WrittenPerson,
} from '../contract.ts'
import { chosenGroups, readEachGroup } from '../group-masks.ts'
import { carriesTag, isIntentTag } from '../intent-tag.ts'
import { beforeSending, compareTickets, isForbidden, protocolError, refusedHere, requireLogin } from '../refusals.ts'
import type { Mt5Call } from './client.ts'
import { isShort, PAGE_ROWS, readPages } from './pages.ts'
import {
  CODE_NOT_FOUND,
  CODE_WRONG_PASSWORD,
  callDone,
  LOGINS_PER_CALL,
  listGroups,
  type Platform,
  readList,
  readOne,
} from './platform.ts'
import { classOfCode, codeError } from './return-codes.ts'
import { rightsWith, toAccount, toListedAccount, toPosition, toRegistration } from './translate.ts'
import { Mt5Record } from './wire.ts'
import { differingFields, personRecord, writtenRecord } from './written.ts'

export const PASSWORD_FORBIDDEN = '=|\\'
const POSITION_PAGES_MAX = 100

export async function openAccount(platform: Platform, wanted: OpenAccount): Promise<{ login: Login }> {
  const { min, max } = platform.settings.leverage
  const leverageFits = Number.isInteger(wanted.leverage) && wanted.leverage >= min && wanted.leverage <= max
  if (!isIntentTag(wanted.tag) || !leverageFits) throw refusedHere('invalid_input')
  if (wanted.login !== undefined) requireLogin(wanted.login)
  requirePassword(wanted.mainPassword)
  requirePassword(wanted.investorPassword)
  const answer = await callDone(platform, { path: '/api/user/add', body: accountBody(platform, wanted), changes: true })
  const record = new Mt5Record(answer.answer ?? {})
  if (record.idOrNull('Login') === null) throw protocolError()
  return { login: record.id('Login') }
}

/** All values are in the body, because URLs of calls are logged. */
function accountBody({ settings }: Platform, wanted: OpenAccount): Record<string, string> {
  return {
    Login: wanted.login ?? '0',
    PassMain: wanted.mainPassword,
    PassInvestor: wanted.investorPassword,
    ...writtenRecord(wanted, settings.accountRights),
  }
}

export async function compareAccount(
  platform: Platform,
  login: Login,
  written: WrittenAccount | WrittenPerson,
): Promise<WrittenField[]> {
  requireLogin(login)
  const user = await readOne(platform, { path: '/api/user/get', query: { login } })
  if (user === null) throw new GatewayError({ outcome: 'rejected', reason: 'not_found', sent: true })
  return differingFields(user, written, platform.settings.accountRights)
}

/** Omitted fields keep their values. */
export async function changePerson(platform: Platform, login: Login, person: WrittenPerson): Promise<void> {
  requireLogin(login)
  const call = { path: '/api/user/update', query: { login }, body: personRecord(person), changes: true }
  await callDone(platform, call)
}

function requirePassword(password: string): void {
  if (password === '' || [...password].some((character) => PASSWORD_FORBIDDEN.includes(character) || character < ' ')) {
    throw refusedHere('weak_password')
  }
}

/** Looks up on a new session, after the one that the lost call was sent on. */
export async function findAccountByTag(
  platform: Platform,
  tag: string,
  hint: { group: string; afterLogin?: Login },
): Promise<Login | null> {
  const sessionAfterMs = platform.dependencies.time.now()
  const logins = (await loginsOf(platform, hint.group, { urgent: true, sessionAfterMs })).filter(
    (login) => hint.afterLogin === undefined || compareTickets(login, hint.afterLogin) > 0,
  )
  let readable = logins.length === 0
  for (const query of chunks(logins)) {
    const records = await readList(platform, { path: '/api/user/get_batch', query, urgent: true })
    const found = records.find((record) => carriesTag(record.text('Comment'), tag))
    if (found !== undefined) return found.id('Login')
    readable ||= records.some((record) => record.has('Name') || record.has('Comment'))
  }
  // A manager login without access to personal data gets empty comments, which prove nothing.
  if (!readable) throw new GatewayError({ outcome: 'rejected', reason: 'not_permitted', sent: true })
  return null
}

async function loginsOf(
  platform: Platform,
  group: string,
  how: Pick<Mt5Call, 'urgent' | 'sessionAfterMs'> = {},
): Promise<Login[]> {
  const listed = await platform.client.call({ ...how, path: '/api/user/logins', query: { group } })
  if (listed.code === CODE_NOT_FOUND) return []
  if (classOfCode(listed.code).outcome !== 'done') throw codeError(listed.code, listed.words)
  const logins = listed.answer ?? []
  // A malformed list proves no absence.
  if (!Array.isArray(logins) || !logins.every((login) => typeof login === 'string' && /^\d{1,20}$/.test(login)))
    throw protocolError()
  return logins
}

/** The first call requires a new session, since an old one may return old data. */
export async function* listAccounts(
  platform: Platform,
  masks: readonly string[],
  onRefused?: OnRefused,
): AsyncGenerator<ListedAccount[]> {
  await platform.client.call({ path: '/api/test/access', sessionAfterMs: platform.dependencies.time.now() })
  const groups = chosenGroups(await listGroups(platform), masks)
  yield* readEachGroup(groups, (group) => listGroup(platform, group), onRefused)
}

async function* listGroup(platform: Platform, group: string): AsyncGenerator<ListedAccount[]> {
  for (const query of chunks(await loginsOf(platform, group))) {
    const users = await readList(platform, { path: '/api/user/get_batch', query })
    yield users.map((user) => toListedAccount(user, platform.clock))
  }
}

/** Reads, flips, writes and compares: the platform silently ignores an unusable value. */
export async function setAccess(platform: Platform, login: Login, access: ChangeAccess): Promise<void> {
  requireLogin(login)
  if (Object.values(access).every((flag) => flag === undefined)) throw refusedHere('invalid_input')
  const user = await readUserForChange(platform, login)
  const rights = rightsWith(user.id('Rights'), access)
  if (rights === user.id('Rights')) return
  const call = { path: '/api/user/update', query: { login }, body: { Rights: rights }, changes: true, urgent: true }
  await callDone(platform, call)
  const stored = await readOne(platform, { path: '/api/user/get', query: { login }, urgent: true })
  if (stored?.text('Rights') === rights) return
  warnAboutDifference(platform, login, ['rights'])
  throw new GatewayError({ outcome: 'rejected', reason: 'not_permitted', sent: true })
}

function warnAboutDifference({ dependencies }: Platform, login: Login, fields: WrittenField[]): void {
  const event = { event: 'platform.account-differs', login, fields }
  dependencies.log.warn(event, 'The trading platform stored other values of an account than were sent')
}

async function readUserForChange(platform: Platform, login: Login): Promise<Mt5Record> {
  try {
    const user = await readOne(platform, { path: '/api/user/get', query: { login }, urgent: true })
    if (user === null) throw new GatewayError({ outcome: 'rejected', reason: 'not_found', sent: true })
    return user
  } catch (error) {
    throw beforeSending(error)
  }
}

function* chunks(logins: readonly Login[]): Generator<{ login: string }> {
  for (let first = 0; first < logins.length; first += LOGINS_PER_CALL) {
    yield { login: logins.slice(first, first + LOGINS_PER_CALL).join(',') }
  }
}

export async function readAccount(platform: Platform, login: Login): Promise<RegisteredAccount> {
  requireLogin(login)
  const user = await readOne(platform, { path: '/api/user/get', query: { login } })
  if (user === null) throw new GatewayError({ outcome: 'rejected', reason: 'not_found', sent: true })
  const group = await platform.groups.get(platform, user.text('Group'))
  const live = await readOne(platform, { path: '/api/user/account/get', query: { login } })
  return toRegistered(platform, { user, live, group })
}

type Records = { user: Mt5Record; live: Mt5Record | null; group: GroupInfo }

const toRegistered = ({ clock }: Platform, { user, live, group }: Records): RegisteredAccount => ({
  ...toAccount(user, live, group),
  registeredAt: toRegistration(user, clock),
})

export async function readAccounts(platform: Platform, logins: Login[]): Promise<Map<Login, RegisteredAccount>> {
  for (const login of logins) requireLogin(login)
  const accounts = new Map<Login, RegisteredAccount>()
  for (const query of chunks(logins)) {
    const users = await readList(platform, { path: '/api/user/get_batch', query })
    const live = await readList(platform, { path: '/api/user/account/get_batch', query })
    const liveByLogin = new Map(live.map((record) => [record.id('Login'), record]))
    const groups = await readVisibleGroups(platform, new Set(users.map((user) => user.text('Group'))))
    for (const user of users) {
      const group = groups.get(user.text('Group'))
      if (!group) continue
      const login = user.id('Login')
      accounts.set(login, toRegistered(platform, { user, live: liveByLogin.get(login) ?? null, group }))
    }
  }
  return accounts
}

/**
 * Without those that our manager login may not see: without its currency an account has no metrics. Each is asked for once,
 * since a refusal is not cached.
 */
async function readVisibleGroups(platform: Platform, names: ReadonlySet<string>): Promise<Map<string, GroupInfo>> {
  const groups = new Map<string, GroupInfo>()
  for (const name of names) {
    try {
      groups.set(name, await platform.groups.get(platform, name))
    } catch (problem) {
      if (!isForbidden(problem)) throw problem
    }
  }
  return groups
}

export async function listPositions(platform: Platform, login: Login): Promise<Position[]> {
  requireLogin(login)
  const found = await readPages({
    read: (offset) => {
      const query = { login, offset: String(offset), total: String(PAGE_ROWS) }
      return readList(platform, { path: '/api/position/get_page', query })
    },
    keyOf: (record) => record.id('Position'),
    isLast: isShort,
    pagesMax: POSITION_PAGES_MAX,
  })
  const positions = [...found.values()].map((record) => toPosition(record, platform.clock))
  return positions.sort((one, other) => compareTickets(one.id, other.id))
}

export async function setPassword(
  platform: Platform,
  login: Login,
  which: PasswordKind,
  password: string,
): Promise<void> {
  requireLogin(login)
  requirePassword(password)
  const body = { Login: login, Type: which, Password: password }
  await callDone(platform, { path: '/api/user/change_password', body, changes: true })
}

export async function checkPassword(
  platform: Platform,
  login: Login,
  which: PasswordKind,
  password: string,
): Promise<boolean> {
  requireLogin(login)
  const body = { Login: login, Type: which, Password: password }
  const answer = await platform.client.call({ path: '/api/user/check_password', body })
  if (answer.code === CODE_WRONG_PASSWORD) return false
  if (classOfCode(answer.code).outcome !== 'done') throw codeError(answer.code, answer.words)
  return true
}
