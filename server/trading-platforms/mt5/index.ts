import { ACCOUNT_COMMENT_CHARS, AMOUNT_MAX, COMMENT_CHARS } from '../amounts.ts'
import { type Capabilities, GatewayError, type Health, type HealthProblem, type TradingGateway } from '../contract.ts'
import type { Dependencies } from '../dependencies.ts'
import {
  changePerson,
  checkPassword,
  compareAccount,
  findAccountByTag,
  listAccounts,
  listPositions,
  openAccount,
  PASSWORD_FORBIDDEN,
  readAccount,
  readAccounts,
  setAccess,
  setPassword,
} from './accounts.ts'
import { openClient } from './client.ts'
import { platformClock, roundedOffset } from './clock.ts'
import { findBalanceByTag, listDeals } from './deals.ts'
import { changeBalance } from './money.ts'
import { findGroup, listGroups, openGroupCache, type Platform } from './platform.ts'
import { readServerClock } from './server-clock.ts'
import type { Mt5Settings } from './settings.ts'

/** Connects on the first call, not here. */
export function connectMt5(settings: Mt5Settings, dependencies: Dependencies): TradingGateway {
  const platform: Platform = {
    client: openClient(settings, dependencies),
    clock: platformClock({ timeZone: settings.timeZone, shiftMinutes: settings.timeZoneShiftMinutes }),
    settings,
    dependencies,
    groups: openGroupCache(),
  }
  return {
    kind: 'mt5',
    capabilities: () => capabilitiesOf(settings),
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

/** The platform's documents contradict each other on passwords; newer servers require all four classes. */
function capabilitiesOf(settings: Mt5Settings): Capabilities {
  return {
    commentChars: COMMENT_CHARS,
    accountCommentChars: ACCOUNT_COMMENT_CHARS,
    amountMax: AMOUNT_MAX,
    leverage: settings.leverage,
    investorPasswordRequired: true,
    passwordPolicy: { min: 8, max: 16, classes: 'lower+upper+digit+special', forbidden: PASSWORD_FORBIDDEN },
  }
}

async function readHealth(platform: Platform): Promise<Health> {
  const problems = new Set<HealthProblem>()
  let reachable = true
  let aheadNow: number | null = null
  try {
    const { platformNow } = await readServerClock(platform)
    aheadNow = platformNow - nowOf(platform)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    reachable = error.sent || error.reason === 'auth_failed'
    if (error.reason === 'not_permitted') problems.add('not_permitted')
    else if (error.reason !== 'unreachable' && error.reason !== 'auth_failed') problems.add('not_answering')
  }
  const state = platform.client.state()
  for (const problem of state.problems) problems.add(problem)
  // An earlier measurement is wrong by an hour once the clocks have changed.
  const clockSkewSeconds = skewOf(platform, aheadNow ?? state.clockAheadSeconds)
  if (clockSkewSeconds !== null && roundedOffset(clockSkewSeconds, 0) !== 0) problems.add('clock_mismatch')
  const { authenticated, lastTrafficAt } = state
  return { reachable, authenticated, lastTrafficAt, clockSkewSeconds, problems: [...problems] }
}

const nowOf = ({ dependencies }: Platform): number => Math.floor(dependencies.time.now() / 1000)

/** Difference between the platform's clock and the time expected from its configured zone. */
function skewOf(platform: Platform, clockAheadSeconds: number | null): number | null {
  return clockAheadSeconds === null ? null : clockAheadSeconds - platform.clock.offsetAt(nowOf(platform))
}
