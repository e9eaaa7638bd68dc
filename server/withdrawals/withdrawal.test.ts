// spec: AO 3, AO 4, AO 5, AO 6, AO 7, AO 8, AO 9, OP factors
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { texts } from '@atrium/contract/texts.ts'
import { withdrawalInput, withdrawalTexts } from '@atrium/contract/withdrawals/calls.ts'
import { addBankAccount, addFundAccount } from '../../tests/fixtures/payments/money.ts'
import {
  askWithdrawal,
  assertRefused,
  countWithdrawals,
  debitOne,
  openWithdrawer,
  refusalOf,
  settleLatest,
  withdrawalInputOf,
} from '../../tests/fixtures/payments/withdrawals.ts'
import { repeatWhileLocked } from '../../tests/fixtures/repeat-while-locked.ts'
import { addAccount } from '../../tests/fixtures/trading/platforms.ts'
import {
  openTradingFixture,
  readTransaction,
  type TradingFixture,
} from '../../tests/fixtures/trading/trading-fixture.ts'
import { untilWaiting } from '../../tests/fixtures/waiting.ts'
import { addMember, chooseSettings, memberActor } from '../../tests/fixtures/workspaces.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { lockOwnMember } from '../foundation/database/member-lock.ts'
import { newId } from '../foundation/ids.ts'
import { cancelTransaction, changeState } from '../funding/cancellation.ts'
import { markPaidOut } from '../payments/payouts/payout.ts'
import { makeUniqueToken } from '../sessions/unique-token.ts'
import { listEnabledCoins } from './coins.ts'
import { requestWithdrawal } from './withdrawal.ts'
import { approveWithdrawal, debitDemo } from './withdrawal-decision.ts'
import { quoteWithdrawal } from './withdrawal-quote.ts'

let setup: TradingFixture
before(async () => {
  setup = await openTradingFixture()
})
after(() => setup.close())
// Restores the simulator, and lets the pause after a failed connection pass.
afterEach(async () => {
  setup.simulator.control.clearFaults()
  await setup.simulator.control.up()
  setup.context.clock.advance(60_000)
})

async function setSettings(change: Record<string, unknown>): Promise<void> {
  await inTransaction(setup.system, (tx) =>
    tx
      .updateTable('workspaces')
      .set({ settings: JSON.stringify(change) })
      .where('workspace_id', '=', setup.system.workspaceId)
      .execute(),
  )
}

test('stores a pending withdrawal with a snapshot of its beneficiary, and reserves its amount', async () => {
  const withdrawer = await openWithdrawer(setup)
  const made = await requestWithdrawal(withdrawer.member, await withdrawalInputOf(withdrawer))
  const row = await readTransaction(setup, made._id)
  assert.deepEqual(
    [row.state, row.type, row.amount, row.fee, row.currency, row.source, row.destination, row.destination_id],
    ['pending', 'withdrawal', '250.00', '0.00', 'USD', 'client', 'bank_account', withdrawer.bankId],
  )
  assert.match(row.destination_text ?? '', /GB33BUKB/)
  assert.equal(row.ticket, made.ticket)
  const { available, reserved } = await quoteWithdrawal(withdrawer.member, {
    trading_account: withdrawer.accountId,
  })
  assert.deepEqual([available, reserved], ['750.00', '250.00'])
})

describe('the form', () => {
  const amounts: [unknown, string][] = [
    ['', texts.amountInvalid],
    ['0', texts.amountZero],
    ['-1', texts.amountZero],
    ['1e2', texts.amountInvalid],
    ['0x10', texts.amountInvalid],
    ['NaN', texts.amountInvalid],
    ['1,5', texts.amountInvalid],
    ['0.001', texts.amountInvalid],
  ]
  for (const [amount, message] of amounts)
    test(`refuses ${JSON.stringify(amount)}`, async () => {
      await assertRefused(setup, await openWithdrawer(setup), { amount }, ['amount', message])
    })

  test('refuses decimals in a currency without them; 0.1 and 0.2 leave 0.7 of one', async () => {
    const yen = await openWithdrawer(setup, { balance: '5000', currency: 'JPY', group: 'real\\standard-jpy' })
    await assertRefused(setup, yen, { amount: '10.5' }, ['amount', texts.amountInvalid])
    assert.equal((await readTransaction(setup, await askWithdrawal(yen, '10'))).amount, '10')
    const dollar = await openWithdrawer(setup, { balance: '1.00' })
    await askWithdrawal(dollar, '0.1')
    await askWithdrawal(dollar, '0.2')
    await assertRefused(setup, dollar, { amount: '0.71' }, ['amount', withdrawalTexts.balanceTooLow])
    await askWithdrawal(dollar, '0.7')
  })

  test('requires a beneficiary that exists and belongs to the member', async () => {
    const withdrawer = await openWithdrawer(setup)
    const { system } = setup
    const { memberId } = withdrawer.member
    const foreignMember = await addMember(system)
    const foreign = [
      newId(),
      await addBankAccount(system, { memberId: foreignMember.memberId }),
      await addBankAccount(system, { memberId, removed_at: setup.context.clock.now() }),
      setup.beneficiaryId,
      undefined,
    ]
    for (const destination_id of foreign)
      await assertRefused(setup, withdrawer, { destination_id }, ['destination_id', withdrawalTexts.beneficiaryUnknown])
    await assertRefused(setup, withdrawer, { destination: undefined }, [
      'destination',
      withdrawalTexts.beneficiaryMissing,
    ])
    await assertRefused(setup, withdrawer, { destination: 'psp:zotapay' }, [
      'destination',
      withdrawalTexts.methodClosed,
    ])
    await assertRefused(setup, withdrawer, { destination: 'crypto_transfer' }, ['coin', withdrawalTexts.coinMissing])
    await assertRefused(setup, withdrawer, { destination: 'crypto_transfer', coin: 'NOCOIN' }, [
      'coin',
      withdrawalTexts.coinUnknown,
    ])
  })

  test('refuses a saved wallet with an invalid address', async () => {
    const withdrawer = await openWithdrawer(setup)
    const { memberId } = withdrawer.member
    await chooseSettings(setup, { withdrawal_coins: ['BTC'] })
    const asked = { destination: 'crypto_transfer', coin: 'BTC' }
    const wrong = await addFundAccount(setup.system, { memberId, address_id: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3' })
    await assertRefused(setup, withdrawer, { ...asked, destination_id: wrong }, [
      'destination_id',
      withdrawalTexts.addressInvalid,
    ])
    const right = await addFundAccount(setup.system, { memberId })
    await requestWithdrawal(withdrawer.member, await withdrawalInputOf(withdrawer, { ...asked, destination_id: right }))
    const unnamed = { destination: 'crypto_transfer', destination_id: right }
    const made = await requestWithdrawal(withdrawer.member, await withdrawalInputOf(withdrawer, unnamed))
    assert.equal(made.coin, 'BTC')
    await chooseSettings(setup, { withdrawal_coins: ['ETH'] })
    await assertRefused(setup, withdrawer, unnamed, ['coin', withdrawalTexts.coinMissing])
    await chooseSettings(setup, {})
  })

  test('refuses an unknown, foreign, deleted, archived or read-only account', async () => {
    const withdrawer = await openWithdrawer(setup)
    const { system, platformId } = setup
    const { memberId } = withdrawer.member
    const foreignMember = await addMember(system)
    const accounts = [
      newId(),
      await addAccount(system, { memberId: foreignMember.memberId, platformId }),
      await addAccount(system, { memberId, platformId, deleted: true }),
      await addAccount(system, { memberId, platformId, archived: true }),
      await addAccount(system, { memberId, platformId, enable_read_only: true }),
    ]
    for (const trading_account of accounts)
      await assertRefused(setup, withdrawer, { trading_account }, ['trading_account', texts.accountUnknown])
  })

  test('ignores status, source, type, fee and decision sent by the client', async () => {
    const withdrawer = await openWithdrawer(setup)
    const forged = {
      status: 'approved',
      source: 'other',
      type: 'deposit',
      payment_method: 'skrill',
      fee: '-1',
      state: 'paying',
      platform_ticket: '1',
      approvals_needed: 0,
      asked_by: newId(),
      member_id: newId(),
      _id: newId(),
    }
    const parsed = withdrawalInput.parse({ ...(await withdrawalInputOf(withdrawer)), ...forged })
    const made = await requestWithdrawal(withdrawer.member, parsed)
    const row = await readTransaction(setup, made._id)
    assert.deepEqual(
      [row.state, row.source, row.type, row.payment_method, row.platform_ticket, row.asked_by, row.approvals_needed],
      ['pending', 'client', 'withdrawal', 'manual', null, null, 1],
    )
    assert.notEqual(made._id, forged._id)
  })
})

describe('a repeated form', () => {
  test('a hundred simultaneous copies make one withdrawal and get one answer; another body is refused', async () => {
    const withdrawer = await openWithdrawer(setup)
    const input = await withdrawalInputOf(withdrawer)
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => repeatWhileLocked(() => requestWithdrawal(withdrawer.member, { ...input }))),
    )
    for (const answer of answers) assert.deepEqual(answer, answers[0])
    assert.equal(await countWithdrawals(setup, withdrawer), 1)
    const other = await refusalOf(requestWithdrawal(withdrawer.member, { ...input, amount: '251.00' }))
    assert.deepEqual([other.code, other.httpStatus], ['nonce_reused', 409])
    await setup.simulator.control.down()
    assert.deepEqual(await requestWithdrawal(withdrawer.member, input), answers[0])
  })

  test('a copy whose platform becomes silent gets the answer of the copy that succeeded meanwhile', async (t) => {
    const withdrawer = await openWithdrawer(setup)
    const input = await withdrawalInputOf(withdrawer)
    const { control } = setup.simulator
    const nextRead = async (): Promise<void> => {
      const reads = () => control.calls().filter(({ path }) => path === '/api/user/get').length
      const before = reads()
      while (reads() === before) await nextTurn()
    }
    const watcher = await setup.openOwner()
    t.after(() => watcher.end())
    const lock = Promise.withResolvers<void>()
    t.after(() => lock.resolve())
    const locked = Promise.withResolvers<void>()
    const holding = inTransaction(withdrawer.member, async (tx) => {
      await lockOwnMember(tx, withdrawer.member)
      locked.resolve()
      await lock.promise
    })
    await locked.promise
    const first = requestWithdrawal(withdrawer.member, { ...input })
    await nextRead()
    control.addFault({ path: '/api/user/get', times: 2, kind: 'delay', ms: 60_000 })
    const second = requestWithdrawal(withdrawer.member, { ...input })
    await nextRead()
    await control.down()
    // Both wait for the lock; a copy that does not is refused here.
    await Promise.race([second.catch(() => undefined), untilWaiting(watcher, 2)])
    lock.resolve()
    await holding
    assert.deepEqual(await second, await first)
    assert.equal(await countWithdrawals(setup, withdrawer), 1)
  })

  test('refuses a token of another member, of another purpose and of yesterday', async () => {
    const withdrawer = await openWithdrawer(setup)
    const foreignMember = await memberActor(setup.system, (await addMember(setup.system)).memberId)
    const tokens = [
      await makeUniqueToken(foreignMember, 'transaction_withdrawal'),
      await makeUniqueToken(withdrawer.member, 'transaction_deposit'),
      'never-given-out',
    ]
    for (const nonce_token of tokens) {
      const input = await withdrawalInputOf(withdrawer, { nonce_token })
      assert.equal((await refusalOf(requestWithdrawal(withdrawer.member, input))).code, 'nonce_unknown')
    }
  })
})

describe('fees and limits', () => {
  const rule = { method: 'bank_account', enabled: true, minimum: '50', maximum: '500' }

  test('prefers the rule of the currency to the general one, rounds the fee once and names the limits', async () => {
    await setSettings({
      withdrawal_rules: [
        { ...rule, currency: '*', fee_fixed: '99', fee_percent: '0' },
        { ...rule, currency: 'USD', fee_fixed: '5', fee_percent: '1.25' },
      ],
    })
    try {
      const withdrawer = await openWithdrawer(setup)
      await assertRefused(setup, withdrawer, { amount: '49.99' }, ['amount', 'The minimum withdrawal is 50.00 USD.'])
      await assertRefused(setup, withdrawer, { amount: '500.01' }, ['amount', 'The maximum withdrawal is 500.00 USD.'])
      const row = await readTransaction(setup, await askWithdrawal(withdrawer, '333.33'))
      assert.equal(row.fee, '9.17') // 5 and 1.25 % of 333.33, which is 4.166625.
      const { fee, net } = await quoteWithdrawal(withdrawer.member, {
        trading_account: withdrawer.accountId,
        amount: '333.33',
        destination: 'bank_account',
      })
      assert.deepEqual([fee, net], ['9.17', '324.16'])
    } finally {
      await setSettings({})
    }
  })

  test('refuses a fee that leaves nothing, and a disabled method', async (t) => {
    t.after(() => setSettings({}))
    await setSettings({
      withdrawal_rules: [{ ...rule, currency: '*', fee_fixed: '60', fee_percent: '0', maximum: null }],
    })
    const withdrawer = await openWithdrawer(setup)
    await assertRefused(setup, withdrawer, { amount: '60.00' }, [
      'amount',
      'The fee of 60.00 USD would leave nothing to pay out.',
    ])
    await setSettings({
      withdrawal_rules: [{ ...rule, currency: '*', enabled: false, fee_fixed: '0', fee_percent: '0' }],
    })
    await assertRefused(setup, withdrawer, {}, ['destination', withdrawalTexts.methodClosed])
  })
})

describe('withdrawal hold and proof', () => {
  test('holds withdrawals after a change of password for the configured hours, and says until when', async (t) => {
    t.after(() => setSettings({}))
    const withdrawer = await openWithdrawer(setup)
    const { system } = setup
    const shake = (at: Date | null) =>
      inTransaction(system, (tx) =>
        tx
          .updateTable('members')
          .set({ password_changed_at: at })
          .where('workspace_id', '=', system.workspaceId)
          .where('member_id', '=', withdrawer.member.memberId)
          .execute(),
      )
    const now = setup.context.clock.now()
    await shake(now)
    await setSettings({ withdrawal_hold_hours: 2 })
    const refusal = await refusalOf(requestWithdrawal(withdrawer.member, await withdrawalInputOf(withdrawer)))
    assert.deepEqual([refusal.code, refusal.httpStatus], ['withdrawals_held', 403])
    const held = await quoteWithdrawal(withdrawer.member, { trading_account: withdrawer.accountId })
    assert.equal(held.held_until, now.getTime() + 2 * 3_600_000)
    assert.equal(held.blocks[0]?.until, held.held_until)
    await setSettings({ hold_withdrawals: false })
    await askWithdrawal(withdrawer, '1.00')
    await shake(null)
  })

  test('requires a proof within the last quarter of an hour for a new beneficiary, but not for one already paid', async () => {
    const withdrawer = await openWithdrawer(setup)
    setup.context.clock.advance(16 * 60_000)
    const input = await withdrawalInputOf(withdrawer)
    assert.equal((await refusalOf(requestWithdrawal(withdrawer.member, input))).code, 'proof_required')
    const asked = { trading_account: withdrawer.accountId, destination: 'bank_account' }
    const before = await quoteWithdrawal(withdrawer.member, { ...asked, destination_id: withdrawer.bankId })
    assert.equal(before.needs_proof, true)
    const proven = await openWithdrawer(setup)
    const paid = await debitOne(setup, { ...proven, bankId: withdrawer.bankId }, '1.00')
    await markPaidOut(setup.staff, paid, 'SWIFT-1')
    setup.context.clock.advance(16 * 60_000)
    await requestWithdrawal(withdrawer.member, input)
  })
})

test('demo funds are debited immediately: no beneficiary, no approval, no payout', async () => {
  const demo = await openWithdrawer(setup, { live: false, group: 'demo\\standard-usd' })
  const input = await withdrawalInputOf(demo, { destination: undefined, destination_id: undefined, amount: '100.00' })
  const { _id } = await requestWithdrawal(demo.member, input)
  await debitDemo(setup.system, _id)
  await debitDemo(setup.system, _id)
  assert.equal(await settleLatest(setup, _id), 'approved')
  assert.equal(setup.simulator.control.account(demo.login)?.balance, '900.00')
})

describe('cancelling', () => {
  test('cancels own pending withdrawals, repeatably, and no decided ones', async () => {
    const withdrawer = await openWithdrawer(setup)
    const id = await askWithdrawal(withdrawer)
    await cancelTransaction(withdrawer.member, id)
    await cancelTransaction(withdrawer.member, id)
    assert.equal((await readTransaction(setup, id)).state, 'cancelled')
    const approved = await askWithdrawal(withdrawer)
    await approveWithdrawal(setup.staff, approved)
    assert.equal((await refusalOf(cancelTransaction(withdrawer.member, approved))).code, 'illegal_move')
    await settleLatest(setup, approved)
    for (const status of ['cancelled', 'approved']) {
      const said = await refusalOf(changeState(withdrawer.member, { id: approved, status }))
      assert.equal(said.message, 'Trading Transaction not updated')
      assert.deepEqual(said.details.errors, { status: [withdrawalTexts.cannotCancel] })
    }
    const foreignMember = await memberActor(setup.system, (await addMember(setup.system)).memberId)
    const foreign = await askWithdrawal(withdrawer)
    assert.equal((await refusalOf(cancelTransaction(foreignMember, foreign))).code, 'not_found')
  })
})

test('a disabled feature answers 404, a denied permission 403', async () => {
  const { member, ...withdrawer } = await openWithdrawer(setup)
  const input = await withdrawalInputOf({ member, ...withdrawer })
  const off = { ...member, features: { ...member.features, withdraw: false } }
  const denied = { ...member, permissions: [...member.permissions, 'withdraw-'] }
  assert.equal((await refusalOf(requestWithdrawal(off, input))).code, 'feature_off')
  assert.equal((await refusalOf(requestWithdrawal(denied, input))).code, 'not_permitted')
})

test('lists the coins of the workspace, each with our own picture', async () => {
  await setSettings({ withdrawal_coins: ['BTC', 'USDT'] })
  const { member } = await openWithdrawer(setup)
  const coins = await listEnabledCoins(member, {})
  assert.deepEqual(
    coins.map(({ name }) => name),
    ['BTC', 'USDT'],
  )
  for (const { image_url } of coins) assert.match(image_url, /^data:image\/svg\+xml,/)
  const denied = { ...member, features: { ...member.features, withdraw: false } }
  assert.equal((await refusalOf(listEnabledCoins(denied, {}))).code, 'feature_off')
  await setSettings({})
})
