// spec: DK frame
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright'
import { signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

describe('the layout of the desk', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Main menu' })
  /** Holds requests to this address until `release` is called. */
  async function holdBack(page: Page, address: string | RegExp): Promise<{ release(): void }> {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(address, async (route) => {
      await promise
      await route.continue()
    })
    return { release: resolve }
  }
  const widthOf = async (page: Page) => (await page.locator('aside').boundingBox())?.width ?? 0

  it('collapses the menu to labelled icons by mouse and by key, and remembers it in this browser', async () => {
    const { page } = await testApp.visit({ width: 1440 })
    await signInAsStaff(page)
    await page.getByRole('button', { name: 'Collapse the menu' }).click()
    await expect.poll(() => widthOf(page)).toBe(64)
    await page.reload()
    await expect(menuOf(page).getByRole('link', { name: 'Members' })).toBeVisible()
    await expect.poll(() => widthOf(page)).toBe(64)
    await expect(page.getByRole('article')).toBeVisible() // The list takes the focus when it selects the first entry.
    await page.getByRole('link', { name: 'Harbour Markets desk' }).focus()
    await page.keyboard.press('Tab')
    await expect(menuOf(page).getByRole('link', { name: 'Deposits' })).toBeFocused()
    await expect(page.getByRole('tooltip', { name: 'Deposits' })).toBeVisible()
    await page.keyboard.press('[')
    await expect.poll(() => widthOf(page)).toBe(220)
    await expect(page.getByRole('button', { name: 'Collapse the menu' })).toHaveText('Collapse')
  })

  it('shows an icon menu where space is limited, and a drawer on a phone', async () => {
    const { page } = await testApp.visit({ width: 1024 })
    await signInAsStaff(page)
    await expect.poll(() => widthOf(page)).toBe(64)
    await menuOf(page).getByRole('link', { name: 'Staff' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Staff' })).toBeVisible()
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(page.locator('aside')).toHaveCount(0)
    await page.getByRole('button', { name: 'Menu', exact: true }).press('Enter')
    await menuOf(page).getByRole('link', { name: 'Members' }).press('Enter')
    await expect(page).toHaveURL(/\/desk\/members/)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  it('says when an address leads to no record, where trying again would not help', async () => {
    const { page, expectStatus } = await testApp.visit()
    expectStatus(404, 422)
    await signInAsStaff(page)
    const ids = ['no-such-record', '01890000-0000-7000-8000-000000000000']
    const records = {
      ...{ 'deposits/*': 'Deposit', 'withdrawals/*': 'Withdrawal', 'tickets/*': 'Ticket', 'requests/*': 'Request' },
      ...{ 'documents/*': 'Document', 'members/*': 'Member', 'members/*/documents': 'Member' },
      ...{ 'trading-accounts/*': 'Account', 'terms/*': 'Terms', 'forms/*': 'Form' },
      ...{ 'platforms/*': 'Platform', 'providers/*': 'Payment provider' },
    }
    for (const [path, record] of Object.entries(records))
      for (const id of ids) {
        await page.goto(`/desk/${path.replace('*', id)}`)
        await expect(page.getByText(`${record} not found`)).toBeVisible()
        await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
      }
  })

  it('keeps an account below the accounts in the menu, also by its earlier address', async () => {
    const { page } = await testApp.visit()
    await signInAsStaff(page)
    await menuOf(page).getByRole('link', { name: 'Accounts', exact: true }).click()
    await page
      .getByRole('link', { name: /700123/ })
      .first()
      .click()
    await expect(page.getByRole('heading', { level: 1, name: 'Trading account' })).toBeVisible()
    const current = menuOf(page).locator('[aria-current="page"]')
    await expect(current).toHaveText('Accounts')
    const address = page.url()
    await page.goto(address.replace('/trading-accounts/', '/accounts/'))
    await expect(page).toHaveURL(address)
    await expect(current).toHaveText('Accounts')
  })

  for (const from of ['deposits', 'members'])
    it(`keeps staff on the page they opened from the ${from} when the list loads late`, async () => {
      const { page } = await testApp.visit({ width: 1440 })
      await signInAsStaff(page)
      const list = await holdBack(page, new RegExp(`/desk/api/${from}(\\?|$)`))
      const section = await holdBack(page, '**/openings-page-*.js')
      await page.goto(`/desk/${from}`)
      await menuOf(page).getByRole('link', { name: 'Account applications' }).click()
      list.release()
      await expect(page.getByRole('list', { name: from }).getByRole('link').first()).toBeVisible()
      section.release()
      await expect(page.getByRole('heading', { level: 1, name: 'Account applications' })).toBeVisible()
      await expect(page).toHaveURL(/\/desk\/openings/)
    })
})
