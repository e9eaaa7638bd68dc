import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { texts } from '@atrium/contract/texts.ts'
import type { Page } from 'playwright'
import { demoPassword, signIns } from '../demo/harbour-markets.ts'
import { enterCredentials, signInAsMember } from './people.ts'
import { openStage, type Stage } from './stage.ts'
import { expect, type Visit, withoutLiveFigures } from './visit.ts'

const sessionKey = 'atrium.portal.session'
const keptIn = (page: Page): Promise<string | null> => page.evaluate(`sessionStorage.getItem('${sessionKey}')`)
const tokenOf = async (page: Page): Promise<string> => (await keptIn(page))?.split(' ')[1] ?? ''

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Profile menu of / }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
}

describe('a session in several tabs and at its end', () => {
  let stage: Stage
  before(async () => {
    stage = await openStage()
  })
  afterEach(() => stage.endVisits())
  after(() => stage.close())

  /** As a browser does by "open in a new tab": the new one begins with what the first has in its session storage. */
  async function openBeside({ page, context }: Visit, path: string): Promise<Page> {
    const [beside] = await Promise.all([context.waitForEvent('page'), page.evaluate(`void window.open('${path}')`)])
    await beside.waitForLoadState()
    return beside
  }

  it('signed out in one tab is over in the other with its next step', async () => {
    const visit = await stage.visit()
    // By its live lines the other one would hear of it within a second, maybe before it takes that step.
    await withoutLiveFigures(visit.context)
    await signInAsMember(visit.page)
    const beside = await openBeside(visit, '/funds/transactions')
    await expect(beside.getByRole('table', { name: 'Transactions' })).toContainText('+1,200.00')
    await logOut(visit.page)
    await expect(visit.page).toHaveURL(/\/login$/)
    visit.expectStatus(401)
    await beside.getByRole('navigation').getByRole('link', { name: 'Profile', exact: true }).click()
    await expectSignedOut(beside, '1,200.00')
    await enterCredentials(beside, { email: signIns.member, password: demoPassword })
    await expect(beside).toHaveURL(/\/profile|\/funds\/transactions/)
  })

  it('signed out in one tab is over at once in the other that shows live balances', async () => {
    const visit = await stage.visit()
    await signInAsMember(visit.page)
    const beside = await openBeside(visit, '/accounts')
    await expect(beside.getByRole('table', { name: 'Trading accounts' })).toContainText('700123')
    visit.expectStatus(401)
    await logOut(visit.page)
    await expectSignedOut(beside, '700123')
  })

  async function expectSignedOut(page: Page, shown: string): Promise<void> {
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.locator('body')).not.toContainText(shown)
    assert.equal(await keptIn(page), null)
  }

  it('of two people in two tabs stays with each of them', async () => {
    const visit = await stage.visit()
    await signInAsMember(visit.page)
    const other = await visit.newTab()
    await signInAsMember(other, 'second')
    await visit.page.goto('/accounts')
    await other.goto('/accounts')
    await expect(visit.page.getByRole('table', { name: 'Trading accounts' })).toContainText('700123')
    await expect(other.getByRole('table', { name: 'Trading accounts' })).toContainText('700207')
    await expect(other.locator('body')).not.toContainText('700123')
    await logOut(other)
    await expect(other).toHaveURL(/\/login$/)
    await visit.page.reload()
    await expect(visit.page.getByRole('table', { name: 'Trading accounts' })).toContainText('700123')
  })

  it('is over when it turns out to be of somebody else than who signed in here', async () => {
    const visit = await stage.visit()
    const { page } = visit
    await signInAsMember(page)
    const token = await tokenOf(page)
    await page.evaluate(`sessionStorage.setItem('${sessionKey}', '0190a0b0-0000-7000-8000-000000000001 ${token}')`)
    await page.goto('/funds/transactions?status=rejected')
    await expect(page).toHaveURL(/\/login$/)
    assert.equal(await keptIn(page), null)
    await enterCredentials(page, { email: signIns.member, password: demoPassword })
    // To the same place, without what the other one had looked for there.
    await expect(page).toHaveURL(/\/funds\/transactions$/)
  })

  for (const [how, fail] of [
    ['the network is away', 'net::ERR_FAILED'],
    ['the server has a fault', null],
  ] as const) {
    it(`leaves nothing behind in the browser though ${how} while leaving`, async () => {
      const visit = await stage.visit()
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
      const kept: string[] = await page.evaluate('Object.keys(sessionStorage)')
      assert.deepEqual(
        kept.filter((key) => key.startsWith('atrium.portal')),
        ['atrium.portal.left'],
      )
      await page.goBack()
      await expect(page).toHaveURL(/\/login$/)
      await expect(page.locator('body')).not.toContainText('1,200.00')
      await enterCredentials(page, { email: signIns.second, password: demoPassword })
      await expect(page).toHaveURL(/\/funds\/transactions|\/home/)
      await expect(page.locator('body')).not.toContainText('Amelia')
      assert.equal(await stage.statusWith(token), 200)
      await page.unroute('**/users/logout')
      await page.evaluate("dispatchEvent(new Event('online'))")
      await expect.poll(() => stage.statusWith(token)).toBe(401)
      assert.equal(await stage.statusWith(await tokenOf(page)), 200)
    })
  }
})
