// spec: MP 3, MP 8, AO 2.1, AO 3, AO 7
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { Page } from 'playwright'
import { demoPassword, signIns } from '../../demo/harbour-markets.ts'
import { inTransaction, reading } from '../../server/foundation/database/database.ts'
import { enterCredentials, signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect, type Visit } from '../kit/visit.ts'
import { fillWithdrawal, withdrawalForm } from '../kit/withdrawing.ts'

const sessionKey = 'atrium.portal.session'
const keptIn = (page: Page): Promise<string | null> => page.evaluate(`sessionStorage.getItem('${sessionKey}')`)
const tokenOf = async (page: Page): Promise<string> => (await keptIn(page))?.split(' ')[1] ?? ''

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Profile menu of / }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
}

describe('a session in several tabs', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  /** Imitates "open in a new tab": the new tab starts with a copy of the session storage. */
  async function openBeside({ page, context }: Visit, path: string): Promise<Page> {
    const [beside] = await Promise.all([context.waitForEvent('page'), page.evaluate(`void window.open('${path}')`)])
    await beside.waitForLoadState()
    return beside
  }

  for (const path of ['/funds/transactions', '/accounts'])
    it(`signing out in one tab ends the other at ${path}`, async () => {
      const visit = await testApp.visit()
      await signInAsMember(visit.page)
      const beside = await openBeside(visit, path)
      await expect(beside.locator('main')).toContainText('700123')
      // Open event streams may receive the end before their page is left.
      visit.expectStatus(401)
      await logOut(visit.page)
      await expectSignedOut(beside, '700123')
      await expect(beside.getByText('You signed out in another tab.')).toBeVisible()
    })

  it('continues in a new tab without a password, and keeps nothing in storage that outlives the tabs', async () => {
    const visit = await testApp.visit()
    await signInAsMember(visit.page)
    const beside = await visit.newTab()
    await beside.goto('/funds/transactions?status=approved')
    await expect(beside.getByRole('table', { name: 'Transactions' })).toContainText('700123')
    await expect(beside).toHaveURL(/\/funds\/transactions\?status=approved$/)
    const token = await tokenOf(visit.page)
    assert.equal(await tokenOf(beside), token)
    assert.ok(!(await beside.evaluate<string>('JSON.stringify({ ...localStorage }) + document.cookie')).includes(token))
    const cookies = await visit.context.cookies()
    assert.ok(cookies.every(({ value }) => !value.includes(token)))
    visit.expectStatus(401)
    await logOut(beside)
    await expectSignedOut(visit.page, 'Amelia')
    const next = await visit.newTab()
    await next.goto('/funds/transactions')
    await expect(next).toHaveURL(/\/login$/)
    assert.equal(await testApp.statusWith(token), 401)
  })

  const endSessions = () =>
    inTransaction(testApp.system, (tx) =>
      tx
        .updateTable('sessions')
        .set({ ended_at: testApp.system.context.clock.now() })
        .where('workspace_id', '=', testApp.system.workspaceId)
        .where('ended_at', 'is', null)
        .execute(),
    )
  const countTransactions = () =>
    reading(testApp.system, async (tx) => {
      const rows = tx.selectFrom('balance_transactions').where('workspace_id', '=', testApp.system.workspaceId)
      return Number((await rows.select(tx.fn.countAll().as('count')).executeTakeFirstOrThrow()).count)
    })

  async function expectSignedOut(page: Page, shown: string): Promise<void> {
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.locator('body')).not.toContainText(shown)
    assert.equal(await keptIn(page), null)
  }

  it('stays separate for two people in two tabs', async () => {
    const visit = await testApp.visit()
    await signInAsMember(visit.page)
    const other = await visit.newTab()
    await signInAsMember(other, 'second')
    await visit.page.goto('/accounts')
    await other.goto('/accounts')
    await expect(visit.page.getByRole('table', { name: 'Trading accounts' })).toContainText('700123')
    await expect(other.getByRole('table', { name: 'Trading accounts' })).toContainText('700207')
    await expect(other.locator('body')).not.toContainText('700123')
    // Only the person can decide which session a third tab gets, so it shows the sign-in page.
    const further = await visit.newTab()
    await further.goto('/accounts')
    await expect(further).toHaveURL(/\/login$/)
    await logOut(other)
    await expect(other).toHaveURL(/\/login$/)
    await visit.page.reload()
    await expect(visit.page.getByRole('table', { name: 'Trading accounts' })).toContainText('700123')
  })

  it('explains its end, and offers an unfinished withdrawal only to its member without sending it', async () => {
    const visit = await testApp.visit()
    const { page } = visit
    const { amount, comment, beneficiaryAccount, create } = withdrawalForm(page)
    const offer = page.getByRole('button', { name: 'Restore my entries' })
    const endAndSend = async () => {
      visit.expectStatus(401)
      await endSessions()
      // The page may detect the end before the click and navigate away.
      const isPressed = await create.click({ timeout: 5_000 }).then(
        () => true,
        () => false,
      )
      await expect(page, isPressed ? 'pressed' : 'left before').toHaveURL(/\/login$/)
      await expect(page.getByText(sessionTexts.sessionEndedElsewhere)).toBeVisible()
      await expect(page.locator('body')).not.toContainText('Banca Adriatica')
    }
    const before = await countTransactions()
    await signInAsMember(page)
    await fillWithdrawal(page, { login: '700123', amount: '34', comment: 'For the roof' })
    await endAndSend()
    await enterCredentials(page, { email: signIns.member, password: demoPassword })
    await expect(page).toHaveURL(/\/funds\/withdraw\//)
    await expect(amount).toHaveValue('')
    await offer.click()
    await expect(amount).toHaveValue('34')
    await expect(comment).toHaveValue('For the roof')
    await expect(beneficiaryAccount).toHaveValue(/Banca Adriatica/)
    await expect(offer).toHaveCount(0)

    await endAndSend()
    await enterCredentials(page, { email: signIns.second, password: demoPassword })
    await expect(page).toHaveURL(/\/funds\/withdraw\//)
    await expect(amount).toHaveValue('')
    await expect(offer).toHaveCount(0)
    assert.equal(await countTransactions(), before)
  })

  it("ends when the tab finds another person's session than the one signed in here", async () => {
    const visit = await testApp.visit()
    const { page } = visit
    await signInAsMember(page)
    const token = await tokenOf(page)
    await page.evaluate(`sessionStorage.setItem('${sessionKey}', '0190a0b0-0000-7000-8000-000000000001 ${token}')`)
    await page.goto('/funds/transactions?status=rejected')
    await expect(page).toHaveURL(/\/login$/)
    assert.equal(await keptIn(page), null)
    await enterCredentials(page, { email: signIns.member, password: demoPassword })
    // Returns to the same page without the other person's search.
    await expect(page).toHaveURL(/\/funds\/transactions$/)
  })

  for (const [how, fail] of [
    ['the network is away', 'net::ERR_FAILED'],
    ['the server has a fault', null],
  ] as const) {
    it(`leaves no data in the browser even though ${how} while signing out`, async () => {
      const visit = await testApp.visit()
      const { page } = visit
      await signInAsMember(page)
      await page.goto('/funds/transactions')
      await expect(page.getByRole('table', { name: 'Transactions' })).toContainText('+1,200.00')
      const token = await tokenOf(page)
      if (fail) visit.expectFailure(fail)
      else visit.expectStatus(500)
      const fault = { status: 'error', code: 'fault', error: texts.requestFailed, request_id: 'none' }
      await page.route('**/users/logout', (route) =>
        fail ? route.abort() : route.fulfill({ status: 500, json: fault }),
      )
      await logOut(page)
      await expect(page).toHaveURL(/\/login$/)
      const stored: string[] = await page.evaluate('Object.keys(sessionStorage)')
      assert.deepEqual(
        stored.filter((key) => key.startsWith('atrium.portal')),
        ['atrium.portal.left'],
      )
      await page.goBack()
      await expect(page).toHaveURL(/\/login$/)
      await expect(page.locator('body')).not.toContainText('1,200.00')
      await enterCredentials(page, { email: signIns.second, password: demoPassword })
      await expect(page).toHaveURL(/\/funds\/transactions|\/home/)
      await expect(page.locator('body')).not.toContainText('Amelia')
      assert.equal(await testApp.statusWith(token), 200)
      await page.unroute('**/users/logout')
      await page.evaluate("dispatchEvent(new Event('online'))")
      await expect.poll(() => testApp.statusWith(token)).toBe(401)
      assert.equal(await testApp.statusWith(await tokenOf(page)), 200)
    })
  }
})
