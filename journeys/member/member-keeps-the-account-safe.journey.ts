// spec: MP 2.1, MP 2.3, MP 4, MP 8
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { Page } from 'playwright'
import { demoPassword, signIns } from '../../demo/harbour-markets.ts'
import { enterCredentials, signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

const newPassword = 'Lighthouse-77'

describe('a member keeps the account secure', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  it('sets a new password by a single-use link', async () => {
    const visit = await testApp.visit()
    const { page } = visit
    await page.goto('/login')
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    await page.getByRole('button', { name: 'Send reset link' }).click()
    await expect(page.getByText(texts.emailInvalid)).toBeVisible()
    await page.getByLabel('Email', { exact: true }).fill(signIns.second)
    await page.getByRole('button', { name: 'Send reset link' }).click()
    await expect(page.getByText(sessionTexts.resetRequested)).toBeVisible()

    const link = await linkMailedTo(signIns.second)
    await page.goto(link)
    await expect(page.getByLabel('New password', { exact: true })).toBeVisible()
    await expect(page).toHaveURL(/\/reset-password\/$/)
    await chooseNew(page, newPassword)
    await page.getByRole('button', { name: 'Set new password' }).click()
    await expect(page.getByText(sessionTexts.passwordReset)).toBeVisible()
    await expect(page).toHaveURL(/\/login$/)

    visit.expectStatus(400, 401, 422)
    await enterCredentials(page, { email: signIns.second, password: demoPassword })
    await expect(page.getByRole('alert').filter({ hasText: sessionTexts.loginWrong })).toBeVisible()
    await enterCredentials(page, { email: signIns.second, password: newPassword })
    await expect(page).toHaveURL(/\/home\/?$/)

    await page.goto(link)
    await expect(page.getByText(texts.resetLinkInvalid)).toBeVisible()
    await expect(page).toHaveURL(/\/reset-password\/$/)
    await page.getByRole('link', { name: 'Ask for a new link' }).click()
    await expect(page.getByRole('button', { name: 'Send reset link' })).toBeVisible()
  })

  it('ends other sessions by changing the password', async () => {
    const elsewhere = await testApp.visit()
    await signInAsMember(elsewhere.page)
    const visit = await testApp.visit()
    const { page } = visit
    await signInAsMember(page)
    await page.goto('/profile')
    await page.getByRole('link', { name: 'Change password' }).click()

    visit.expectStatus(400, 422)
    await page.getByLabel('Current password', { exact: true }).fill('Not-my-password-1')
    await chooseNew(page, newPassword)
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByLabel('Current password', { exact: true })).toHaveAccessibleDescription(
      texts.currentPasswordWrong,
    )
    // The other page shows live balances and detects the end of its session without a reload.
    elsewhere.expectStatus(401)
    await page.getByLabel('Current password', { exact: true }).fill(demoPassword)
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByText(sessionTexts.passwordChanged)).toBeVisible()
    await expect(page).toHaveURL(/\/home\/?$/)

    await elsewhere.page.goto('/accounts')
    await expect(elsewhere.page).toHaveURL(/\/login$/)
  })

  it('lists the open sessions and closes one', async () => {
    const elsewhere = await testApp.visit()
    await signInAsMember(elsewhere.page, 'new')
    const { page } = await testApp.visit()
    await signInAsMember(page, 'new')
    await page.goto('/profile')
    for (const sentence of ['No addresses added.', 'There are no accounts.', 'There are no bank accounts.'])
      await expect(page.getByText(sentence)).toBeVisible()
    const devices = page.getByRole('region', { name: 'Active sessions' })
    await expect(devices.getByRole('listitem')).toHaveCount(2)
    await expect(devices.getByRole('listitem').filter({ hasText: 'This device' })).toHaveCount(1)

    await devices.getByRole('button', { name: 'Sign out all others' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await expect(devices.getByRole('listitem')).toHaveCount(2)
    elsewhere.expectStatus(401)
    await devices.getByRole('button', { name: /^Sign out Chrome/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByText(sessionTexts.sessionEnded)).toBeVisible()
    await expect(devices.getByRole('listitem')).toHaveCount(1)

    await elsewhere.page.goto('/accounts')
    await expect(elsewhere.page).toHaveURL(/\/login$/)
  })

  /** The rules are checked off while typing. */
  async function chooseNew(page: Page, password: string): Promise<void> {
    const unmet = page.getByRole('list', { name: 'Password requirements' }).getByText('Not met yet')
    await expect(unmet).toHaveCount(3)
    await page.getByLabel('New password', { exact: true }).fill(password)
    await expect(unmet).toHaveCount(0)
    await page.getByLabel('Confirm new password', { exact: true }).fill(password)
  }

  /** A job writes the mail, so it appears a moment after the response. */
  async function linkMailedTo(address: string): Promise<string> {
    let link: string | undefined
    await expect(async () => {
      const answer = await fetch(`${testApp.url}/dev/mailbox`, { headers: { accept: 'application/json' } })
      const { mails } = (await answer.json()) as { mails: { to: string; text: string }[] }
      link = mails
        .filter(({ to }) => to === address)
        .map(({ text }) => /\/reset-password\/[\w-]+/.exec(text)?.[0])
        .find((found) => found !== undefined)
      expect(link).toBeDefined()
    }).toPass({ timeout: 30_000 })
    assert.ok(link)
    return link
  }
})
