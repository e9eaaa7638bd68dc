import { GatewayError, type GroupInfo } from '../contract.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Mt5Call, Mt5Client } from './client.ts'
import type { PlatformClock } from './clock.ts'
import { PAGE_ROWS, readPages } from './pages.ts'
import { classOfCode, codeError } from './return-codes.ts'
import type { Mt5Settings } from './settings.ts'
import { toGroup } from './translate.ts'
import { type Mt5Answer, Mt5Record, readRecords } from './wire.ts'

/** The dependencies of every operation of this adapter. */
export type Platform = {
  client: Mt5Client
  clock: PlatformClock
  settings: Mt5Settings
  dependencies: Dependencies
  groups: GroupCache
}

export const CODE_NOT_FOUND = 13
const CODE_NOT_VISIBLE = 8
export const CODE_WRONG_PASSWORD = 3006
export const LOGINS_PER_CALL = 100

export async function callDone(platform: Platform, call: Mt5Call): Promise<Mt5Answer> {
  const answer = await platform.client.call(call)
  if (classOfCode(answer.code).outcome !== 'done') throw codeError(answer.code, answer.words)
  return answer
}

/** Reads one record: code 13 and an empty answer both mean that it does not exist. */
export async function readOne(platform: Platform, call: Mt5Call): Promise<Mt5Record | null> {
  const answer = await platform.client.call(call)
  if (answer.code === CODE_NOT_FOUND) return null
  if (classOfCode(answer.code).outcome !== 'done') throw codeError(answer.code, answer.words)
  const found = Array.isArray(answer.answer) ? answer.answer[0] : answer.answer
  return found === undefined || found === null ? null : new Mt5Record(found)
}

/** Reads a list: an empty one may come as an empty array, code 1 or code 13. */
export async function readList(platform: Platform, call: Mt5Call): Promise<Mt5Record[]> {
  const answer = await platform.client.call(call)
  if (answer.code === CODE_NOT_FOUND) return []
  if (classOfCode(answer.code).outcome !== 'done') throw codeError(answer.code, answer.words)
  return readRecords(answer)
}

export type GroupCache = {
  get(platform: Platform, name: string, how?: Pick<Mt5Call, 'urgent' | 'deadlineAt'>): Promise<GroupInfo>
}

const GROUP_KEPT_MS = 600_000
const GROUPS_MAX = 5_000

/** A group's currency cannot change while it has accounts, so caching for a few minutes is safe. */
export function openGroupCache(): GroupCache {
  const cached = new Map<string, { group: GroupInfo; until: number }>()
  return {
    get: async (platform, name, how = {}) => {
      const now = platform.dependencies.time.now()
      const known = cached.get(name)
      if (known !== undefined && known.until > now) return known.group
      const record = await readOne(platform, { ...how, path: '/api/group/get', query: { group: name } })
      // The account was read, so only its group is hidden: "not found" would say that the account is deleted.
      if (record === null) throw new GatewayError({ outcome: 'rejected', reason: 'not_permitted', sent: true })
      const group = toGroup(record)
      if (cached.size >= GROUPS_MAX) cached.clear()
      cached.set(name, { group, until: now + GROUP_KEPT_MS })
      return group
    },
  }
}

const isForMembers = ({ name }: GroupInfo): boolean => !/^managers?(\\|$)/i.test(name)

const GROUP_PAGES_MAX = 2_000

/**
 * Reads page by page until the platform says that there is no further group: `/api/group/get` with a mask ends after
 * 5,000 groups, and a short page proves nothing.
 */
export async function listGroups(platform: Platform): Promise<GroupInfo[]> {
  const found = await readPages({
    read: (index) => readGroups(platform, index),
    keyOf: (record) => record.text('Group'),
    isLast: (page) => page.length === 0,
    pagesMax: GROUP_PAGES_MAX,
  })
  return [...found.values()].map(toGroup).filter(isForMembers)
}

async function readGroups(platform: Platform, index: number): Promise<Mt5Record[]> {
  const query = { index: String(index), count: String(PAGE_ROWS) }
  const answer = await platform.client.call({ path: '/api/group/next', query })
  if (answer.code === CODE_NOT_FOUND) return []
  if (classOfCode(answer.code).outcome !== 'done') throw codeError(answer.code, answer.words)
  return recordsOf(answer)
}

/** Exactly this group, since the platform may ignore case; null when it does not exist or we do not see it. */
export async function findGroup(platform: Platform, name: string): Promise<GroupInfo | null> {
  const answer = await platform.client.call({ path: '/api/group/get', query: { group: name } })
  if (answer.code === CODE_NOT_FOUND || answer.code === CODE_NOT_VISIBLE) return null
  if (classOfCode(answer.code).outcome !== 'done') throw codeError(answer.code, answer.words)
  const [group] = recordsOf(answer).map(toGroup)
  return group?.name === name && isForMembers(group) ? group : null
}

/** Some builds answer a single record instead of a list. */
const recordsOf = (answer: Mt5Answer): Mt5Record[] =>
  Array.isArray(answer.answer) ? readRecords(answer) : answer.answer ? [new Mt5Record(answer.answer)] : []
