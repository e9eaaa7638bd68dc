// spec: AO 4, AO 7
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { isSame } from '@atrium/contract/money/money.ts'
import { expectRisen, readBalance } from '../kit/balances.ts'
import { approve, askToApprove, openAtDesk } from '../kit/deciding.ts'
import {
  acceptCreated,
  depositForm,
  fillDeposit,
  makeDeposit,
  openTransaction,
  transactionRow,
} from '../kit/depositing.ts'
import { signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

const login = '700123'

describe('money moves once, despite concurrent actions and platform failures', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  const creditsOf = (wanted: string): number =>
    testApp.platform.ledger(login).filter(({ amount }) => isSame(amount, wanted)).length

  async function memberPage() {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    return page
  }

  async function staffPage() {
    const visit = await testApp.visit()
    await signInAsStaff(visit.page)
    return visit
  }

  it('lets one of two concurrent approvals win and notifies the other', async () => {
    const member = await memberPage()
    const before = await readBalance(member, login)
    const ticket = await makeDeposit(member, { login, amount: '310.17', comment: 'Seen by two at once' })
    const desks = await Promise.all([staffPage(), staffPage()])
    const dialogs = await Promise.all(
      desks.map(async ({ page, expectStatus }) => {
        expectStatus(409)
        await openAtDesk(page, ticket)
        return askToApprove(page, ticket)
      }),
    )
    // Watches from the start: the first message is visible for five seconds, whenever the other response arrives.
    const [late, approved] = ['The deposit was already decided. This decision was not saved.', `T-${ticket} approved.`]
    const outcomes = desks.map(async ({ page }) => {
      const word = page.getByText(late).or(page.getByText(approved)).first()
      await word.waitFor()
      return (await word.textContent())?.startsWith(approved) ? 'won' : 'notified'
    })
    await Promise.all(dialogs.map((dialog) => dialog.getByRole('button', { name: 'Approve and credit' }).click()))
    assert.deepEqual((await Promise.all(outcomes)).toSorted(), ['notified', 'won'])
    for (const dialog of dialogs) await expect(dialog).toBeHidden()
    await expectRisen(member, login, { from: before, by: '310.17' })
    assert.equal(creditsOf('310.17'), 1)
  })

  it('creates one deposit for two clicks on Create deposit', async () => {
    const member = await memberPage()
    await fillDeposit(member, { login, amount: '41.11', comment: 'Clicked twice' })
    await depositForm(member).create.dblclick()
    const ticket = await acceptCreated(member)
    await expect(transactionRow(member, ticket)).toContainText('+41.11')
    await expect(member.getByRole('row').filter({ hasText: '+41.11' })).toHaveCount(1)
  })

  it('creates each deposit once when the same form is sent from two tabs', async () => {
    const visit = await testApp.visit()
    await signInAsMember(visit.page)
    const second = await visit.newTab()
    await signInAsMember(second) // Each tab has its own session.
    const wanted = { login, amount: '52.22', comment: 'From two tabs' }
    await fillDeposit(visit.page, wanted)
    await fillDeposit(second, wanted)
    const tickets = []
    for (const tab of [visit.page, second]) {
      await depositForm(tab).create.dblclick()
      tickets.push(await acceptCreated(tab))
    }
    assert.notEqual(tickets[0], tickets[1])
    await expect(second.getByRole('row').filter({ hasText: '+52.22' })).toHaveCount(2)
  })

  it('creates one deposit when it is resent after a lost response', async () => {
    const visit = await testApp.visit()
    const { page } = visit
    await signInAsMember(page)
    await fillDeposit(page, { login, amount: '63.33', comment: 'The line broke' })
    visit.expectFailure('net::ERR_FAILED')
    await page.route('**/members/deposits/create', async (route) => {
      await route.fetch() // The request is processed; only its response is lost.
      await route.abort()
    })
    await depositForm(page).create.click()
    await expect(page.getByRole('alert')).toContainText('it can only be created once')
    await page.unroute('**/members/deposits/create')
    await depositForm(page).create.click()
    const ticket = await acceptCreated(page)
    await expect(transactionRow(page, ticket)).toContainText('+63.33')
    await expect(page.getByRole('row').filter({ hasText: '+63.33' })).toHaveCount(1)
  })

  it('shows a deposit as verifying, then approved and credited once, when the platform credits and disconnects', async () => {
    const member = await memberPage()
    const before = await readBalance(member, login)
    const ticket = await makeDeposit(member, { login, amount: '420.42', comment: 'Before the line broke' })
    testApp.platform.addFault({ path: '/api/trade/balance', times: 1, kind: 'execute-then-drop' })
    // The platform's history is also unavailable until the member has seen the state.
    testApp.platform.addFault({ path: '/api/deal/*', times: 1_000, kind: 'drop-before' })
    const { page: desk } = await staffPage()
    await openAtDesk(desk, ticket)
    await approve(desk, ticket)
    const detail = await openTransaction(member, ticket)
    await expect(detail).toContainText('Verifying')
    await expect(detail).toContainText('We make sure that it is credited exactly once; no action needed')
    assert.equal(creditsOf('420.42'), 1)
    testApp.platform.clearFaults()
    await expect(detail).toContainText('Credited to your trading account', { timeout: 60_000 })
    await expect(detail).toContainText('Approved')
    await expectRisen(member, login, { from: before, by: '420.42' })
    assert.equal(creditsOf('420.42'), 1)
  })
})
