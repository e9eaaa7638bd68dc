import { type Mt5Simulator, startMt5Simulator } from '../../simulators/mt5/simulator.ts'
import type { Member, Staff, System } from '../foundation/actor.ts'
import { reading } from '../foundation/database.ts'
import { requestDeposit } from '../funding/deposit.ts'
import { makeUniqueToken } from '../sessions/unique-token.ts'
import { type MadeGround, makeGround, type TestGround } from './ground.ts'
import {
  addAccount,
  addCompanyBankAccount,
  addMedia,
  addMember,
  addPlatform,
  addStaff,
  addWorkspace,
  type MadeMember,
  type MadeStaff,
  memberActor,
  staffActor,
} from './harbour.ts'

const manager = { login: '1002', password: 'Test-Manager-1' }
export const startingBalance = '1000.00'
export const floorLogin = '700123'

/** A brokerage with one member and one account on a simulated MetaTrader 5 server that the real adapter talks to. */
export type TradingFloor = MadeGround & {
  ground: TestGround
  simulator: Mt5Simulator
  system: System
  member: Member
  signIn: MadeMember
  staff: Staff
  staffSignIn: MadeStaff
  platformId: string
  accountId: string
  destinationId: string
}

type Timing = { settleMs: number; lookAgainMs: number; leaseMs: number }
type Options = { timing?: Timing; environment?: Record<string, string>; stateFile?: string; writeMs?: number }

/** Times of the real defaults, walked through with the test's own clock. */
export const usualTiming: Timing = { settleMs: 200_000, lookAgainMs: 30_000, leaseMs: 75_000 }

export async function openTradingFloor(options: Options = {}): Promise<TradingFloor> {
  const made = await makeGround(options.environment ? { environment: options.environment } : {})
  const { ground } = made
  const simulator = await startMt5Simulator({
    port: 0,
    stateFile: options.stateFile ?? ':memory:',
    managers: [manager],
    timeZone: 'Europe/Athens',
    movingPrices: false,
  })
  simulator.control.seedAccounts([
    { login: floorLogin, group: 'real\\standard-usd', name: 'Mara Member', leverage: 100, balance: startingBalance },
  ])
  const system = await addWorkspace(ground, { subdomain: 'harbour', isDefault: true })
  const platformId = await addPlatform(system, {
    connection: {
      settings: {
        baseUrl: simulator.url,
        managerLogin: manager.login,
        timeZone: 'Europe/Athens',
        allowPlainHttp: true,
        callsPerSecond: 10_000,
        deadlines: { connectMs: 1_000, authMs: 1_000, readMs: 2_000, writeMs: options.writeMs ?? 500 },
        backOff: { firstMs: 1, maxMs: 5 },
      },
      secret: { managerPassword: manager.password },
      ...(options.timing ?? usualTiming),
    },
  })
  const signIn = await addMember(system)
  const member = await memberActor(system, signIn.memberId)
  const staffSignIn = await addStaff(system)
  const accountId = await addAccount(system, { memberId: member.memberId, platformId, platform_login: floorLogin })
  const destinationId = await addCompanyBankAccount(system)
  const close = async (): Promise<void> => {
    await made.close()
    await simulator.stop()
  }
  const people = { system, member, signIn, staff: staffActor(system, staffSignIn), staffSignIn }
  return { ...made, ...people, simulator, platformId, accountId, destinationId, close }
}

/** A pending deposit as the member's form makes it. */
export async function makePendingDeposit(floor: TradingFloor, amount = '250.00'): Promise<string> {
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

export function readTransaction(floor: TradingFloor, transactionId: string) {
  return reading(floor.system, (tx) =>
    tx
      .selectFrom('balance_transactions')
      .selectAll()
      .where('workspace_id', '=', floor.system.workspaceId)
      .where('transaction_id', '=', transactionId)
      .executeTakeFirstOrThrow(),
  )
}

export function readIntents(floor: TradingFloor, transactionId: string) {
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

/** Balance operations of the portal on the platform: those whose comment begins with a tag. */
export function platformCredits(floor: TradingFloor, tag: string) {
  return floor.simulator.control.dealsWithComment(tag)
}
