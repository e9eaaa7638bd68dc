import assert from 'node:assert/strict'
import { collect } from '../../tests/fixtures/trading/trading-platforms.ts'
import { carriesTag } from './intent-tag.ts'
import { assertFailure, failureOf, moneyFor, newAccount, type PlatformTest } from './platform-under-test.ts'

/** Reading accounts, their metrics, positions and deals. */
export function testReading(platformTest: PlatformTest): void {
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
    const active = await harness.gateway.readAccount(harness.activeLogin)
    assert.deepEqual(accounts.get(harness.activeLogin), active)
    const listed = (await collect(harness.gateway.listAccounts([active.group]))).flat()
    assert.equal(listed.find(({ login }) => login === harness.activeLogin)?.registeredAt, active.registeredAt)
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
}
