// spec: MP 2.4, MP 5, MP 9
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { openingTexts } from '@atrium/contract/openings/texts.ts'
import type { Page } from 'playwright'
import { accountRow } from '../kit/balances.ts'
import { fillOpening, openingForm, readOpened, tradingPassword } from '../kit/opening.ts'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

describe('a member opens an account', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  /** The account appears exactly once in the list. */
  async function expectListedOnce(page: Page, login: string): Promise<void> {
    await page.goto('/accounts')
    await expect(accountRow(page, login)).toHaveCount(1)
  }

  it("opens a live MT5 account with a password that meets the platform's rules", async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.getByRole('link', { name: 'Open Live Account' }).click()
    const form = openingForm(page, 'live')
    await expect(form.leverage).toHaveValue('1:100')
    await form.open.click()
    await expect(page.getByText(openingTexts.openingIncomplete)).toBeVisible()
    await fillOpening(page, {
      kind: 'live',
      platform: 'Harbour MT5',
      group: /Standard EUR/,
      leverage: /^1:50$/,
      password: 'TidalGauge71',
    })
    await form.open.click()
    await expect(page.getByText(openingTexts.openingPasswordSpecial).first()).toBeVisible()
    await form.password.fill(tradingPassword)
    await form.confirmation.fill(tradingPassword)
    const before = testApp.platform.accountsOf('*').length
    await form.open.dblclick()
    const login = await readOpened(page, 'live')
    await expect(page.getByText('Standard EUR')).toBeVisible()
    await expect(page.getByText('1:50')).toBeVisible()
    assert.equal(testApp.platform.accountsOf('*').length, before + 1)
    // The link to the page that is already open begins another opening, also in the sheet of a phone.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'More' }).click()
    const sheet = page.getByRole('dialog', { name: 'More' })
    await sheet.getByRole('link', { name: 'Open Live Account' }).click()
    await expect(sheet).toHaveCount(0)
    await expect(form.password).toHaveValue('')
    await page.setViewportSize({ width: 1280, height: 800 })
    await expectListedOnce(page, login)
    await expect(accountRow(page, login)).toContainText('Live')
  })

  it('asks before leaving a partly filled form', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page, 'second')
    await page.goto('/accounts/open-live-account')
    await openingForm(page, 'live').password.fill('Ti')
    await page.getByRole('link', { name: 'Dashboard' }).first().click()
    await expect(page.getByText('Do you want to exit before saving?')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(openingForm(page, 'live').password).toHaveValue('Ti')
  })
})
