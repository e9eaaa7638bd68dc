import assert from 'node:assert/strict'
import { isMore, subtractAmounts } from '@atrium/contract/money/money.ts'
import { until } from '../../tests/fixtures/trading/trading-platforms.ts'
import type { GatewayError } from './contract.ts'
import {
  assertFailure,
  assertLedgerHolds,
  failureOf,
  moneyFor,
  type PlatformFault,
  type PlatformTest,
} from './platform-under-test.ts'

type Expected = {
  outcome: GatewayError['outcome']
  reasons: GatewayError['reason'][]
  sent: boolean
  executed: boolean
}

const faults: readonly [PlatformFault, Expected][] = [
  ['fail-before', { outcome: 'unknown', reasons: ['protocol', 'busy'], sent: true, executed: false }],
  ['drop-before', { outcome: 'unknown', reasons: ['session_lost'], sent: true, executed: false }],
  ['execute-then-drop', { outcome: 'unknown', reasons: ['session_lost'], sent: true, executed: true }],
  ['execute-then-error', { outcome: 'unknown', reasons: ['protocol', 'busy'], sent: true, executed: true }],
  ['execute-then-garbage', { outcome: 'unknown', reasons: ['protocol'], sent: true, executed: true }],
  ['throttle', { outcome: 'not_executed', reasons: ['throttled'], sent: true, executed: false }],
  ['lose-session', { outcome: 'not_executed', reasons: ['session_lost'], sent: true, executed: false }],
]

/** Balance operations: refused before sending, or sent once and found exactly if they were executed. */
export function testBalanceOperations(platformTest: PlatformTest): void {
  platformTest('deposits and withdraws, and each ticket is in the ledger', async (harness) => {
    const deposit = await harness.gateway.changeBalance(moneyFor(harness, { amount: '250' }))
    const withdrawal = await harness.gateway.changeBalance(
      moneyFor(harness, { amount: '-100.50', refuseIfMarginTooLow: true }),
    )
    const booked = harness
      .ledger(harness.login)
      .filter((deal) => [deposit.ticket, withdrawal.ticket].includes(deal.ticket))
    assert.deepEqual(
      booked.map((deal) => Number(deal.amount)),
      [250, -100.5],
    )
    assert.equal(Number((await harness.gateway.readAccount(harness.login)).balance), 1149.5)
  })

  for (const [fault, expected] of faults) {
    platformTest(
      `money meets ${fault}: classified, never sent again, found exactly if it was executed`,
      async (harness) => {
        const money = moneyFor(harness, { amount: '75.25' })
        harness.breakNext('changeBalance', fault)
        const error = await failureOf(harness, harness.gateway.changeBalance(money))
        assertFailure(error, expected)
        await assertLedgerHolds(harness, money, expected.executed ? 1 : 0)
      },
    )
  }

  platformTest("refuses money in another currency than the account's before sending", async (harness) => {
    const money = moneyFor(harness, { currency: 'JPY' })
    const error = await failureOf(harness, harness.gateway.changeBalance(money))
    assertFailure(error, { outcome: 'rejected', reasons: ['currency_mismatch'], sent: false })
    assert.equal(harness.reached('changeBalance'), false)
  })

  platformTest('a hanging balance operation is unknown at the deadline, and found when it arrives', async (harness) => {
    const money = moneyFor(harness, { amount: '12' })
    harness.breakNext('changeBalance', 'hang')
    const failing = failureOf(harness, harness.gateway.changeBalance(money))
    await until(() => harness.reached('changeBalance'))
    harness.time.advance(31_000)
    assertFailure(await failing, { outcome: 'unknown', reasons: ['timeout'], sent: true })
    await assertLedgerHolds(harness, money, 0)
    harness.landNow()
    await assertLedgerHolds(harness, money, 1)
  })

  platformTest('a balance operation arriving after a lost connection is found later', async (harness) => {
    const money = moneyFor(harness, { amount: '-12', refuseIfMarginTooLow: true })
    harness.breakNext('changeBalance', 'land-later')
    const error = await failureOf(harness, harness.gateway.changeBalance(money))
    assertFailure(error, { outcome: 'unknown', reasons: ['session_lost'], sent: true })
    await assertLedgerHolds(harness, money, 0)
    harness.landNow()
    await assertLedgerHolds(harness, money, 1)
  })

  platformTest('of two concurrent withdrawals that exceed the balance together, one succeeds', async (harness) => {
    const wanted = { amount: '-600', refuseIfMarginTooLow: true }
    const results = await Promise.allSettled([
      harness.gateway.changeBalance(moneyFor(harness, wanted)),
      harness.gateway.changeBalance(moneyFor(harness, wanted)),
    ])
    assert.deepEqual(results.map((result) => result.status).sort(), ['fulfilled', 'rejected'])
    const refused = results.find((result) => result.status === 'rejected')
    assertFailure(refused?.reason, { outcome: 'rejected', reasons: ['insufficient_funds'], sent: true })
    assert.equal(Number((await harness.gateway.readAccount(harness.login)).balance), 400)
  })

  platformTest('the platform refuses a withdrawal into the margin of open positions', async (harness) => {
    const { balance, marginFree } = await harness.gateway.readAccount(harness.activeLogin)
    assert.ok(Number(marginFree) < Number(balance))
    const wanted = { login: harness.activeLogin, amount: `-${balance}`, refuseIfMarginTooLow: true }
    const error = await failureOf(harness, harness.gateway.changeBalance(moneyFor(harness, wanted)))
    assertFailure(error, { outcome: 'rejected', reasons: ['insufficient_funds'], sent: true })
  })

  platformTest('never withdraws the credit of an account, though it counts as free margin', async (harness) => {
    const { gateway, activeLogin: login } = harness
    await gateway.changeBalance(moneyFor(harness, { login, kind: 'credit', amount: '5000' }))
    const { balance, marginFree, credit } = await gateway.readAccount(login)
    const own = subtractAmounts(marginFree, credit)
    assert.ok(isMore(own, '0') && isMore(balance, own) && isMore(marginFree, balance))
    const tooMuch = moneyFor(harness, { login, amount: `-${balance}`, refuseIfMarginTooLow: true })
    const error = await failureOf(harness, gateway.changeBalance(tooMuch))
    assertFailure(error, { outcome: 'rejected', reasons: ['insufficient_funds'], sent: false })
    await assertLedgerHolds(harness, tooMuch, 0)
    const free = moneyFor(harness, { login, amount: `-${own}`, refuseIfMarginTooLow: true })
    await gateway.changeBalance(free)
    await assertLedgerHolds(harness, free, 1)
    // A deposit needs no margin.
    await gateway.changeBalance(moneyFor(harness, { login, amount: balance }))
  })

  platformTest('refuses invalid amounts before sending', async (harness) => {
    const before = harness.ledger(harness.login).length
    const cases: [string, GatewayError['reason']][] = [
      ['0.001', 'invalid_input'],
      ['0', 'invalid_input'],
      ['0.00', 'invalid_input'],
      ['1e3', 'invalid_input'],
      ['NaN', 'invalid_input'],
      ['', 'invalid_input'],
      ['1000000000.01', 'amount_limit'],
    ]
    for (const [amount, reason] of cases) {
      const error = await failureOf(harness, harness.gateway.changeBalance(moneyFor(harness, { amount })))
      assertFailure(error, { outcome: 'rejected', reasons: [reason], sent: false })
    }
    const untagged = { ...moneyFor(harness, {}), tag: 'not a tag' }
    assertFailure(await failureOf(harness, harness.gateway.changeBalance(untagged)), {
      outcome: 'rejected',
      sent: false,
    })
    assert.equal(harness.ledger(harness.login).length, before)
  })

  platformTest('refuses money for an unknown account', async (harness) => {
    const money = { ...moneyFor(harness, {}), login: harness.missingLogin }
    assertFailure(await failureOf(harness, harness.gateway.changeBalance(money)), {
      outcome: 'rejected',
      reasons: ['not_found'],
      sent: false,
    })
  })

  platformTest('refuses money for somebody else’s account with the same number', async (harness) => {
    const before = harness.ledger(harness.login).length
    const { registeredAt } = await harness.gateway.readAccount(harness.login)
    const ofAnother = moneyFor(harness, { registeredAt: registeredAt - 100 * 86_400 })
    const error = await failureOf(harness, harness.gateway.changeBalance(ofAnother))
    assertFailure(error, { outcome: 'rejected', reasons: ['not_found'], sent: false })
    assert.equal(harness.ledger(harness.login).length, before)
    await harness.gateway.changeBalance(moneyFor(harness, { registeredAt: registeredAt - 86_400 }))
    assert.equal(harness.ledger(harness.login).length, before + 1)
  })
}
