import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { inspect } from 'node:util'
import { isMore, subtractAmounts } from '@atrium/contract/money/money.ts'
import { collect, type FakeTime, until } from '../../tests/fixtures/trading/trading-platforms.ts'
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

const HOUR = 3_600_000

/** The tests that every adapter passes against its simulator. */
export function testPlatform(name: string, start: () => Promise<PlatformHarness>): void {
  const platformTest = (title: string, work: (harness: PlatformHarness, context: TestContext) => Promise<void>) =>
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

  platformTest('opens an account and reads it back', async (harness) => {
    const { login } = await harness.gateway.openAccount(newAccount(harness))
    const account = await harness.gateway.readAccount(login)
    assert.equal(account.group, harness.group)
    assert.equal(account.leverage, 100)
    assert.deepEqual([account.enabled, account.tradingAllowed, account.passwordChangeAllowed], [true, true, true])
    assert.equal(await harness.gateway.checkPassword(login, 'main', 'Qa7#mPz2'), true)
    assert.equal(await harness.gateway.checkPassword(login, 'main', 'Qa7#mPz3'), false)
    assert.equal(await harness.gateway.checkPassword(login, 'investor', 'v9!TxR4kLw2@Zb6'), true)
  })

  platformTest('compares every field that opening writes, and names one stored differently', async (harness) => {
    const { gateway } = harness
    const fields = Object.entries(harness.written) as [WrittenField, { name: string; instead: string }][]
    assert.ok(fields.length >= 11)
    const same = wholeAccount(harness)
    assert.deepEqual(await gateway.compareAccount((await gateway.openAccount(same)).login, same), [])
    for (const [field, { name, instead }] of fields)
      for (const value of field === 'group' ? [instead] : [instead, '']) {
        if (value === '' && ['leverage', 'rights', 'name'].includes(field)) continue
        harness.alter({ [name]: value })
        const wanted = wholeAccount(harness)
        const before = harness.accountsOf(harness.group)
        const { login } = await gateway.openAccount(wanted)
        assert.deepEqual(await gateway.compareAccount(login, wanted), [field], `${field} kept as "${value}"`)
        // It was opened once, regardless of its fields.
        assert.equal(harness.accountsOf(harness.group), before + (field === 'group' ? 0 : 1))
        harness.alter({})
      }
  })

  platformTest('reports no difference for texts cut at a limit or trimmed', async (harness) => {
    const long = (letter: string) => `${letter.repeat(200)}  `
    const texts = { firstName: long('A'), lastName: long('B'), phone: long('1'), country: long('C'), city: long('D') }
    const wanted = { ...wholeAccount(harness), ...texts, state: long('E'), zip: long('2'), address: ` \t${long('F')}` }
    const { login } = await harness.gateway.openAccount(wanted)
    assert.deepEqual(await harness.gateway.compareAccount(login, wanted), [])
    const missing = await failureOf(harness, harness.gateway.compareAccount(harness.missingLogin, wanted))
    assertFailure(missing, { outcome: 'rejected', reasons: ['not_found'] })
  })

  platformTest('updates a person, repeatedly, and leaves omitted fields', async (harness) => {
    const { gateway, missingLogin } = harness
    const opened = wholeAccount(harness)
    const { login } = await gateway.openAccount(opened)
    const person = {
      firstName: 'Grace',
      lastName: 'Othername',
      email: 'grace.other@example.test',
      phone: '+356 2100 1111',
    }
    assert.ok((await gateway.compareAccount(login, person)).includes('email'))
    for (const _again of [1, 2]) await gateway.changePerson(login, person)
    assert.deepEqual(await gateway.compareAccount(login, person), [])
    assert.deepEqual(await gateway.compareAccount(login, { ...opened, ...person }), [])
    harness.alter({ [harness.written.email?.name ?? '']: 'ada@example.test' })
    await gateway.changePerson(login, person)
    assert.deepEqual(await gateway.compareAccount(login, person), ['email'])
    harness.alter({})
    const missing = await failureOf(harness, gateway.changePerson(missingLogin, person))
    assertFailure(missing, { outcome: 'rejected', reasons: ['not_found'] })
  })

  platformTest('reports a flag that the platform did not change, and names it in the log', async (harness) => {
    harness.alter(harness.keepsTrading)
    const kept = await failureOf(harness, harness.gateway.setAccess(harness.login, { tradingAllowed: false }))
    assertFailure(kept, { outcome: 'rejected', reasons: ['not_permitted'] })
    assert.match(harness.logLines.join('\n'), /platform\.account-differs/)
  })

  platformTest('finds an account by its tag after a lost answer, and there is one', async (harness) => {
    const wanted = newAccount(harness)
    const before = harness.accountsOf(harness.group)
    harness.breakNext('openAccount', 'execute-then-drop')
    assertFailure(await failureOf(harness, harness.gateway.openAccount(wanted)), { outcome: 'unknown', sent: true })
    const login = await harness.gateway.findAccountByTag(wanted.tag, { group: harness.group })
    assert.notEqual(login, null)
    assert.equal(harness.accountsOf(harness.group), before + 1)
    assert.equal(await harness.gateway.findAccountByTag(makeIntentTag(), { group: harness.group }), null)
    assert.equal(
      await harness.gateway.findAccountByTag(wanted.tag, { group: harness.group, afterLogin: login ?? '' }),
      null,
    )
  })

  platformTest(
    'an account with a login of ours, the answer lost: the second try leads to the same account',
    async (harness) => {
      const first = await harness.gateway.openAccount(newAccount(harness))
      const wanted = { ...newAccount(harness), login: String(BigInt(first.login) + 5n) }
      harness.breakNext('openAccount', 'execute-then-drop')
      await failureOf(harness, harness.gateway.openAccount(wanted))
      const again = harness.gateway.openAccount(wanted)
      if (harness.remembersCalls) assert.deepEqual(await again, { login: wanted.login })
      else assertFailure(await failureOf(harness, again), { outcome: 'rejected', reasons: ['already_exists'] })
      assert.equal(await harness.gateway.findAccountByTag(wanted.tag, { group: harness.group }), wanted.login)
    },
  )

  platformTest(
    'a password set and the answer lost is resolved by a check; a weak one is a field error',
    async (harness) => {
      const { login } = await harness.gateway.openAccount(newAccount(harness))
      harness.breakNext('setPassword', 'execute-then-drop')
      const lost = await failureOf(harness, harness.gateway.setPassword(login, 'main', 'Nw5%qLz8'))
      assertFailure(lost, { outcome: 'unknown', sent: true })
      assert.equal(await harness.gateway.checkPassword(login, 'main', 'Nw5%qLz8'), true)
      for (const password of harness.weakPasswords) {
        const weak = await failureOf(harness, harness.gateway.setPassword(login, 'main', password))
        assertFailure(weak, { outcome: 'rejected', reasons: ['weak_password'] })
      }
      assert.equal(await harness.gateway.checkPassword(login, 'main', 'Nw5%qLz8'), true)
    },
  )

  platformTest('changes one flag of an account, leaves the others, and repeating it is a no-op', async (harness) => {
    const { gateway, login } = harness
    const flags = async () => {
      const { enabled, tradingAllowed, passwordChangeAllowed } = await gateway.readAccount(login)
      return [enabled, tradingAllowed, passwordChangeAllowed]
    }
    assert.deepEqual(await flags(), [true, true, true])
    for (const again of [1, 2]) {
      await gateway.setAccess(login, { tradingAllowed: false })
      assert.deepEqual(await flags(), [true, false, true], `time ${again}`)
    }
    await gateway.setAccess(login, { passwordChangeAllowed: false, tradingAllowed: true })
    assert.deepEqual(await flags(), [true, true, false])
    await gateway.setAccess(login, { enabled: false })
    assert.deepEqual(await flags(), [false, true, false])
    await gateway.setAccess(login, { enabled: true, passwordChangeAllowed: true })
    assert.deepEqual(await flags(), [true, true, true])
  })

  platformTest('refuses flags for an unknown account and an empty change', async (harness) => {
    const { gateway, login, missingLogin } = harness
    const missing = await failureOf(harness, gateway.setAccess(missingLogin, { enabled: false }))
    assertFailure(missing, { outcome: 'rejected', reasons: ['not_found'] })
    const empty = await failureOf(harness, gateway.setAccess(login, {}))
    assertFailure(empty, { outcome: 'rejected', reasons: ['invalid_input'], sent: false })
  })

  platformTest('lists every account of a group once, with its owner and settings, and no password', async (harness) => {
    const { gateway, group } = harness
    const opened = newAccount(harness)
    const { login } = await gateway.openAccount(opened)
    const listed = (await collect(gateway.listAccounts([group]))).flat()
    assert.equal(listed.length, harness.accountsOf(group))
    assert.equal(new Set(listed.map((account) => account.login)).size, listed.length)
    const own = listed.find((account) => account.login === login)
    assert.deepEqual([own?.email, own?.name, own?.group], [opened.email, 'Grace Secretname', group])
    assert.deepEqual([own?.leverage, Number(own?.balance), own?.enabled], [100, 0, true])
    assert.ok(carriesTag(own?.comment ?? '', opened.tag))
    assert.ok(Math.abs((own?.registeredAt ?? 0) - harness.time.now() / 1000) < 2)
    for (const account of listed) assert.ok(!('password' in account))
    for (const password of [opened.mainPassword, opened.investorPassword]) {
      assert.ok(!JSON.stringify(listed).includes(password))
    }
  })

  platformTest('selects groups by name or mask, and reads no others', async (harness) => {
    const { gateway, group, login } = harness
    const mask = `${group.slice(0, 4)}*`
    const byMask = (await collect(gateway.listAccounts([mask, group]))).flat()
    assert.ok(byMask.some((account) => account.login === login))
    assert.equal(new Set(byMask.map((account) => account.login)).size, byMask.length)
    assert.deepEqual((await collect(gateway.listAccounts(['nobody*', 'managers']))).flat(), [])
    assert.deepEqual((await collect(gateway.listAccounts([]))).flat(), [])
  })

  platformTest('signs in again for a listing after a lost session, and reports one that fails', async (harness) => {
    harness.hangUp()
    assert.ok((await collect(harness.gateway.listAccounts([harness.group]))).flat().length > 0)
    await harness.gateway.close()
    const error = await failureOf(harness, collect(harness.gateway.listAccounts([harness.group])))
    assertFailure(error, { outcome: 'not_executed', reasons: ['shutdown'] })
  })

  platformTest('a dormant account shows the metrics of its record', async (harness) => {
    const account = await harness.gateway.readAccount(harness.dormant.login)
    assert.equal(account.source, 'record')
    assert.equal(account.balance, harness.dormant.balance)
    assert.deepEqual([account.equity, Number(account.floating), account.marginLevel], [account.balance, 0, null])
  })

  platformTest('reads many accounts in one call, and omits unknown ones', async (harness) => {
    const logins = [harness.login, harness.activeLogin, harness.dormant.login, harness.missingLogin]
    const accounts = await harness.gateway.readAccounts(logins)
    assert.deepEqual([...accounts.keys()].sort(), logins.slice(0, 3).sort())
    assert.equal(accounts.get(harness.activeLogin)?.source, 'live')
    assert.deepEqual(accounts.get(harness.activeLogin), await harness.gateway.readAccount(harness.activeLogin))
    assert.equal(accounts.get(harness.dormant.login)?.source, 'record')
    assert.deepEqual(await harness.gateway.readAccounts([]), new Map())
  })

  platformTest('lists 250 deals while new ones arrive: complete, none twice, oldest first', async (harness) => {
    harness.addDeals(harness.login, 250)
    const to = Math.floor(harness.time.now() / 1000)
    const deals: string[] = []
    const reading = harness.gateway.listDeals(harness.login, to - 90 * 86_400, to)
    const ledgerBefore = harness.ledger(harness.login).map((deal) => deal.ticket)
    const arriving = harness.gateway.changeBalance(moneyFor(harness, { amount: '1' }))
    let last = 0
    for await (const deal of reading) {
      assert.ok(deal.at >= last)
      last = deal.at
      deals.push(deal.id)
      assert.equal(deal.isTrade, deal.cmd === 'OP_BUY' || deal.cmd === 'OP_SELL')
    }
    await arriving
    assert.equal(new Set(deals).size, deals.length)
    assert.ok(deals.length > 250)
    for (const ticket of ledgerBefore) assert.ok(deals.includes(ticket), `deal ${ticket} is missing`)
  })

  platformTest('an account that the platform no longer has is no account without deals', async (harness) => {
    const now = Math.floor(harness.time.now() / 1000)
    const gone = collect(harness.gateway.listDeals(harness.missingLogin, now - 86_400, now))
    assertFailure(await failureOf(harness, gone), { outcome: 'rejected', reasons: ['not_found'] })
    assert.deepEqual(await collect(harness.gateway.listDeals(harness.login, now + 1, now + 2)), [])
  })

  platformTest("returns a volume in lots and in hundredths, whatever the platform's unit", async (harness) => {
    const [position] = await harness.gateway.listPositions(harness.activeLogin)
    assert.deepEqual([position?.lots, position?.hundredths, position?.side], ['0.1', '10', 'buy'])
    const now = Math.floor(harness.time.now() / 1000)
    const deals = await collect(harness.gateway.listDeals(harness.activeLogin, now - 90 * 86_400, now))
    const closing = deals.filter((deal) => deal.isTrade && deal.entry === 1)
    assert.deepEqual(
      closing.map(({ lots, hundredths, profit, openPrice, price }) => [
        lots,
        hundredths,
        Number(profit),
        openPrice,
        price,
      ]),
      [['1.05', '105', 262.5, '1.08100', '1.08350']],
    )
    const day = 86_400
    assert.deepEqual(
      closing.map(({ at, openedAt }) => [now - at, openedAt === null ? null : now - openedAt]),
      [[8 * day, 9 * day]],
    )
    // No screen may show it as open, which is 0 on MT4.
    for (const { state, isTrade } of deals) assert.ok(!isTrade || state > 0)
  })

  platformTest('a balance operation is in the history and is no trade', async (harness) => {
    const receipt = await harness.gateway.changeBalance(moneyFor(harness, { amount: '3' }))
    const now = Math.floor(harness.time.now() / 1000)
    const deals = await collect(harness.gateway.listDeals(harness.login, now - 60, now + 60))
    const deal = deals.find((one) => one.id === receipt.ticket)
    assert.deepEqual([deal?.isTrade, deal?.cmd, deal?.at, Number(deal?.profit)], [false, 'OP_BALANCE', now, 3])
    assert.deepEqual(await collect(harness.gateway.listDeals(harness.login, now + 1, now + 60)), [])
  })

  platformTest('signs in again after a lost session, for reads and for balance operations', async (harness) => {
    await harness.gateway.readAccount(harness.login)
    harness.hangUp()
    assert.equal((await harness.gateway.readAccount(harness.login)).login, harness.login)
    harness.hangUp()
    await harness.gateway.health()
    await harness.gateway.changeBalance(moneyFor(harness, { amount: '5' }))
  })

  platformTest('groups carry their currency', async (harness) => {
    const group = (await harness.gateway.listGroups()).find((one) => one.name === harness.group)
    assert.equal(group?.currencyDigits, 2)
    assert.match(group?.currency ?? '', /^[A-Z]{3}$/)
  })

  platformTest('finds one group by its exact name only', async (harness) => {
    const listed = (await harness.gateway.listGroups()).find((one) => one.name === harness.group)
    assert.deepEqual(await harness.gateway.findGroup(harness.group), listed)
    for (const name of [harness.group.toUpperCase(), 'made-up', '*', 'manager'])
      assert.equal(await harness.gateway.findGroup(name), null, name)
  })

  platformTest('is healthy, and the platform clock is within a day of ours', async (harness) => {
    const health = await harness.gateway.health()
    assert.deepEqual([health.reachable, health.authenticated, health.problems], [true, true, []])
    const { utcOffsetSeconds } = await harness.gateway.serverClock()
    assert.ok(Math.abs(utcOffsetSeconds) <= 14 * 3600)
    const capabilities = await harness.gateway.capabilities()
    assert.ok(capabilities.commentChars >= 17)
  })

  platformTest('a closed gateway refuses calls, and closing twice is a no-op', async (harness) => {
    await harness.gateway.readAccount(harness.login)
    await harness.gateway.close()
    await harness.gateway.close()
    const error = await failureOf(harness, harness.gateway.changeBalance(moneyFor(harness, {})))
    assertFailure(error, { outcome: 'not_executed', reasons: ['shutdown'], sent: false })
  })
}

function moneyFor(harness: PlatformHarness, change: Partial<ChangeBalance>): ChangeBalance {
  const usual = {
    kind: 'balance',
    amount: '10',
    currency: 'USD',
    note: 'Deposit',
    refuseIfMarginTooLow: false,
  } as const
  return { tag: makeIntentTag(), login: harness.login, ...usual, ...change }
}

function newAccount(harness: PlatformHarness): OpenAccount {
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
function wholeAccount(harness: PlatformHarness): OpenAccount {
  const address = {
    country: 'Malta',
    city: 'Valletta',
    state: 'South Eastern',
    zip: 'VLT 1117',
    address: '1 Harbour Road',
  }
  return { ...newAccount(harness), ...address }
}

async function failureOf(harness: PlatformHarness, promise: Promise<unknown>): Promise<GatewayError> {
  const error = await promise.then(
    () => assert.fail('It should have failed'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof GatewayError, inspect(error))
  assertNothingLeaked(harness, inspect(error, { depth: 10 }))
  return error
}

function assertFailure(error: GatewayError, expected: { outcome: string; reasons?: string[]; sent?: boolean }): void {
  assert.equal(error.outcome, expected.outcome)
  if (expected.reasons !== undefined) assert.ok(expected.reasons.includes(error.reason), error.reason)
  if (expected.sent !== undefined) assert.equal(error.sent, expected.sent)
}

/** Compares the look-up with the ledger too, because an empty look-up proves nothing by itself. */
async function assertLedgerHolds(harness: PlatformHarness, money: ChangeBalance, count: 0 | 1): Promise<void> {
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
