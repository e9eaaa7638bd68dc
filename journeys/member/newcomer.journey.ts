import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import { isSame } from '@atrium/contract/money/money.ts'
import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import { demoPassword, platforms, signIns } from '../../demo/harbour-markets.ts'
import { makePng } from '../../tests/fixtures/sample-files.ts'
import { depositForm, paymentPages } from '../kit/depositing.ts'
import { countEffort } from '../kit/newcomer.ts'
import { openingForm, readOpened, tradingPassword } from '../kit/opening.ts'
import { signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

/** Maximum effort from the first sign-in to the credited deposit. These numbers may fall, and never rise. */
const most = { clicks: 25, fields: 9, waits: 4 }

const afterPause = { timeout: limits.uploadDisabledMs + 15_000 }
const picture = (name: string) => ({ name, mimeType: 'image/png', buffer: makePng({ width: 60, height: 40 }) })

describe('a newcomer on a phone', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  /** Verifies the pending KYC documents, one after the other. */
  async function verifyBoth(): Promise<void> {
    const desk = (await testApp.visit()).page
    await signInAsStaff(desk)
    for (const _document of ['pass.png', 'water.png']) {
      await desk.goto('/desk/documents?q=Tanabe')
      await desk.getByRole('list', { name: 'Documents' }).getByRole('link').first().click()
      await desk.getByRole('button', { name: 'Verify', exact: true }).click()
      const dialog = desk.getByRole('dialog')
      await expect(dialog.getByRole('button', { name: 'Verify document' })).toBeVisible()
      const validUntil = dialog.getByLabel('Valid until')
      if (await validUntil.isVisible()) await validUntil.fill('31/12/2034')
      await dialog.getByRole('button', { name: 'Verify document' }).click()
      await expect(dialog).toBeHidden()
    }
    await desk.close()
  }

  it('is guided from the first sign-in to a funded live account without more effort than before', async () => {
    const { page } = await testApp.visit({
      ...{ width: 390, height: 844, isTouched: true },
      foreignOrigins: paymentPages(testApp),
    })
    const { effort, tap, type, choose, attach, wait } = countEffort(page)
    const steps = page.getByRole('region', { name: 'Your next steps' })
    const goHome = () => tap(page.getByRole('navigation').getByRole('link', { name: 'Home' }).first())

    await page.goto('/login')
    await type(page.getByLabel('Email', { exact: true }), signIns.new)
    await type(page.getByLabel('Password', { exact: true }), demoPassword)
    await tap(page.getByRole('button', { name: 'Sign in', exact: true }))
    await tap(steps.getByRole('link', { name: /Verify your identity/ }))

    for (const { category, kind, name, validUntil } of [
      { category: 'Proof of identity', kind: /Passport/, name: 'pass.png', validUntil: '31/12/2034' },
      { category: 'Proof of address', kind: /Utility bill/, name: 'water.png', validUntil: undefined },
    ]) {
      const add = page.getByRole('button', { name: `Add: ${category}` })
      await wait(expect(add).toBeEnabled(afterPause))
      await tap(add)
      const dialog = page.getByRole('dialog', { name: `Add a file: ${category}` })
      await choose(dialog.getByRole('combobox', { name: 'Document' }), kind)
      if (validUntil) await type(dialog.getByLabel('Valid until'), validUntil)
      await attach(dialog.locator('input[type=file]').first(), picture(name))
      await tap(dialog.getByRole('button', { name: 'Add the file' }))
      await expect(dialog).toBeHidden()
    }
    await verifyBoth()
    await wait(expect(page.getByRole('heading', { name: 'Your identity is verified' })).toBeVisible())

    // The page shows the approval and links to the next step.
    await tap(page.getByRole('link', { name: 'Open a live account' }))
    const form = openingForm(page, 'live')
    await tap(form.platform('Harbour MT5'))
    await choose(form.group, /Standard USD/)
    await type(form.password, tradingPassword)
    await type(form.confirmation, tradingPassword)
    await tap(form.open)
    const login = await readOpened(page, 'live')
    await expect(page.getByText(platforms[0].client_server, { exact: true })).toBeVisible()

    await tap(page.getByRole('link', { name: 'Make a deposit' }))
    await tap(page.getByLabel('I have read the client agreement and accept it.'))
    await tap(page.getByRole('button', { name: 'Accept', exact: true }))
    await expect(depositForm(page).account).toHaveValue(new RegExp(`#${login}`))
    await type(depositForm(page).amount, '250')
    // The fastest method is preselected, with fee, limits and time beside it.
    await expect(page.getByRole('radio', { name: 'Card, SafeCharge' })).toBeChecked()
    await type(page.getByLabel('Street and number'), '2-1 Marunouchi')
    await type(page.getByLabel('City'), 'Tokyo')
    await choose(page.getByRole('combobox', { name: 'Country', exact: true }), /^Japan$/)
    await type(page.getByRole('textbox', { name: 'Phone' }), '+81 3 1234 5678')
    await tap(page.getByRole('button', { name: 'Pay with SafeCharge' }))
    await tap(page.getByRole('button', { name: 'Approve', exact: true }))
    await wait(expect(page.getByRole('heading', { name: paymentTexts.completed })).toBeVisible())
    await expect(page).toHaveURL(/\/funds\/transactions/)
    await expect.poll(() => isSame(testApp.platform.account(login)?.balance ?? '0', '250')).toBe(true)

    // No step is left.
    await goHome()
    await expect(page.getByText('Equity in USD')).toBeVisible()
    await expect(steps).toHaveCount(0)
    for (const kind of ['clicks', 'fields', 'waits'] as const)
      assert.ok(effort[kind] <= most[kind], `${effort[kind]} ${kind}, and at most ${most[kind]} are allowed`)
  })
})
