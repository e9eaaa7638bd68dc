import { type Mt5Simulator, startMt5Simulator } from '../../simulators/mt5/simulator.ts'
import type { Member, Staff, System } from '../foundation/actor.ts'
import { reading } from '../foundation/database.ts'
import { settleIntent } from '../funding/crediting.ts'
import { approveDeposit } from '../funding/decision.ts'
import { requestDeposit } from '../funding/deposit.ts'
import { makeUniqueToken } from '../sessions/unique-token.ts'
import { type MadeGround, makeGround, type TestGround } from './ground.ts'
import {
  addMember,
  addStaff,
  addWorkspace,
  type MadeMember,
  type MadeStaff,
  memberActor,
  staffActor,
} from './harbour.ts'
import { addCompanyBankAccount } from './harbour-money.ts'
import { addMedia } from './harbour-papers.ts'
import { addAccount, addPlatform } from './harbour-platforms.ts'

const manager = { login: '1002', password: 'Test-Manager-1' }
export const startingBalance = '1000.00'
export const floorLogin = '700123'

export const floorGroups = [
  { name: 'real\\standard-usd', alias: 'Standard' },
  { name: 'real\\standard-jpy', alias: 'Standard in yen' },
  { name: 'real\\gone', alias: 'No longer on the platform' },
  { name: 'demo\\standard-usd', alias: 'Demo' },
  { name: 'manager', alias: 'Never offered' },
]

/** A brokerage with one member and one account on a simulated platform that the real adapter talks to. */
export type Floor = MadeGround & {
  ground: TestGround
  system: System
  member: Member
  signIn: MadeMember
  staff: Staff
  staffSignIn: MadeStaff
  platformId: string
  accountId: string
  destinationId: string
}

/** The platform is MetaTrader 5. */
export type TradingFloor = Floor & { simulator: Mt5Simulator }

type Timing = { settleMs: number; lookAgainMs: number; leaseMs: number }
type Options = {
  timing?: Timing
  environment?: Record<string, string>
  stateFile?: string
  writeMs?: number
  readMs?: number
  authMs?: number
  logLines?: string[]
  startAt?: Date
}

/** Times of the real defaults, walked through with the test's own clock. */
export const usualTiming: Timing = { settleMs: 200_000, lookAgainMs: 30_000, leaseMs: 75_000 }

export async function openTradingFloor(options: Options = {}): Promise<TradingFloor> {
  const { environment, logLines, startAt } = options
  const made = await makeGround({
    ...(environment && { environment }),
    ...(logLines && { logLines }),
    ...(startAt && { startAt }),
  })
  const simulator = await startSimulator(options.stateFile)
  simulator.control.seedAccounts([
    { login: floorLogin, group: 'real\\standard-usd', name: 'Mara Member', leverage: 100, balance: startingBalance },
  ])
  const floor = await furnishFloor(made, simulator, {
    groups: floorGroups,
    connection: connectionTo(simulator, options),
  })
  return { ...floor, simulator }
}

/** Another platform of the same brokerage and the same people; closing it stops its simulator and nothing else. */
export async function addSecondPlatform(floor: TradingFloor): Promise<TradingFloor> {
  const simulator = await startSimulator()
  const connection = connectionTo(simulator)
  const platformId = await addPlatform(floor.system, { name: 'The other one', groups: floorGroups, connection })
  return { ...floor, simulator, platformId, close: () => simulator.stop() }
}

const startSimulator = (stateFile = ':memory:'): Promise<Mt5Simulator> =>
  startMt5Simulator({ port: 0, stateFile, managers: [manager], timeZone: 'Europe/Athens', movingPrices: false })

/**
 * A machine that is busy for a second makes no outcome unknown by these. A change still ends long before the lease under
 * which it is sent, and an answer that is late on purpose comes later still.
 */
function connectionTo({ url }: Mt5Simulator, options: Options = {}) {
  const { readMs = 5_000, authMs = 5_000, timing = usualTiming } = options
  const { writeMs = Math.min(5_000, timing.leaseMs / 5) } = options
  return {
    settings: {
      baseUrl: url,
      managerLogin: manager.login,
      timeZone: 'Europe/Athens',
      allowPlainHttp: true,
      callsPerSecond: 10_000,
      deadlines: { connectMs: 5_000, authMs, readMs, writeMs },
      backOff: { firstMs: 1, maxMs: 5 },
    },
    secret: { managerPassword: manager.password },
    ...timing,
  }
}

/** People, the platform's connection, and an account of the login that the platform was seeded with. */
export async function furnishFloor(
  made: MadeGround & { ground: TestGround },
  simulator: { stop(): Promise<void> },
  { login = floorLogin, ...platform }: Parameters<typeof addPlatform>[1] & { login?: string },
): Promise<Floor> {
  const system = await addWorkspace(made.ground, { subdomain: 'harbour', isDefault: true })
  const platformId = await addPlatform(system, platform)
  const signIn = await addMember(system)
  const member = await memberActor(system, signIn.memberId)
  const staffSignIn = await addStaff(system)
  const accountId = await addAccount(system, { memberId: member.memberId, platformId, platform_login: login })
  const destinationId = await addCompanyBankAccount(system)
  const close = async (): Promise<void> => {
    await made.close()
    await simulator.stop()
  }
  const people = { system, member, signIn, staff: staffActor(system, staffSignIn), staffSignIn }
  return { ...made, ...people, platformId, accountId, destinationId, close }
}

type Payer = Pick<Floor, 'member' | 'system' | 'accountId' | 'destinationId'>

/** A pending deposit as the member's form makes it. */
export async function makePendingDeposit(floor: Payer, amount = '250.00'): Promise<string> {
  const { member, system } = floor
  const deposit = await requestDeposit(member, {
    trading_account: floor.accountId,
    amount,
    comment: 'Transfer of this morning',
    origin: 'Members Bank, GB33 BUKB 2020 1555 5555 55',
    destination_id: floor.destinationId,
    files: [await addMedia(system, { memberId: member.memberId })],
    token_key: 'transaction_deposit',
    nonce_token: await makeUniqueToken(member, 'transaction_deposit'),
  })
  return deposit._id
}

export function readTransaction(floor: Floor, transactionId: string) {
  return reading(floor.system, (tx) =>
    tx
      .selectFrom('balance_transactions')
      .selectAll()
      .where('workspace_id', '=', floor.system.workspaceId)
      .where('transaction_id', '=', transactionId)
      .executeTakeFirstOrThrow(),
  )
}

export function readIntents(floor: Pick<Floor, 'system'>, transactionId: string) {
  return reading(floor.system, (tx) =>
    tx
      .selectFrom('platform_intents')
      .selectAll()
      .where('workspace_id', '=', floor.system.workspaceId)
      .where('transaction_id', '=', transactionId)
      .orderBy('intent_id')
      .execute(),
  )
}

export type Approved = { depositId: string; intentId: string; tag: string }

/** Approves as often as its amount takes, each time by somebody else. */
export async function approveAll(floor: Floor, depositId: string): Promise<void> {
  await approveDeposit(floor.staff, depositId)
  if ((await readTransaction(floor, depositId)).state === 'pending')
    await approveDeposit(staffActor(floor.system, await addStaff(floor.system)), depositId)
}

/** A deposit that staff approved: its intent is written, and nothing was sent yet. */
export async function approveOne(floor: Floor, amount?: string): Promise<Approved> {
  const depositId = await makePendingDeposit(floor, amount)
  await approveAll(floor, depositId)
  const [intent] = await readIntents(floor, depositId)
  if (!intent) throw new Error('An approved deposit has no intent')
  return { depositId, intentId: intent.intent_id, tag: intent.tag }
}

const VISITS_MAX = 40

/** What the queue would do over time: visit, move the clock on, visit again. */
export async function visitUntilSettled(floor: Floor, approved: Approved, stepMs = 40_000): Promise<void> {
  for (let visit = 0; visit < VISITS_MAX; visit++) {
    await settleIntent(floor.system, approved.intentId)
    const { state } = await readTransaction(floor, approved.depositId)
    if (['approved', 'pending'].includes(state)) return
    floor.ground.clock.advance(stepMs)
  }
  throw new Error('The deposit was never settled')
}

/** Balance operations of the portal on the platform: those whose comment begins with a tag. */
export function platformCredits(floor: TradingFloor, tag: string) {
  return floor.simulator.control.dealsWithComment(tag)
}
