import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { addMember } from '../../tests/fixtures/workspaces.ts'
import { expectRisen, readBalance } from '../kit/balances.ts'
import { approve, openAtDesk } from '../kit/deciding.ts'
import { makeDeposit } from '../kit/depositing.ts'
import { enterCredentials, signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

/** Both workspaces have a member with the same email and password, and an account with the same login. */
describe('two brokerages on one server', () => {
  let one: TestApp
  let other: TestApp
  before(async () => {
    one = await openTestApp()
    other = await openTestApp()
  })
  afterEach(async () => {
    await one.endVisits()
    await other.endVisits()
  })
  after(async () => {
    await one.close()
    await other.close()
  })

  it('let in only their own members and reject sessions of the other', async () => {
    const own = await addMember(one.system)
    const elsewhere = await other.visit()
    elsewhere.expectStatus(401)
    await elsewhere.page.goto('/login')
    await enterCredentials(elsewhere.page, own)
    await expect(elsewhere.page.getByText(sessionTexts.loginWrong)).toBeVisible()
    const { page } = await one.visit()
    await page.goto('/login')
    await enterCredentials(page, own)
    await expect(page).toHaveURL(/\/home\/?$/)
    const stored = await page.evaluate<string>("sessionStorage.getItem('atrium.portal.session')")
    const token = stored.split(' ')[1] ?? ''
    assert.equal(await one.statusWith(token), 200)
    assert.equal(await other.statusWith(token), 401)
  })

  it('credit a deposit only in the workspace where it was made', async () => {
    const { page } = await one.visit()
    const { page: elsewhere } = await other.visit()
    for (const each of [page, elsewhere]) await signInAsMember(each)
    const before = await readBalance(elsewhere, '700123')
    const ticket = await makeDeposit(page, { login: '700123', amount: '41.17', comment: 'For one of two' })
    const { page: otherDesk } = await other.visit()
    await signInAsStaff(otherDesk)
    await expect(otherDesk.getByRole('link', { name: new RegExp(`T-${ticket}\\b`) })).toHaveCount(0)
    const { page: desk } = await one.visit()
    await signInAsStaff(desk)
    await openAtDesk(desk, ticket)
    await approve(desk, ticket)
    await expectRisen(page, '700123', { from: before, by: '41.17' })
    assert.equal(await readBalance(elsewhere, '700123'), before)
  })
})
