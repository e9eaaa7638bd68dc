// spec: MP 8
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { openingTexts } from '@atrium/contract/openings/texts.ts'
import type { Page } from 'playwright'
import { accountRow, readBalance } from '../kit/balances.ts'
import { chooseByKeys } from '../kit/depositing.ts'
import { fillOpening, openingForm, readOpened } from '../kit/opening.ts'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

const addCall = '/api/user/add'

describe('a member opens a demo account, and a live one despite failures', () => {
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

  it('opens a demo MT4 account by keyboard only, with its starting balance', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.goto('/accounts/open-demo-account')
    const form = openingForm(page, 'demo')
    await form.platform('Harbour MT5').focus()
    await page.keyboard.press('ArrowDown')
    await expect(form.platform('Harbour MT4')).toBeChecked()
    await page.keyboard.press('Tab')
    await expect(form.group).toBeFocused()
    await expect(form.group).toHaveValue('Classic demo')
    await page.keyboard.press('Tab')
    await chooseByKeys(page, form.leverage, /^1:200$/)
    await form.password.focus()
    await page.keyboard.type('TidalGauge71')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(form.confirmation).toBeFocused()
    await page.keyboard.type('TidalGauge71')
    await page.keyboard.press('Enter')
    const login = await readOpened(page, 'demo')
    await expect(page.getByText('10,000.00')).toBeVisible()
    await expect.poll(() => readBalance(page, login)).toBe('10000.00')
  })

  it("shows the platform's refusal beside its field, and succeeds on the next try", async () => {
    const { page, expectStatus } = await testApp.visit()
    expectStatus(422)
    await signInAsMember(page, 'second')
    testApp.platform.addFault({ path: addCall, times: 1, kind: 'answer-code', code: 3006 })
    await fillOpening(page, { kind: 'live', platform: 'Harbour MT5', group: /Standard USD/ })
    const form = openingForm(page, 'live')
    await form.open.click()
    await expect(page.getByText(openingTexts.openingPasswordRefused).first()).toBeVisible()
    await expect(form.password).toBeFocused()
    await form.open.click()
    await expectListedOnce(page, await readOpened(page, 'live'))
  })

  it('shows it as verifying while the first response is lost, and finds it once', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page, 'second')
    const before = testApp.platform.accountsOf('*').length
    testApp.platform.addFault({ path: addCall, times: 1, kind: 'execute-then-drop' })
    // Too few failures to open the platform's circuit.
    testApp.platform.addFault({ path: '/api/user/get_batch', times: 2, kind: 'fail-before' })
    await fillOpening(page, { kind: 'live', platform: 'Harbour MT5', group: /Standard USD/ })
    await openingForm(page, 'live').open.click()
    await expect(page.getByText('Verifying', { exact: true })).toBeVisible({ timeout: 30_000 })
    await page.reload()
    await expect(page.getByRole('heading', { name: /^Your live account/ })).toBeVisible()
    const login = await readOpened(page, 'live')
    assert.equal(testApp.platform.accountsOf('*').length, before + 1)
    await expectListedOnce(page, login)
  })

  it('links to the KYC documents first if none were sent, but allows a demo account', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page, 'new')
    await page.goto('/accounts/open-live-account')
    await expect(page.getByText(openingTexts.openingKyc)).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Documents' }).click()
    await expect(page).toHaveURL(/\/documents/)
    await page.goto('/accounts/open-demo-account')
    await expect(openingForm(page, 'demo').open).toBeVisible()
  })
})
