import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import {
  type ChangeAccess,
  GatewayError,
  type GroupInfo,
  type ListedAccount,
  type Login,
  type OnRefused,
  type OpenAccount,
  type PasswordKind,
  type RegisteredAccount,
  type WrittenAccount,
  type WrittenField,
  type WrittenPerson,
} from '../contract.ts'
import { chosenGroups, readEachGroup } from '../group-masks.ts'
import { carriesTag, isIntentTag } from '../intent-tag.ts'
import { beforeSending, compareTickets, refusedHere, requireLogin } from '../refusals.ts'
import { type CallTiming, type Platform, pagesOf, ping, read, readAll, readCertainly } from './platform.ts'
import { type AccountRecord, accountRecord, groupRecord, passwordVerdict } from './records.ts'
import { isAscii } from './text.ts'
import { toAccount, toGroup, toListedAccount } from './translate.ts'
import { differingFields, writtenTexts } from './written.ts'

const LOGINS_PER_CALL = 100

export async function openAccount(platform: Platform, wanted: OpenAccount): Promise<{ login: Login }> {
  const leverageFits = Number.isInteger(wanted.leverage) && wanted.leverage >= 1
  if (!isIntentTag(wanted.tag) || !leverageFits) throw refusedHere('invalid_input')
  if (wanted.login !== undefined) requireLogin(wanted.login)
  requirePassword(wanted.mainPassword)
  requirePassword(wanted.investorPassword)
  // The tag is the idempotency key: a bridge that remembers it repeats its answer.
  const call = { method: 'POST', path: '/v1/accounts', body: accountBody(wanted), key: wanted.tag } as const
  await pingBeforeSending(platform)
  const record = await read(platform, call, accountRecord)
  return { login: record.login }
}

/** After idle time the platform connection would know neither account nor group. */
async function pingBeforeSending(platform: Platform): Promise<void> {
  try {
    await ping(platform, { urgent: true })
  } catch (error) {
    throw beforeSending(error)
  }
}

/** In ASCII and within the platform's limits, because a bridge refuses other texts. */
function accountBody(wanted: OpenAccount): Record<string, unknown> {
  const { tag, login, group, leverage } = wanted
  const texts = writtenTexts(wanted)
  if (texts.name === undefined) throw refusedHere('invalid_input')
  const passwords = { password: wanted.mainPassword, investor_password: wanted.investorPassword }
  return { tag, login, group, leverage, ...passwords, ...texts }
}

/** After idle time the platform connection would not know the account. */
export async function compareAccount(
  platform: Platform,
  login: Login,
  written: WrittenAccount | WrittenPerson,
): Promise<WrittenField[]> {
  requireLogin(login)
  const record = await readCertainly(platform, { path: `/v1/accounts/${login}` }, accountRecord)
  return differingFields(record, written)
}

/** An address that the platform cannot store is emptied, since the former one may belong to another mailbox. */
export async function changePerson(platform: Platform, login: Login, person: WrittenPerson): Promise<void> {
  requireLogin(login)
  const texts = writtenTexts(person)
  if (texts.name === undefined) throw refusedHere('invalid_input')
  await pingBeforeSending(platform)
  const body = { ...texts, email: texts.email ?? '' }
  await read(platform, { method: 'PATCH', path: `/v1/accounts/${login}/person`, body }, accountRecord)
}

/** A password cannot be transliterated, because it would be a different one. */
function requirePassword(password: string): void {
  if (!isAscii(password) || password.length > 64) throw refusedHere('weak_password')
}

/** Reads from the platform after a ping, not from the bridge's memory of calls. */
export async function findAccountByTag(
  platform: Platform,
  tag: string,
  hint: { afterLogin?: Login },
): Promise<Login | null> {
  await ping(platform, { urgent: true })
  const found = await readAll(platform, { path: '/v1/accounts', query: { tag }, urgent: true }, accountRecord)
  const logins = found
    .filter((record) => carriesTag(record.comment, tag))
    .map((record) => record.login)
    .filter((login) => hint.afterLogin === undefined || compareTickets(login, hint.afterLogin) > 0)
  return logins.sort(compareTickets)[0] ?? null
}

export async function readAccount(platform: Platform, login: Login, how: CallTiming = {}): Promise<RegisteredAccount> {
  requireLogin(login)
  const record = await readCertainly(platform, { ...how, path: `/v1/accounts/${login}` }, accountRecord)
  return toRegistered(record)
}

const toRegistered = (record: AccountRecord): RegisteredAccount => ({
  ...toAccount(record),
  registeredAt: record.registered_at,
})

export async function readAccounts(platform: Platform, logins: Login[]): Promise<Map<Login, RegisteredAccount>> {
  for (const login of logins) requireLogin(login)
  const accounts = new Map<Login, RegisteredAccount>()
  for (let first = 0; first < logins.length; first += LOGINS_PER_CALL) {
    const query = { login: logins.slice(first, first + LOGINS_PER_CALL).join(','), limit: String(LOGINS_PER_CALL) }
    for (const record of await readAll(platform, { path: '/v1/accounts', query }, accountRecord)) {
      accounts.set(record.login, toRegistered(record))
    }
  }
  return accounts
}

export async function listGroups(platform: Platform): Promise<GroupInfo[]> {
  const groups = await readAll(platform, { path: '/v1/groups' }, groupRecord)
  return groups.map(toGroup).filter((group) => !/^managers?(\\|$)/i.test(group.name))
}

/** The bridge has no call for one group. */
export async function findGroup(platform: Platform, name: string): Promise<GroupInfo | null> {
  return (await listGroups(platform)).find((group) => group.name === name) ?? null
}

const LISTED_PER_PAGE = 500

/** Pings before the first page and after every empty one, because an idle connection may return empty pages. */
export async function* listAccounts(
  platform: Platform,
  masks: readonly string[],
  onRefused?: OnRefused,
): AsyncGenerator<ListedAccount[]> {
  await ping(platform)
  const groups = chosenGroups(await listGroups(platform), masks)
  yield* readEachGroup(groups, (group) => listGroup(platform, group), onRefused)
}

async function* listGroup(platform: Platform, group: string): AsyncGenerator<ListedAccount[]> {
  const query = { group, limit: String(LISTED_PER_PAGE) }
  for await (const page of pagesOf(platform, { path: '/v1/accounts', query }, accountRecord)) {
    yield page.map(toListedAccount)
  }
}

export async function setAccess(platform: Platform, login: Login, access: ChangeAccess): Promise<void> {
  requireLogin(login)
  const { enabled, tradingAllowed, passwordChangeAllowed } = access
  const body = {
    ...(enabled !== undefined && { enable: enabled }),
    ...(tradingAllowed !== undefined && { enable_read_only: !tradingAllowed }),
    ...(passwordChangeAllowed !== undefined && { enable_change_password: passwordChangeAllowed }),
  }
  if (Object.keys(body).length === 0) throw refusedHere('invalid_input')
  await pingBeforeSending(platform)
  const call = { method: 'PATCH', path: `/v1/accounts/${login}/access`, body, urgent: true } as const
  await read(platform, call, accountRecord)
  const stored = await readCertainly(platform, { path: `/v1/accounts/${login}`, urgent: true }, accountRecord)
  requireStored(platform, toListedAccount(stored), access)
}

/** Throws when the bridge or the platform silently left a flag unchanged. */
function requireStored({ dependencies }: Platform, stored: ListedAccount, access: ChangeAccess): void {
  const names = ['enabled', 'tradingAllowed', 'passwordChangeAllowed'] as const
  const fields = names.filter((name) => access[name] !== undefined && access[name] !== stored[name])
  if (fields.length > 0) {
    const event = { event: 'platform.account-differs', login: stored.login, fields }
    dependencies.log.warn(event, 'The trading platform stored other values of an account than were sent')
    throw new GatewayError({ outcome: 'rejected', reason: 'not_permitted', sent: true })
  }
}

export async function setPassword(
  platform: Platform,
  login: Login,
  which: PasswordKind,
  password: string,
): Promise<void> {
  requireLogin(login)
  requirePassword(password)
  const path = `/v1/accounts/${login}/password`
  await pingBeforeSending(platform)
  await read(platform, { method: 'PUT', path, body: { which, password }, key: randomUUID() }, z.undefined())
}

export async function checkPassword(
  platform: Platform,
  login: Login,
  which: PasswordKind,
  password: string,
): Promise<boolean> {
  requireLogin(login)
  if (!isAscii(password) || password.length > 64) return false
  const path = `/v1/accounts/${login}/password-check`
  const call = { method: 'POST', path, body: { which, password } } as const
  return (await readCertainly(platform, call, passwordVerdict)).valid
}
