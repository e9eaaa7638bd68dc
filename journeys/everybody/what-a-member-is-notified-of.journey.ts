// spec: MP 8, MP 9, AO 8, AO 9
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { accountTexts } from '@atrium/contract/accounts/texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { ticketTexts } from '@atrium/contract/tickets/texts.ts'
import type { Page } from 'playwright'
import { signIns } from '../../demo/harbour-markets.ts'
import { inTransaction } from '../../server/foundation/database/database.ts'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect, stopClock, untilThere, withoutLiveMetrics } from '../kit/visit.ts'
import { openAccount } from '../screens/portal-accounts.ts'

describe('messages to a member', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  const askForLink = async (page: Page) => {
    await page.goto('/forgot-password/')
    await page.getByLabel('Email', { exact: true }).fill('nobody@harbour.example')
    await stopClock(page)
    await page.getByRole('button', { name: 'Send reset link' }).click()
  }

  it('stay visible for fifteen seconds after a password reset request', async () => {
    const { page } = await testApp.visit({ hasOwnClock: true })
    await askForLink(page)
    await lasts(page, sessionTexts.resetRequested, limits.resetNoticeMs)
  })

  it('stay visible for seven seconds for each error of a password reset', async () => {
    const { page, expectStatus } = await testApp.visit({ hasOwnClock: true })
    expectStatus(422)
    const errors = { email: ['Nobody can be reached there.'], captcha: ['Please try it once more.'] }
    const refused = { status: 'error', code: 'invalid_input', error: texts.fieldsMissing, errors }
    await page.route('**/reset-password/request', (route) => route.fulfill({ status: 422, json: refused }))
    await askForLink(page)
    await untilThere(page, page.getByRole('alert').filter({ hasText: 'Please try it once more.' }))
    await lasts(page, 'Nobody can be reached there.', limits.resetErrorNoticeMs)
    await expect(page.getByText('Please try it once more.')).toHaveCount(0)
  })

  it('confirm copied text for two seconds', async () => {
    const { page, context } = await testApp.visit({ hasOwnClock: true })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await signInAsMember(page)
    await page.goto('/profile')
    const copy = page.getByRole('button', { name: 'Copy Client number' })
    await expect(copy).toBeVisible()
    await stopClock(page)
    await copy.click()
    await lasts(page, texts.copied, limits.toastShortMs)
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), '100417')
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('No.'))")
    await copy.click()
    await lasts(page, texts.copyRefused, limits.toastMs)
    await expect(page.getByText(texts.copied)).toHaveCount(0)
  })

  it('stay visible for ten seconds after a new ticket', async () => {
    const { page } = await testApp.visit({ hasOwnClock: true })
    await withoutLiveMetrics(page)
    await signInAsMember(page, 'second')
    await page.getByRole('button', { name: 'Complaint' }).click()
    const dialog = page.getByRole('dialog', { name: 'Complaint' })
    await dialog.getByLabel('Subject').fill('How long does a word stand?')
    await dialog.getByLabel('Description').fill('Long enough to be read.')
    await stopClock(page)
    await dialog.getByRole('button', { name: 'Create Ticket' }).click()
    await lasts(page, ticketTexts.created, limits.ticketNoticeMs)
  })

  it('show for six seconds in the dialog that the platform refused a password', async () => {
    const { page, expectStatus } = await testApp.visit({ hasOwnClock: true })
    expectStatus(503)
    const refused = { status: 'error', code: 'unavailable', error: accountTexts.passwordFailed }
    await page.route('**/change-password', (route) => route.fulfill({ status: 503, json: refused }))
    await withoutLiveMetrics(page)
    await signInAsMember(page)
    await openAccount(page, '700123')
    await page.getByRole('button', { name: 'Change Password' }).click()
    const dialog = page.getByRole('dialog')
    for (const field of ['New password', 'Confirm new password'])
      await dialog.getByLabel(field, { exact: true }).fill('Tidal#Gauge71')
    await stopClock(page)
    await dialog.getByRole('button', { name: 'Change password' }).click()
    const word = page.getByText(accountTexts.passwordFailed, { exact: true })
    await untilThere(page, word.nth(1))
    await expect(word).toHaveCount(2)
    await page.clock.runFor(limits.passwordFailureNoticeMs - 500)
    await expect(word).toHaveCount(2)
    await page.clock.runFor(1_500)
    await expect(word).toHaveCount(1)
    await expect(dialog.getByText(accountTexts.passwordFailed)).toBeVisible()
  })

  it('replace a wallet list that fails to load, and the failure is reported to the operator', async () => {
    const { page, expectFailure } = await testApp.visit()
    expectFailure('ERR_FAILED')
    await signInAsMember(page)
    await page.addInitScript({
      content: "addEventListener('atrium:report', ({ detail }) => (globalThis.kept ??= []).push(detail.event))",
    })
    await page.route('**/graph?**', (route) =>
      atob(new URL(route.request().url()).searchParams.get('q') ?? '').includes('WithdrawalBeneficiaries')
        ? route.abort()
        : route.continue(),
    )
    await page.goto('/funds/withdraw')
    await expect(page.getByText('We couldn\u2019t load this')).toBeVisible()
    await expect.poll(() => page.evaluate('globalThis.kept ?? []')).toContain('crypto-accounts.not-loaded')
  })

  it('say that the network is down while it is down', async () => {
    const visit = await testApp.visit()
    const { page, context } = visit
    visit.expectFailure('net::ERR_INTERNET_DISCONNECTED')
    await signInAsMember(page)
    const word = page.getByText(/^You\u2019re offline\. Data/)
    await expect(word).toHaveCount(0)
    await context.setOffline(true)
    await expect(word).toBeVisible()
    await context.setOffline(false)
    await expect(word).toHaveCount(0)
  })

  it('link to pending terms and disappear once these are accepted', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page, 'new')
    const item = page.getByRole('region', { name: 'Needs your attention' }).getByRole('link')
    await expect(item).toHaveText(/Please accept: Client agreement.*Deposit and Withdraw/)
    await item.click()
    await expect(page).toHaveURL(/\/funds\/deposit$/)
    await page.getByLabel('I have read the client agreement and accept it.').check()
    await page.getByRole('button', { name: 'Accept', exact: true }).click()
    await expect(page.getByText(texts.noAccounts)).toBeVisible()
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Home' }).click()
    await expect(page.getByRole('region', { name: 'Your next steps' })).toBeVisible()
    await expect(item).toHaveCount(0)
  })

  it('match the specified text of empty lists exactly', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page, 'new')
    await page.goto('/profile')
    for (const [list, sentence] of [
      ['Addresses', 'No addresses added.'],
      ['Trading accounts', 'There are no accounts.'],
      ['Bank accounts', 'There are no bank accounts.'],
    ] as const)
      await expect(page.getByRole('region', { name: list }).getByText(sentence, { exact: true })).toBeVisible()
  })

  it('give way to five skeleton rows while content loads', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.route('**/graph?**', (route) =>
      atob(new URL(route.request().url()).searchParams.get('q') ?? '').includes('CurrentMember')
        ? route.continue()
        : undefined,
    )
    await page.goto('/accounts')
    const table = page.getByRole('table', { name: 'Trading accounts' })
    await expect(table).toHaveAttribute('aria-busy', 'true')
    await expect(table.locator('tbody tr')).toHaveCount(limits.placeholderRows)
  })

  for (const [what, first_name, last_name] of [
    ['the longest possible name', 'Wolfeschlegelsteinhausenbergerdorff', 'Featherstonehaugh-Cholmondeley'],
    ['a right-to-left name', 'محمد عبد الرحمن', 'الحسيني المغربي'],
    ['characters beyond the basic plane', '𠮷田𠮷田', '😀😀'],
  ] as const)
    it(`show ${what} without widening the page`, async () => {
      await rename({ first_name, last_name })
      const { page } = await testApp.visit()
      await signInAsMember(page, 'second')
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        for (const path of ['/home/', '/profile']) {
          await page.goto(path)
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
          await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0)
          const widths = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')
          assert.deepEqual(widths, [width, width], `${path} overflows horizontally`)
        }
        await page.getByRole('button', { name: `Profile menu of ${first_name} ${last_name}` }).click()
        await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeInViewport({ ratio: 1 })
        await page.keyboard.press('Escape')
      }
    })

  async function rename(name: { first_name: string; last_name: string }): Promise<void> {
    const { system } = testApp
    await inTransaction(system, (tx) =>
      tx
        .updateTable('members')
        .set(name)
        .where('workspace_id', '=', system.workspaceId)
        .where('email', '=', signIns.second)
        .execute(),
    )
  }
})

async function lasts(page: Page, text: string, durationMs: number): Promise<void> {
  const word = page.getByText(text, { exact: true })
  await untilThere(page, word)
  await page.clock.runFor(durationMs - 500)
  await expect(word).toBeVisible()
  await page.clock.runFor(1_500)
  await expect(word).toHaveCount(0)
}
