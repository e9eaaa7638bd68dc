import { COMMENT_CHARS } from '../amounts.ts'
import { type Capabilities, GatewayError, type Health, type HealthProblem, type TradingGateway } from '../contract.ts'
import type { Dependencies } from '../dependencies.ts'
import {
  changePerson,
  checkPassword,
  compareAccount,
  findAccountByTag,
  findGroup,
  listAccounts,
  listGroups,
  openAccount,
  readAccount,
  readAccounts,
  setAccess,
  setPassword,
} from './accounts.ts'
import { openClient } from './client.ts'
import { changeBalance, findBalanceByTag } from './money.ts'
import { type Platform, ping, read } from './platform.ts'
import { capabilitiesRecord } from './records.ts'
import type { Mt4Settings } from './settings.ts'
import { readBridgeTime, readServerClock } from './time.ts'
import { listDeals, listPositions } from './trades.ts'

/** Connects on the first call, not here. */
export function connectMt4(settings: Mt4Settings, dependencies: Dependencies): TradingGateway {
  const platform: Platform = { client: openClient(settings, dependencies), settings, dependencies }
  return {
    kind: 'mt4',
    capabilities: () => readCapabilities(platform),
    health: () => readHealth(platform),
    serverClock: () => readServerClock(platform),
    listGroups: () => listGroups(platform),
    findGroup: (name) => findGroup(platform, name),
    openAccount: (command) => openAccount(platform, command),
    findAccountByTag: (tag, hint) => findAccountByTag(platform, tag, hint),
    readAccount: (login) => readAccount(platform, login),
    readAccounts: (logins) => readAccounts(platform, logins),
    listAccounts: (masks, onRefused) => listAccounts(platform, masks, onRefused),
    listPositions: (login) => listPositions(platform, login),
    listDeals: (login, from, to) => listDeals(platform, login, from, to),
    changeBalance: (command) => changeBalance(platform, command),
    findBalanceByTag: (login, tag, since) => findBalanceByTag(platform, login, tag, since),
    setPassword: (login, which, password) => setPassword(platform, login, which, password),
    checkPassword: (login, which, password) => checkPassword(platform, login, which, password),
    compareAccount: (login, written) => compareAccount(platform, login, written),
    changePerson: (login, person) => changePerson(platform, login, person),
    setAccess: (login, access) => setAccess(platform, login, access),
    close: () => platform.client.close(),
  }
}

async function readCapabilities(platform: Platform): Promise<Capabilities> {
  const record = await read(platform, { path: '/v1/capabilities' }, capabilitiesRecord)
  return {
    commentChars: Math.min(COMMENT_CHARS, record.comment_chars),
    accountCommentChars: record.account_comment_chars,
    amountMax: record.amount_max,
    leverage: record.leverage,
    investorPasswordRequired: record.investor_password_required,
    passwordPolicy: record.password_policy,
  }
}

/** Half a quarter of an hour: a larger skew means that the bridge uses the wrong time zone. */
const SKEW_SECONDS_MAX = 450

async function readHealth(platform: Platform): Promise<Health> {
  const problems = new Set<HealthProblem>()
  let reachable = true
  let clockSkewSeconds: number | null = null
  try {
    await ping(platform)
    const { utc } = await readBridgeTime(platform)
    clockSkewSeconds = utc - Math.floor(platform.dependencies.time.now() / 1000)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    reachable = error.sent || error.reason === 'auth_failed'
    if (error.reason !== 'unreachable' && error.reason !== 'auth_failed') problems.add('not_answering')
  }
  const { authenticated, lastTrafficAt, problems: noted } = platform.client.state()
  for (const problem of noted) problems.add(problem)
  if (Math.abs(clockSkewSeconds ?? 0) > SKEW_SECONDS_MAX) problems.add('clock_mismatch')
  return { reachable, authenticated, lastTrafficAt, clockSkewSeconds, problems: [...problems] }
}
