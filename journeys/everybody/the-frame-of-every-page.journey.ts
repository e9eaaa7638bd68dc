// spec: MP 2.2, MP 2.3, MP 7, MP 8, MP 9, AO 2.9, AO 4, AO 5, AO 9
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import { validatorTexts } from '@atrium/contract/validators/messages.ts'
import { sql } from 'kysely'
import type { Page } from 'playwright'
import { brokerage, demoPassword, signIns } from '../../demo/harbour-markets.ts'
import { inTransaction } from '../../server/foundation/database/database.ts'
import { depositForm } from '../kit/depositing.ts'
import { enterCredentials, menuOf, signInAsMember } from '../kit/people.ts'
import { expectPrompt } from '../kit/prompts.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect, stopClock, untilThere } from '../kit/visit.ts'

describe('the layout of every page', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  it('finds pages, accounts and transactions by keyboard only', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: /^Search for/ })
    await expect(field).toBeFocused()
    await page.keyboard.type('700123')
    const option = page.getByRole('option', { name: /#700123/ })
    await expect(option).toBeVisible()
    await expect(option.locator('mark')).toHaveText('700123')
    await field.fill('1014')
    await expect(page.getByRole('option', { name: /1014/ })).toHaveAttribute('data-combobox-selected', 'true')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('region', { name: 'Transaction 1014' })).toBeVisible()

    await page.keyboard.press('Control+k')
    await expect(page.getByRole('option', { name: /1014/ })).toBeVisible() // Opened before.
    await page.keyboard.type('depos')
    await expect(page.getByRole('option', { name: 'Deposit' })).toHaveAttribute('data-combobox-selected', 'true')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/funds\/deposit/)

    await page.getByRole('button', { name: /^Search/ }).click()
    await field.fill('nothing is called this')
    await expect(page.getByText('Nothing found for "nothing is called this".')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(field).toBeHidden()
  })

  it('sends one request for fast typing, and still finds pages when the server does not answer', async () => {
    const visit = await testApp.visit({ hasOwnClock: true })
    const { page } = visit
    await signInAsMember(page)
    let asked = 0
    await page.route('**/members/search?**', (route) => {
      asked += 1
      return route.fulfill({ status: 500, json: { status: 'error', code: 'not_permitted', error: 'No.' } })
    })
    visit.expectStatus(500)
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: /^Search for/ })).toBeFocused()
    // However slowly the machine types, the page sees all letters within its debounce delay.
    await stopClock(page)
    for (const letter of 'profile') {
      await page.keyboard.press(letter)
      await page.clock.runFor(limits.filterDebounceMs / 10)
    }
    assert.equal(asked, 0)
    await page.clock.runFor(limits.filterDebounceMs)
    await untilThere(page, page.getByText('Only pages could be searched. Please try again.'))
    await expect(page.getByRole('option', { name: 'Profile' })).toBeVisible()
    assert.equal(asked, 1)
  })

  it('takes a support ticket on every page, names missing fields and keeps the entered text', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    for (const path of ['/home/', '/accounts', '/funds/transactions', '/profile', '/no/such/page']) {
      await page.goto(path)
      if (path !== '/no/such/page') await expect(page.getByRole('button', { name: 'Complaint' })).toBeVisible()
    }
    await page.goto('/accounts')
    await page.getByRole('button', { name: 'Complaint' }).click()
    const dialog = page.getByRole('dialog', { name: 'Complaint' })
    const subject = dialog.getByLabel('Subject')
    await expect(subject).toBeFocused()
    await dialog.getByLabel('Description').fill('The balance is late.')
    await dialog.getByRole('button', { name: 'Create Ticket' }).click()
    await expect(subject).toHaveAccessibleDescription(validatorTexts.required)
    await expect(subject).toBeFocused()
    await expect(page.getByText('Please check: Subject')).toBeVisible()

    await page.keyboard.press('Escape')
    await answer(page, 'Cancel')
    await expect(dialog.getByLabel('Description')).toHaveValue('The balance is late.')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await answer(page, 'Ok')
    await expect(dialog).toBeHidden()
    await page.getByRole('button', { name: 'Complaint' }).click()
    await expect(dialog.getByLabel('Description')).toHaveValue('')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  })

  it('offers no support ticket where support is off', async () => {
    const { page } = await testApp.visit()
    await setWorkspace({ features: { support: false } })
    await signInAsMember(page)
    await expect(page.getByRole('button', { name: 'Search' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Complaint' })).toHaveCount(0)
    await setWorkspace({})
  })

  const forms: [
    name: string,
    way: [from: string, link: string],
    fill: (page: Page) => Promise<void>,
    expectRetained: (page: Page) => Promise<void>,
  ][] = [
    [
      'the deposit',
      ['Profile', 'Quick Deposit'],
      (page) => depositForm(page).comment.fill('Not yet sent'),
      (page) => expect(depositForm(page).comment).toHaveValue('Not yet sent'),
    ],
    [
      'a new password',
      ['Profile', 'Change password'],
      (page) => page.getByLabel('New password', { exact: true }).fill('Lighthouse-9'),
      (page) => expect(page.getByLabel('New password', { exact: true })).toHaveValue('Lighthouse-9'),
    ],
    [
      'a complaint',
      ['Profile', 'Accounts'],
      async (page) => {
        await page.getByRole('button', { name: 'Complaint' }).click()
        await page.getByLabel('Subject').fill('Not yet sent')
      },
      (page) => expect(page.getByLabel('Subject')).toHaveValue('Not yet sent'),
    ],
    [
      'a phone number',
      ['Accounts', 'Profile'],
      async (page) => {
        await page.getByRole('button', { name: 'Change phone numbers' }).click()
        await page.getByRole('textbox', { name: 'Phone number 1', exact: true }).fill('+356 9999 0000')
      },
      (page) =>
        expect(page.getByRole('textbox', { name: 'Phone number 1', exact: true })).toHaveValue('+356 9999 0000'),
    ],
    [
      'an address',
      ['Accounts', 'Profile'],
      async (page) => {
        await page.getByRole('button', { name: 'Add address' }).click()
        await page.getByLabel('City').fill('Not yet saved')
      },
      (page) => expect(page.getByLabel('City')).toHaveValue('Not yet saved'),
    ],
  ]
  for (const [name, [from, link], fill, expectRetained] of forms)
    it(`asks before ${name} is left by a link, by the back button or by closing the page`, async () => {
      const { page } = await testApp.visit()
      await signInAsMember(page)
      await menuOf(page).getByRole('link', { name: from }).click()
      const before = new RegExp(`/${from.toLowerCase()}$`)
      await expect(page).toHaveURL(before)
      await page.getByRole('link', { name: link, exact: true }).first().click()
      await expect(page).not.toHaveURL(before)
      const { pathname } = new URL(page.url())
      await fill(page)

      await goHome(page)
      await answer(page, 'Cancel')
      await expectRetained(page)
      await page.evaluate('history.back()')
      await answer(page, 'Cancel')
      assert.equal(new URL(page.url()).pathname, pathname)
      await expectRetained(page)
      await closeAndStay(page)
      await expectRetained(page)

      await page.evaluate('history.back()')
      await answer(page, 'Ok')
      await expect(page).toHaveURL(before)
      await goHome(page)
      await expect(page).toHaveURL(/\/home\/?$/)
      const closed = page.waitForEvent('close')
      await page.close({ runBeforeUnload: true })
      await closed
    })

  it('shows form errors under the fields and at the bottom, and focuses the first wrong field', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.goto('/funds/deposit')
    await depositForm(page).create.click()
    await expect(depositForm(page).account).toBeFocused()
    await expect(page.getByRole('alert').filter({ hasText: 'Please check: Trading account, Amount' })).toBeVisible()
    await page.goto('/profile/change_password')
    await page.getByLabel('New password', { exact: true }).fill('harbour')
    await expect(page.getByText('Weak')).toBeVisible()
    await page.getByLabel('New password', { exact: true }).fill('Harbour-2027!')
    await expect(page.getByText('Strong')).toBeVisible()
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByLabel('Current password')).toBeFocused()
    await expect(page.getByText('Please check: Current password, Confirm new password')).toBeVisible()
  })

  it('offers a newer version without interrupting unsaved input', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.goto('/funds/deposit')
    await depositForm(page).comment.fill('In the middle of it')
    await page.route('**/members/search?**', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, headers: { ...answer.headers(), 'x-app-version': 'next' } })
    })
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Search for/ }).fill('usd')
    await expect(page.getByText('A new version is available.')).toBeAttached()
    await page.keyboard.press('Escape')
    await expect(page.getByText('A new version is available.')).toBeVisible()
    await expect(depositForm(page).comment).toHaveValue('In the middle of it')
    expectPrompt(page, { type: 'beforeunload', answer: 'dismiss' })
    await page.getByRole('link', { name: 'Reload' }).click()
    await expect(depositForm(page).comment).toHaveValue('In the middle of it')
    await expect(page.getByText('A new version is available.')).toBeVisible()
    expectPrompt(page, { type: 'beforeunload', answer: 'accept' })
    await page.getByRole('link', { name: 'Reload' }).click()
    await expect(page.getByText('A new version is available.')).toHaveCount(0)
    await expect(depositForm(page).comment).toHaveValue('')
  })

  it('accepts a password of the maximum length', async () => {
    const { page } = await testApp.visit()
    await setWorkspace({ settings: { password_chars_max: 64 } })
    await page.goto('/login')
    const long = `Harbour-2026-${'x'.repeat(51)}`
    await page.getByLabel('Password', { exact: true }).fill(long)
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue(long)
    await setWorkspace({ settings: { password_chars_max: 20 } })
    await page.reload()
    await page.getByLabel('Password', { exact: true }).fill(long)
    await expect(page.getByText('Use at most 20 characters.')).toBeVisible()
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue(long)
    await enterCredentials(page, { email: signIns.member, password: demoPassword })
    await expect(page).toHaveURL(/\/home/)
  })

  it('shows the name, colour and logo of its brokerage', async () => {
    const { page } = await testApp.visit()
    const fill = "getComputedStyle(document.documentElement).getPropertyValue('--accent-fill')"
    await page.goto('/login')
    await expect(page.getByText('Harbour Markets', { exact: true })).toBeVisible()
    const before = await page.evaluate(fill)
    await wear({ name: 'Quiet Bay', accent: '#0a7d4f', logo_url: null })
    await signInAsMember(page)
    await page.reload()
    await expect(page.getByRole('link', { name: 'Quiet Bay' })).toBeVisible()
    await expect(page).toHaveTitle(/Quiet Bay$/)
    assert.notEqual(await page.evaluate(fill), before)
    await expect(page.locator('aside img')).toHaveCount(0) // The default logo is used instead.
  })

  async function wear(brand: { name: string; accent: string; logo_url: string | null }): Promise<void> {
    const { system } = testApp
    await inTransaction(system, (tx) =>
      tx.updateTable('workspaces').set(brand).where('workspace_id', '=', system.workspaceId).execute(),
    )
  }

  it('fits a small phone', async () => {
    const { page } = await testApp.visit({ width: 360, height: 740 })
    await signInAsMember(page)
    for (const path of ['/home/', '/accounts', '/funds/deposit', '/funds/transactions', '/profile', '/support']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      const widths = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')
      assert.deepEqual(widths, [360, 360], `${path} overflows horizontally`)
    }
    await page.getByRole('button', { name: 'More' }).click()
    const more = page.getByRole('dialog', { name: 'More' })
    await expect(more.getByRole('link', { name: 'Open Live Account' })).toBeVisible()
    await more.getByRole('button', { name: 'Complaint' }).click()
    await expect(page.getByRole('dialog', { name: 'Complaint' })).toBeVisible()
  })

  async function setWorkspace({ features, settings }: Changes): Promise<void> {
    const { system } = testApp
    await inTransaction(system, (tx) =>
      tx
        .updateTable('workspaces')
        .set({
          features: JSON.stringify({ ...brokerage.features, ...features }),
          settings: sql`settings || ${JSON.stringify(settings ?? {})}::jsonb`,
        })
        .where('workspace_id', '=', system.workspaceId)
        .execute(),
    )
  }
})

type Changes = { features?: Record<string, boolean>; settings?: Record<string, unknown> }

async function goHome(page: Page): Promise<void> {
  // Navigates as a link does, also while a dialog is open.
  await menuOf(page).getByRole('link', { name: 'Home', includeHidden: true }).dispatchEvent('click')
}

async function answer(page: Page, button: 'Ok' | 'Cancel'): Promise<void> {
  const question = page.getByRole('dialog', { name: 'Do you want to exit before saving?' })
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await question.getByRole('button', { name: button }).click()
  await expect(question).toBeHidden()
}

/** Closes the page and answers the browser's prompt with no. */
async function closeAndStay(page: Page): Promise<void> {
  expectPrompt(page, { type: 'beforeunload', answer: 'dismiss' })
  const question = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  await question
}
