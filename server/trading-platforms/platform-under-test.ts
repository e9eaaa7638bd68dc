import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { inspect } from 'node:util'
import type { FakeTime } from '../../tests/fixtures/trading/trading-platforms.ts'
import {
  type ChangeBalance,
  GatewayError,
  type OpenAccount,
  type TradingGateway,
  type WrittenField,
} from './contract.ts'
import { carriesTag, judgeReceipts, makeIntentTag } from './intent-tag.ts'

/** Faults that every simulator can apply to the next call of an operation. */
export type PlatformFault =
  | 'fail-before'
  | 'drop-before'
  | 'execute-then-drop'
  | 'execute-then-error'
  | 'execute-then-garbage'
  | 'hang'
  | 'throttle'
  | 'lose-session'
  | 'land-later'

export type Operation = 'changeBalance' | 'openAccount' | 'setPassword'

/** A simulator with its adapter, in the terms of the contract. */
export type PlatformHarness = {
  gateway: TradingGateway
  time: FakeTime
  logLines: string[]
  /** A group in a currency with two decimals. */
  group: string
  /** An account of that group with 1000.00 and no open positions. */
  login: string
  /** An account with an open position of 0.1 lots and a closed trade of 1.05 lots. */
  activeLogin: string
  /** An account for which the platform holds no live trade state. */
  dormant: { login: string; balance: string }
  missingLogin: string
  breakNext(operation: Operation, fault: PlatformFault): void
  /** Whether the hanging call has reached the platform. */
  reached(operation: Operation): boolean
  landNow(): void
  hangUp(): void
  ledger(login: string): { ticket: string; amount: string; comment: string }[]
  /** Adds closed trades that produce this many deals. */
  addDeals(login: string, count: number): void
  accountsOf(group: string): number
  /** The fields that opening an account writes, each with a value that the platform can store instead. */
  written: Partial<Record<WrittenField, { name: string; instead: string }>>
  /** Makes the platform silently store these values from now on, by its own field names. */
  alter(fields: Record<string, string>): void
  /** The field that keeps an account tradable, whatever is written. */
  keepsTrading: Record<string, string>
  /** Passwords that the platform refuses, each for another reason. */
  weakPasswords: string[]
  /** The platform repeats its answer for a known idempotency key. */
  remembersCalls?: boolean
  /** Passwords and other values that must never appear in a log or an error. */
  secrets: string[]
  stop(): Promise<void>
}

const HOUR = 3_600_000

/** Declares a test of an adapter on a simulator of its own. */
export type PlatformTest = (
  title: string,
  work: (harness: PlatformHarness, context: TestContext) => Promise<void>,
) => void

export function platformTestOf(name: string, start: () => Promise<PlatformHarness>): PlatformTest {
  return (title, work) =>
    test(`${name}: ${title}`, async (context) => {
      const harness = await start()
      try {
        await work(harness, context)
        assertNothingLeaked(harness, harness.logLines.join('\n'))
      } finally {
        await harness.gateway.close()
        await harness.stop()
      }
    })
}

export function moneyFor(harness: PlatformHarness, change: Partial<ChangeBalance>): ChangeBalance {
  const usual = {
    kind: 'balance',
    amount: '10',
    currency: 'USD',
    note: 'Deposit',
    refuseIfMarginTooLow: false,
  } as const
  return { tag: makeIntentTag(), login: harness.login, ...usual, ...change }
}

export function newAccount(harness: PlatformHarness): OpenAccount {
  return {
    tag: makeIntentTag(),
    kind: 'live',
    group: harness.group,
    leverage: 100,
    mainPassword: 'Qa7#mPz2',
    investorPassword: 'v9!TxR4kLw2@Zb6',
    firstName: 'Grace',
    lastName: 'Secretname',
    email: 'grace.secret@example.test',
    phone: '+356 2100 9876',
  }
}

/** With every personal field set. */
export function wholeAccount(harness: PlatformHarness): OpenAccount {
  const address = {
    country: 'Malta',
    city: 'Valletta',
    state: 'South Eastern',
    zip: 'VLT 1117',
    address: '1 Harbour Road',
  }
  return { ...newAccount(harness), ...address }
}

export async function failureOf(harness: PlatformHarness, promise: Promise<unknown>): Promise<GatewayError> {
  const error = await promise.then(
    () => assert.fail('It should have failed'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof GatewayError, inspect(error))
  assertNothingLeaked(harness, inspect(error, { depth: 10 }))
  return error
}

export function assertFailure(
  error: GatewayError,
  expected: { outcome: string; reasons?: string[]; sent?: boolean },
): void {
  assert.equal(error.outcome, expected.outcome)
  if (expected.reasons !== undefined) assert.ok(expected.reasons.includes(error.reason), error.reason)
  if (expected.sent !== undefined) assert.equal(error.sent, expected.sent)
}

/** Compares the look-up with the ledger too, because an empty look-up proves nothing by itself. */
export async function assertLedgerHolds(harness: PlatformHarness, money: ChangeBalance, count: 0 | 1): Promise<void> {
  const booked = harness.ledger(money.login).filter((deal) => carriesTag(deal.comment, money.tag))
  assert.equal(booked.length, count)
  const since = Math.floor((harness.time.now() - HOUR) / 1000)
  const receipts = await harness.gateway.findBalanceByTag(money.login, money.tag, since)
  const verdict = judgeReceipts(receipts, money.amount)
  if (count === 0) assert.deepEqual(verdict, { verdict: 'absent' })
  else assert.equal(verdict.verdict === 'found' ? verdict.receipt.ticket : verdict.verdict, booked[0]?.ticket)
}

function assertNothingLeaked(harness: PlatformHarness, text: string): void {
  const ours = ['Qa7#mPz2', 'v9!TxR4kLw2@Zb6', 'Nw5%qLz8', 'Secretname', 'grace.secret', '2100 9876']
  for (const secret of [...harness.secrets, ...ours]) assert.ok(!text.includes(secret), 'A secret was written down')
}
