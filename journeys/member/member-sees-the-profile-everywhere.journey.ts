// spec: MP 2.2, MP 2.3, MP 3, MP 4, MP 6
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, describe, it } from 'node:test'
import { profileTexts } from '@atrium/contract/members/texts.ts'
import type { Locator, Page } from 'playwright'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

const dialog = (page: Page): Locator => page.getByRole('dialog')
const save = (page: Page) => dialog(page).getByRole('button', { name: 'Save', exact: true }).click()
const phone = (page: Page, number: number) =>
  dialog(page).getByRole('textbox', { name: `Phone number ${number}`, exact: true })
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

describe('a member sees the same profile everywhere', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  it('sees a conflict in the tab that saves later, and loses nothing', async () => {
    const visit = await testApp.visit()
    const { page } = visit
    await signInAsMember(page, 'second')
    const elsewhere = await testApp.visit()
    await signInAsMember(elsewhere.page, 'second')
    for (const each of [page, elsewhere.page]) {
      await each.goto('/profile')
      await each.getByRole('button', { name: 'Change phone numbers' }).click()
    }
    await phone(elsewhere.page, 1).fill('+357 99 111111')
    await save(elsewhere.page)
    await expect(elsewhere.page.getByText(profileTexts.profileSaved).first()).toBeVisible()

    visit.expectStatus(409)
    await phone(page, 1).fill('+357 99 222222')
    await save(page)
    await expect(dialog(page).getByText(profileTexts.profileChangedElsewhere)).toBeVisible()
    await expect(dialog(page).getByText(/Currently saved: \+357 99 111111\. Save again/)).toBeVisible()
    await expect(phone(page, 1)).toHaveValue('+357 99 222222')
    await save(page)
    await expect(section(page, 'Name and contacts').getByText('+357 99 222222')).toBeVisible()
  })

  it('uploads a square-cropped picture by keyboard over a failing connection, and removes it', async () => {
    const visit = await testApp.visit()
    const { page } = visit
    await signInAsMember(page)
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Add a picture' }).click()
    const chooser = page.waitForEvent('filechooser')
    await dialog(page).getByRole('button', { name: 'Choose a picture' }).click()
    const buffer = readFileSync(new URL('../../demo/receipts/transfer.png', import.meta.url))
    await (await chooser).setFiles({ name: 'me.png', mimeType: 'image/png', buffer })
    const cut = dialog(page).getByRole('button', { name: /^Crop area/ })
    await cut.focus()
    for (const key of ['+', '+', 'ArrowLeft', 'ArrowDown']) await page.keyboard.press(key)
    await page.keyboard.press('Escape')
    await page
      .getByRole('dialog', { name: 'Do you want to exit before saving?' })
      .getByRole('button', { name: 'Cancel' })
      .click()
    visit.expectFailure('ERR_FAILED')
    await page.route('**/media/cp-upload-image*', (route) => route.abort(), { times: 1 })
    await dialog(page).getByRole('button', { name: 'Save picture' }).click()
    await expect(dialog(page).getByRole('progressbar', { name: /picture\.jpg/ })).toBeVisible()
    await dialog(page).getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText(profileTexts.pictureSaved)).toBeVisible()
    const shownPicture = page.locator('header img[src*="/cp/private/files/"]')
    await expect(shownPicture).toHaveCount(1)
    await expect
      .poll(() =>
        shownPicture.evaluate((image: { naturalWidth: number; naturalHeight: number }) => [
          image.naturalWidth,
          image.naturalHeight,
        ]),
      )
      .toEqual([512, 512])

    await page.getByRole('button', { name: 'Change picture', exact: true }).click()
    await dialog(page).getByRole('button', { name: 'Remove picture' }).click()
    const removal = page.getByRole('dialog', { name: 'Remove this picture?' })
    await removal.getByRole('button', { name: 'Remove picture' }).click()
    await expect(page.getByText(profileTexts.pictureRemoved)).toBeVisible()
    await expect(shownPicture).toHaveCount(0)
  })

  it('shows times and colours as chosen on every device', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.goto('/profile')
    const zone = page.getByRole('combobox', { name: 'Time zone' })
    await zone.click()
    await zone.fill('Tokyo')
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
    await expect(page.getByText(/Your time is .*(GMT\+9|JST)/)).toBeVisible()
    // While a choice is saved, its field cannot be changed but keeps the focus.
    await expect(zone).toBeFocused()
    await expect(zone).toBeEditable()
    await page.getByRole('combobox', { name: 'Format of numbers and dates' }).click()
    await page.getByRole('option', { name: /^Deutsch: / }).click()
    await expect(page.getByText(/Your time is \p{L}+, \d+\. \p{L}+ \d{4}/u)).toBeVisible()
    await expect(zone).toBeEditable()
    await page.getByText('Dark', { exact: true }).click()
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')

    const elsewhere = await testApp.visit()
    await signInAsMember(elsewhere.page)
    await expect(elsewhere.page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await expect(elsewhere.page.getByText(/\d\.\d{3},\d\d/).first()).toBeVisible()
  })

  it('links to the offered requests, and shows the state of the last one', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.goto('/profile')
    const requests = section(page, 'Requests')
    const statuses = ['Done', 'Rejected', 'In progress', 'Open', 'Not assigned', 'Canceled']
    await expect(requests.getByRole('link', { name: /Change of legal name/ })).toBeVisible()
    const shown = await requests.getByRole('link').filter({ hasNotText: 'All requests' }).allInnerTexts()
    assert.deepEqual(
      shown.map((text) => statuses.find((word) => text.endsWith(word))),
      statuses,
    )
    await requests.getByRole('link', { name: /Change of legal name/ }).click()
    await expect(page).toHaveURL(/\/requests-types\/[0-9a-f-]{36}$/)
    await expect(page.getByRole('region', { name: 'Last Request' })).toBeVisible()
  })

  it('shows the first steps to a new member', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page, 'new')
    await expect(section(page, 'Your next steps').getByRole('listitem')).toHaveCount(4)
    await page.getByRole('link', { name: /Verify your identity/ }).click()
    await expect(page).toHaveURL(/\/documents$/)
  })
})

describe('a sales person', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())
})
