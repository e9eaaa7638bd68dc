import assert from 'node:assert/strict'
import type { WithdrawalInput } from '@atrium/contract/withdrawals.ts'
import type { Member } from '../foundation/actor.ts'
import { reading } from '../foundation/database.ts'
import { Refusal } from '../foundation/errors.ts'
import { settleIntent } from '../funding/crediting.ts'
import { requestWithdrawal } from '../funding/withdrawal.ts'
import { approveWithdrawal } from '../funding/withdrawal-decision.ts'
import { makeUniqueToken } from '../sessions/unique-token.ts'
import { openTestSession } from './harbour.ts'
import { addBankAccount } from './harbour-money.ts'
import { addAccount } from './harbour-platforms.ts'
import { readIntents, readTransaction, type TradingFloor } from './trading-floor.ts'

/** A member in a session that has just proven itself, with a bank account and an account of their own on the platform. */
export type Withdrawer = { member: Member; accountId: string; login: string; bankId: string }

let logins = 800_100
type Values = { balance?: string; currency?: string; group?: string; live?: boolean; member?: Member }

export async function openWithdrawer(floor: TradingFloor, values: Values = {}): Promise<Withdrawer> {
  const { system } = floor
  const { balance = '1000.00', currency = 'USD', live = true } = values
  const { group = `real\\standard-${currency.toLowerCase()}` } = values
  logins += 1
  const login = String(logins)
  floor.simulator.control.seedAccounts([{ login, group, name: 'Wanda Withdrawer', leverage: 100, balance }])
  const member = values.member ?? (await provenMember(floor))
  const { memberId } = member
  const place = { memberId, platformId: floor.platformId, platform_login: login, currency, live_account: live }
  const accountId = await addAccount(system, place)
  const bankId = await addBankAccount(system, { memberId })
  return { member, accountId, login, bankId }
}

/** A pending withdrawal of one dollar, from an account of its own. */
export async function makePendingWithdrawal(floor: TradingFloor): Promise<string> {
  return askWithdrawal(await openWithdrawer(floor), '1.00')
}

/** The floor's member with a session whose proof is of this moment. */
export async function provenMember({ member, system }: Pick<TradingFloor, 'member' | 'system'>): Promise<Member> {
  const { sessionId } = await openTestSession(system, { kind: 'member', id: member.memberId })
  return { ...member, sessionId }
}

export async function withdrawalInputOf(
  withdrawer: Withdrawer,
  change: Partial<WithdrawalInput> = {},
): Promise<WithdrawalInput> {
  return {
    trading_account: withdrawer.accountId,
    amount: '250.00',
    comment: 'For the roof',
    destination: 'bank_account',
    destination_id: withdrawer.bankId,
    token_key: 'transaction_withdrawal',
    nonce_token: await makeUniqueToken(withdrawer.member, 'transaction_withdrawal'),
    ...change,
  }
}

export async function askWithdrawal(withdrawer: Withdrawer, amount = '250.00'): Promise<string> {
  const made = await requestWithdrawal(withdrawer.member, await withdrawalInputOf(withdrawer, { amount }))
  return made._id
}

const visitsMax = 40

/** What the queue would do over time with the newest intent of a transaction. */
export async function settleLatest(floor: TradingFloor, transactionId: string, stepMs = 40_000): Promise<string> {
  for (let visit = 0; visit < visitsMax; visit++) {
    const intent = (await readIntents(floor, transactionId)).at(-1)
    if (!intent) throw new Error('Nothing is to be done on the platform')
    await settleIntent(floor.system, intent.intent_id)
    const { state } = await readTransaction(floor, transactionId)
    if (!['debiting', 'checking', 'returning'].includes(state)) return state
    floor.ground.clock.advance(stepMs)
  }
  throw new Error('The withdrawal was never settled')
}

/** Asked for, approved and debited: it waits for its payment. */
export async function debitOne(floor: TradingFloor, withdrawer: Withdrawer, amount?: string): Promise<string> {
  const id = await askWithdrawal(withdrawer, amount)
  await approveWithdrawal(floor.staff, id)
  await settleLatest(floor, id)
  return id
}

export async function refusalOf(attempt: Promise<unknown>): Promise<Refusal> {
  const problem = await attempt.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  assert.ok(problem instanceof Refusal, `expected a refusal, got ${problem}`)
  return problem
}

export async function countWithdrawals({ system }: TradingFloor, { accountId }: Withdrawer): Promise<number> {
  const rows = await reading(system, (tx) =>
    tx
      .selectFrom('balance_transactions')
      .select('transaction_id')
      .where('workspace_id', '=', system.workspaceId)
      .where('account_id', '=', accountId)
      .execute(),
  )
  return rows.length
}

/** Tries a changed form and asserts that it is refused at the field and that nothing is reserved. */
export async function assertRefused(
  floor: TradingFloor,
  withdrawer: Withdrawer,
  change: Partial<Record<keyof WithdrawalInput, unknown>>,
  [field, message]: [string, string],
): Promise<void> {
  const before = await countWithdrawals(floor, withdrawer)
  const input = { ...(await withdrawalInputOf(withdrawer)), ...change } as WithdrawalInput
  const refusal = await refusalOf(requestWithdrawal(withdrawer.member, input))
  assert.deepEqual(refusal.details.errors?.[field], [message], JSON.stringify(refusal.details))
  assert.equal(await countWithdrawals(floor, withdrawer), before)
}
