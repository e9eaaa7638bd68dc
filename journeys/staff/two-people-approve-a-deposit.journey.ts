import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright'
import { signIns } from '../../demo/harbour-markets.ts'
import { addStaff } from '../../tests/fixtures/workspaces.ts'
import { askToApprove, openAtDesk } from '../kit/deciding.ts'
import { makeDeposit } from '../kit/depositing.ts'
import { enterCredentials, signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

describe('two people approve a large deposit', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  async function requestLarge(): Promise<string> {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    return makeDeposit(page, { login: '700123', amount: '12000', comment: 'The house was sold' })
  }

  /** Another colleague at the desk, with this email address. */
  async function enterColleague(email: string): Promise<Page> {
    const made = await addStaff(testApp.system, { email, name: 'Vera Second' })
    const { page } = await testApp.visit()
    await page.goto('/desk/login')
    await enterCredentials(page, made)
    await expect(page.getByRole('list', { name: 'Deposits' })).toBeVisible()
    return page
  }

  it('one after the other: the first sees that a second approval is needed, the second has it credited', async () => {
    const ticket = await requestLarge()
    const { page } = await testApp.visit()
    await signInAsStaff(page)
    const deposit = await openAtDesk(page, ticket)
    await expect(deposit.getByText('0 of 2 approvals')).toBeVisible()
    const dialog = await askToApprove(page, ticket)
    await dialog.getByRole('button', { name: 'Approve (first of two)' }).click()
    await expect(page.getByText(`T-${ticket} needs one more approval.`)).toBeVisible()
    await expect(deposit.getByText('1 of 2 approvals')).toBeVisible()
    await expect(deposit.getByText('You have approved it already.')).toBeVisible()
    await expect(deposit.getByRole('button', { name: 'Approve' })).toBeDisabled()
    await page.keyboard.press('a')
    await expect(page.getByRole('dialog')).toHaveCount(0)

    const second = await enterColleague('vera@harbour.test')
    const same = await openAtDesk(second, ticket)
    await expect(same.getByText('Waiting for a second approval.')).toBeVisible()
    const last = await askToApprove(second, ticket)
    await last.getByRole('button', { name: 'Approve and credit' }).click()
    await expect(last).toBeHidden()
    await second.goto(`/desk/deposits?state=approved&q=${ticket}`)
    await openAtDesk(second, ticket)
    await expect(second.getByText('First approval, a second one is needed')).toBeVisible()
  })

  it('nobody can approve their own money', async () => {
    const ticket = await requestLarge()
    const page = await enterColleague(signIns.member)
    const deposit = await openAtDesk(page, ticket)
    await expect(deposit.getByText('This is your own money, so a colleague has to decide.')).toBeVisible()
    for (const name of ['Approve', 'Reject']) await expect(deposit.getByRole('button', { name })).toBeDisabled()
    for (const key of ['a', 'r']) await page.keyboard.press(key)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
})
