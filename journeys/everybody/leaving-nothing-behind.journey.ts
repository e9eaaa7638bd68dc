// spec: MP 4, DK session, OP faults
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import type { Page } from 'playwright'
import { demoPassword, signIns } from '../../demo/harbour-markets.ts'
import { enterCredentials, signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

type House = {
  name: 'portal' | 'desk'
  signIn: (page: Page) => Promise<void>
  /** A page with search input, what it shows, and the data that must be gone after signing out. */
  searched: string
  shows: string
  secret: RegExp
  leave: (page: Page) => Promise<void>
  login: RegExp
  next: { email: string; to: RegExp }
}

const houses: House[] = [
  {
    name: 'desk',
    signIn: signInAsStaff,
    searched: '/desk/members?q=Hart',
    shows: 'Amelia Hart',
    secret: /Hart|100417|member@atrium|Bearer|[A-Za-z0-9_-]{43}/,
    async leave(page) {
      await page.getByRole('button', { name: 'Nora Vella' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    },
    login: /\/desk\/login$/,
    next: { email: 'support@atrium.demo', to: /\/desk\/members(\/[^?]*)?$/ },
  },
  {
    name: 'portal',
    signIn: signInAsMember,
    searched: '/funds/transactions?status=approved',
    shows: '8,000.00',
    secret: /approved|Amelia|100417|member@atrium|Bearer|[A-Za-z0-9_-]{43}/,
    async leave(page) {
      await page.getByRole('button', { name: /^Profile menu of / }).click()
      await page.getByRole('menuitem', { name: 'Logout' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
    },
    login: /\/login$/,
    next: { email: signIns.second, to: /\/funds\/transactions$/ },
  },
]

const keptBy = (page: Page) => page.evaluate<string>('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')
const tokenIn = async (page: Page, name: string) =>
  (await page.evaluate<string>(`sessionStorage.getItem('atrium.${name}.session')`)).split(' ')[1] ?? ''

for (const house of houses) {
  describe(`signing out of the ${house.name}`, () => {
    let testApp: TestApp
    before(async () => {
      testApp = await openTestApp()
    })
    afterEach(() => testApp.endVisits())
    after(() => testApp.close())

    async function expectNothingOn(page: Page): Promise<void> {
      await expect(page).toHaveURL(house.login)
      await expect(page.locator('body')).not.toContainText(house.shows)
      assert.doesNotMatch(await keptBy(page), house.secret)
    }

    it('leaves no data on the screen, in the history, at a typed address or for the next person', async () => {
      const { page } = await testApp.visit()
      await house.signIn(page)
      await page.goto(house.searched)
      await expect(page.locator('main')).toContainText(house.shows)
      await house.leave(page)
      await expectNothingOn(page)
      await page.goBack()
      await expectNothingOn(page)
      await page.goto(house.searched)
      await expectNothingOn(page)
      await enterCredentials(page, { email: house.next.email, password: demoPassword })
      await expect(page).toHaveURL(house.next.to)
    })

    it('shows no data when the browser restores a page of another tab from its cache', async () => {
      const visit = await testApp.visit()
      const { page } = visit
      await house.signIn(page)
      await page.goto(house.searched)
      await expect(page.locator('main')).toContainText(house.shows)
      // Pending requests of the page are refused.
      visit.expectStatus(401)
      // Simulates the browser: freeze the page, sign out in another tab, thaw the page.
      await page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
      await page.evaluate(`sessionStorage.removeItem('atrium.${house.name}.session')`)
      await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
      await expect(page).toHaveURL(house.login)
      await expect(page.locator('body')).not.toContainText(house.shows)
    })

    it('takes effect locally without a network, and on the server once the network is back', async () => {
      const visit = await testApp.visit()
      const { page } = visit
      await house.signIn(page)
      const token = await tokenIn(page, house.name)
      const statusNow = async () => {
        const path = house.name === 'desk' ? '/desk/api/me' : '/user/permissions'
        return (await fetch(`${testApp.url}${path}`, { headers: { authorization: `Bearer ${token}` } })).status
      }
      assert.equal(await statusNow(), 200)
      visit.expectFailure('net::ERR_FAILED')
      await page.route('**/logout', (route) => route.abort())
      await house.leave(page)
      await expectNothingOn(page)
      assert.equal(await statusNow(), 200)
      await page.unroute('**/logout')
      await page.evaluate("dispatchEvent(new Event('online'))")
      await expect.poll(statusNow).toBe(401)
    })

    it('lets the same person continue where they were after a session timeout', async () => {
      const visit = await testApp.visit()
      const { page } = visit
      await house.signIn(page)
      await page.goto(house.searched)
      await expect(page.locator('main')).toContainText(house.shows)
      visit.expectStatus(401)
      const key = `'atrium.${house.name}.session'`
      await page.evaluate(`sessionStorage.setItem(${key}, sessionStorage.getItem(${key}) + 'x')`)
      await page.reload()
      await expect(page).toHaveURL(house.login)
      await expect(page.getByText(sessionTexts.sessionUnknown)).toBeVisible()
      const email = house.name === 'desk' ? signIns.staff : signIns.member
      await enterCredentials(page, { email, password: demoPassword })
      await expect(page.locator('main')).toContainText(house.shows)
      assert.equal(new URL(page.url()).search, new URL(house.searched, testApp.url).search)
    })
  })
}
