import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { isSame } from '@atrium/contract/money/money.ts'
import { accountRow, expectRisen, readBalance } from '../kit/balances.ts'
import { approve, openAtDesk } from '../kit/deciding.ts'
import { makeDeposit, transactionRow } from '../kit/depositing.ts'
import { signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

const login = '400310'

describe('a member funds an account on MetaTrader 4 while the MetaTrader 5 server is down', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  it('credits it once although the first response was lost', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    const before = await readBalance(page, login)
    await expect(accountRow(page, login)).toContainText('MT4')
    await testApp.platform.down()
    const ticket = await makeDeposit(page, { login, amount: '81.17', comment: 'For the account on MT4' })
    const path = 'POST /v1/accounts/{login}/balance-operations'
    testApp.bridge.addFault({ path, times: 1, kind: 'execute-then-drop' })

    const desk = (await testApp.visit()).page
    await signInAsStaff(desk)
    await openAtDesk(desk, ticket)
    await approve(desk, ticket)
    await expect(transactionRow(page, ticket)).toContainText('Approved', { timeout: 60_000 })
    const credits = testApp.bridge.ledger(login).filter(({ amount }) => isSame(amount, '81.17'))
    assert.equal(credits.length, 1)
    await expectRisen(page, login, { from: before, by: '81.17' })
  })
})
