// spec: DK payments
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright'
import { signInAsMember, signInAsStaff } from '../kit/people.ts'
import { ageProofs, proveAnew } from '../kit/proving.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

const picture = join(import.meta.dirname, '../../demo/receipts/transfer.png')

describe('staff connect a payment provider', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  async function openPart(page: Page, part: string): Promise<void> {
    await page.goto('/desk/providers')
    await page.getByRole('link', { name: /Zota/ }).click()
    await page.getByRole('link', { name: part, exact: true }).click()
    await expect(page.getByRole('form', { name: part })).toBeVisible()
  }
  const saved = (page: Page) => expect(page.getByText('No changes to save.')).toBeVisible()

  it('test the saved settings, replace a secret after re-authentication, and can never read it back', async () => {
    const { page, expectStatus } = await testApp.visit()
    await signInAsStaff(page)
    await openPart(page, 'Connection')
    await expect(page.getByText(/\/callbacks\/payments\/zotapay$/)).toBeVisible()
    await page.getByRole('button', { name: 'Test connection' }).click()
    await expect(page.getByText('It accepts our settings.')).toBeVisible()
    const secret = page.getByLabel('Merchant secret key')
    await expect(secret).toHaveValue('')
    const { system } = testApp
    await ageProofs(system)
    await secret.fill('another-secret-0001')
    expectStatus(403)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await proveAnew(page)
    await saved(page)
    await expect(secret).toHaveValue('')
    await expect(page.getByText('another-secret-0001')).toHaveCount(0)
    await page.getByRole('button', { name: 'Test connection' }).click()
    await expect(page.getByText('It rejects our settings.')).toBeVisible()
  })

  it('give it a name and terms that members see; members do not see it while disabled', async () => {
    const { page } = await testApp.visit()
    await signInAsStaff(page)
    await openPart(page, 'Offer to members')
    await page.getByLabel('Name for members').fill('Cards and wallets')
    const dollars = page.getByRole('listitem', { name: 'USD' })
    await dollars.getByLabel('Fee (%)').fill('2.5')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await saved(page)
    const member = (await testApp.visit()).page
    await signInAsMember(member)
    await member.goto('/funds/deposit')
    await expect(member.getByText('Cards and wallets').first()).toBeVisible()
    const logo = member
      .getByRole('radio', { name: 'Cards and wallets' })
      .locator('xpath=ancestor::label')
      .locator('img')
    await expect(logo).toHaveAttribute('src', /^data:image\/svg\+xml/)
    await page.getByLabel('Name for members').fill('Cards')
    await page.getByLabel('Logo for members: picture').setInputFiles(picture)
    await expect(page.getByText('The new logo is shown from now on.')).toBeVisible()
    // The values being entered are still there.
    await expect(page.getByLabel('Name for members')).toHaveValue('Cards')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await member.reload()
    await expect(logo).toHaveAttribute('src', /^\/brand\/logos\//)
    await page.getByRole('button', { name: 'Use the default logo' }).click()
    const removal = page.getByRole('dialog', { name: 'Remove this picture?' })
    await removal.getByRole('button', { name: 'Use the default logo' }).click()
    await expect(page.getByText('The default logo is shown again.')).toBeVisible()
    await page.getByRole('switch', { name: 'Switched on' }).uncheck()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await saved(page)
    await member.reload()
    await expect(member.getByRole('radio').first()).toBeVisible()
    await expect(member.getByText('Cards and wallets')).toHaveCount(0)
  })
})
