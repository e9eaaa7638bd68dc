import type { System } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import { GatewayError, type GroupInfo, type Health, type TradingGateway } from '../trading-platforms/contract.ts'
import { findLink } from '../trading-platforms/platform-link.ts'
import { readPlatforms } from './queries.ts'

export type Finding = { step: string; verdict: 'well' | 'warning' | 'wrong'; note: string }
export type PlatformReport = { platform: string; type: string; state: 'on' | 'off'; findings: Finding[] }

type Offered = Awaited<ReturnType<typeof readPlatforms>>[number]
type AddFinding = (step: string, verdict: Finding['verdict'], note: string) => void

/**
 * Checks everything a platform answers without being changed; skips a disabled one. The answer contains no secret.
 */
export async function checkPlatform(system: System, platform: Offered): Promise<PlatformReport> {
  const findings: Finding[] = []
  const addFinding: AddFinding = (step, verdict, note) => void findings.push({ step, verdict, note })
  const state = platform.isEnabled ? ('on' as const) : ('off' as const)
  const report = { platform: platform.name, type: platform.type, state, findings }
  if (state === 'off') {
    addFinding('Connection', 'warning', 'Not tried: it is switched off.')
    return report
  }
  const link = await findLink(system, platform.id)
  if ('problem' in link) {
    addFinding('Connection', 'wrong', connectionLabels[link.problem] ?? link.problem)
    return report
  }
  const health = await link.gateway.health()
  if (!checkHealth(health, addFinding)) return report
  await within('Clock', addFinding, () => checkClock(link.gateway, health, addFinding))
  await within('Groups', addFinding, () => checkGroups(link.gateway, platform, addFinding))
  await within('Accounts', addFinding, () => checkAccounts(link.gateway, platform, addFinding))
  await within('Known accounts', addFinding, () => checkKnown(system, link.gateway, platform, addFinding))
  addFinding(
    'Booking money',
    'warning',
    'Not tried: it would move money. Deposit 1.00 to a demo account in the portal, and withdraw it again, before going live.',
  )
  return report
}

/** The platforms of a workspace, or the one with that name or id. */
export async function listPlatforms(system: System, wanted?: string): Promise<Offered[]> {
  const all = await reading(system, (tx) => readPlatforms(tx, system))
  if (wanted === undefined) return all
  return all.filter(({ id, name }) => id === wanted || name.toLowerCase() === wanted.toLowerCase())
}

const connectionLabels: Readonly<Record<string, string>> = {
  not_connected: 'There is no connection.',
  misconfigured: 'The settings or the secret are not valid; the log says why.',
}

/** Explains each problem to the operator who set the server up. */
const problemLabels: Readonly<Record<Health['problems'][number], string>> = {
  unreachable:
    'The server cannot be reached: check address, port, firewall, allow-list, or a certificate that is not trusted.',
  auth_failed:
    'The sign-in is refused: manager login, API password, Web API permission, or our address is not allowed.',
  auth_failing_repeatedly: 'The sign-in has been refused several times in a row.',
  server_not_proven: 'The server does not know the password: it is not the expected server. Nothing was sent.',
  not_permitted: 'The manager login lacks a permission.',
  clock_mismatch: 'Its clock does not match the configured time zone.',
  not_answering: 'It can be reached, but does not answer calls.',
  circuit_open: 'It has not answered for a while: calls are paused until it does.',
}

function checkHealth({ reachable, authenticated, problems }: Health, addFinding: AddFinding): boolean {
  addFinding('Connection', reachable ? 'well' : 'wrong', reachable ? 'Reached.' : problemLabels.unreachable)
  const isProven = authenticated && !problems.includes('server_not_proven')
  if (isProven) addFinding('Sign-in', 'well', 'Signed in, and the server proved its identity.')
  for (const problem of problems) {
    const isReported = problem === 'unreachable' || problem === 'clock_mismatch'
    if (!isReported) addFinding('Sign-in', 'wrong', problemLabels[problem])
  }
  return reachable && isProven
}

/** Reports a failed step as a finding and continues with the next one. */
async function within(step: string, addFinding: AddFinding, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (problem) {
    if (!(problem instanceof GatewayError)) throw problem
    const code = problem.platformCode === undefined ? '' : ` (platform code ${problem.platformCode})`
    const isRight = problem.reason === 'not_permitted'
    addFinding(
      step,
      'wrong',
      isRight ? `${problemLabels.not_permitted}${code}` : `It failed: ${problem.reason}${code}.`,
    )
  }
}

async function checkClock(gateway: TradingGateway, health: Health, addFinding: AddFinding): Promise<void> {
  const { utcOffsetSeconds } = await gateway.serverClock()
  const zone = `UTC${utcOffsetSeconds < 0 ? '-' : '+'}${Math.abs(utcOffsetSeconds) / 3600} h`
  const skew = health.clockSkewSeconds ?? 0
  if (health.problems.includes('clock_mismatch'))
    addFinding('Clock', 'wrong', `${problemLabels.clock_mismatch} Off by ${skew} s.`)
  else addFinding('Clock', 'well', `${zone}, ${skew} s from ours.`)
}

async function checkGroups(gateway: TradingGateway, { groups }: Offered, addFinding: AddFinding): Promise<void> {
  const seen = await gateway.listGroups()
  addFinding('Groups', seen.length > 0 ? 'well' : 'wrong', `The manager login sees ${seen.length}.`)
  if (groups.length === 0) addFinding('Offered groups', 'warning', 'None is offered to members yet.')
  for (const { name } of groups) checkGroup(name, seen, addFinding)
}

function checkGroup(name: string, seen: readonly GroupInfo[], addFinding: AddFinding): void {
  const found = seen.find((group) => group.name === name)
  const alike = seen.find((group) => group.name.toLowerCase() === name.toLowerCase())
  if (found) addFinding('Offered groups', 'well', `${name}: ${found.currency}, ${found.accounting}.`)
  else if (alike) addFinding('Offered groups', 'wrong', `${name} is spelled ${alike.name} there, and case matters.`)
  else addFinding('Offered groups', 'wrong', `${name} does not exist there, or the manager login may not see it.`)
}

async function checkAccounts(gateway: TradingGateway, { groups }: Offered, addFinding: AddFinding): Promise<void> {
  for await (const page of gateway.listAccounts(groups.map(({ name }) => name))) {
    if (page.length === 0) continue
    const hasPersons = page.some(({ name, email, comment }) => name !== null || email !== null || comment !== '')
    const note = hasPersons
      ? 'The manager login can read accounts and their owners.'
      : 'Names, addresses and comments are empty: give the manager login access to personal data, or an opening with a lost answer is never found.'
    addFinding('Reading accounts', hasPersons ? 'well' : 'wrong', note)
    return
  }
  addFinding(
    'Reading accounts',
    'warning',
    'No offered group has an account, so it is not known what the manager login can read of one.',
  )
}

const knownMax = 5

async function checkKnown(
  system: System,
  gateway: TradingGateway,
  { id }: Offered,
  addFinding: AddFinding,
): Promise<void> {
  const rows = await reading(system, (tx) =>
    tx
      .selectFrom('trading_accounts')
      .select('platform_login')
      .where('workspace_id', '=', system.workspaceId)
      .where('platform_id', '=', id)
      .where('deleted', '=', false)
      .where('archived', '=', false)
      .orderBy('account_id', 'desc')
      .limit(knownMax)
      .execute(),
  )
  const logins = rows.map(({ platform_login }) => platform_login)
  if (logins.length === 0) return addFinding('Known accounts', 'warning', 'The portal has none on it yet.')
  const found = await gateway.readAccounts(logins)
  const missing = logins.filter((login) => !found.has(login))
  if (missing.length > 0)
    addFinding(
      'Known accounts',
      'wrong',
      `Missing, or in a group that the manager login may not see: ${missing.join(', ')}.`,
    )
  else addFinding('Known accounts', 'well', `The latest ${logins.length} exist.`)
}

export function isWell({ findings }: PlatformReport): boolean {
  return findings.every(({ verdict }) => verdict !== 'wrong')
}

/** Scripts read the report as JSON, where a warning keeps its first name. */
export const forScripts = ({ findings, ...report }: PlatformReport) => ({
  ...report,
  findings: findings.map((finding) => ({ ...finding, verdict: verdictsForScripts[finding.verdict] })),
})

const verdictsForScripts = { well: 'well', warning: 'look', wrong: 'wrong' } as const

const marks: Readonly<Record<Finding['verdict'], string>> = { well: 'ok', warning: '--', wrong: 'NO' }

export function describeReport({ platform, type, state, findings }: PlatformReport): string {
  const lines = findings.map(({ step, verdict, note }) => `  ${marks[verdict]}  ${step.padEnd(17)} ${note}`)
  return [`${platform} (${type})${state === 'off' ? ', switched off' : ''}`, ...lines].join('\n')
}
