// spec: MP 2.3, AO 5, AO 8
import { after, afterEach, before, describe, it } from 'node:test'
import { profileTexts } from '@atrium/contract/members/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { validatorTexts } from '@atrium/contract/validators/messages.ts'
import type { Locator, Page } from 'playwright'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

const dialog = (page: Page): Locator => page.getByRole('dialog')
const save = (page: Page) => dialog(page).getByRole('button', { name: 'Save', exact: true }).click()
const phone = (page: Page, number: number) =>
  dialog(page).getByRole('textbox', { name: `Phone number ${number}`, exact: true })
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Presses Escape in the same task as the typing, before the page renders or runs deferred work. */
const typeAndLeave = `(async () => {
  const field = document.activeElement
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, '+356 9999 0000')
  field.dispatchEvent(new Event('input', { bubbles: true }))
  for (let turn = 0; turn < 50; turn++) await null
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
})()`

describe('a member maintains the profile', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  it('changes phones and addresses, and sees why a change is refused', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page, 'new')
    await page.goto('/profile')
    await expect(page.getByText(texts.noAddresses)).toBeVisible()
    await page.getByRole('button', { name: 'Change phone numbers' }).click()
    await phone(page, 1).fill('call me')
    await save(page)
    await expect(phone(page, 1)).toHaveAccessibleDescription(validatorTexts.phone)
    await expect(page.getByText('Please check: Phone number 1')).toBeVisible()
    await phone(page, 1).fill('03 1234 5678')
    await dialog(page).getByLabel('Calling code').first().selectOption('JP')
    await expect(phone(page, 1)).toHaveValue('+81 3 1234 5678')
    await dialog(page).getByRole('button', { name: 'Add a phone number' }).click()
    await phone(page, 2).fill('+81 90 8765 4321')
    await dialog(page).getByRole('radio', { name: 'Primary' }).nth(1).check()
    await save(page)
    await expect(page.getByText(profileTexts.profileSaved).first()).toBeVisible()
    await expect(section(page, 'Name and contacts').getByText('+81 90 8765 4321 Primary')).toBeVisible()

    await page.getByRole('button', { name: 'Add address' }).click()
    await save(page)
    await expect(dialog(page).getByLabel('City')).toHaveAccessibleDescription(texts.cityMissing)
    await expect(page.getByText('Please check: Street and number, City, Country')).toBeVisible()
    await expect(dialog(page).getByLabel('Street and number')).toBeFocused()
    await dialog(page).getByLabel('Street and number').fill('1-1 Marunouchi <b>')
    await dialog(page).getByLabel('City').fill('Tokyo')
    await dialog(page).getByRole('combobox', { name: 'Country' }).fill('Japan')
    await page.getByRole('option', { name: 'Japan', exact: true }).click()
    await save(page)
    const addresses = section(page, 'Addresses')
    await expect(addresses.getByText('1-1 Marunouchi <b>')).toBeVisible()
    await expect(addresses.getByText('Tokyo, Japan')).toBeVisible()

    await addresses.getByRole('button', { name: /^Change / }).click()
    await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('dialog', { name: 'Remove this address?' }).getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText(texts.noAddresses)).toBeVisible()
  })

  it('asks before a filled dialog is closed', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Change phone numbers' }).click()
    await phone(page, 1).focus()
    await page.evaluate(typeAndLeave)
    await page
      .getByRole('dialog', { name: 'Do you want to exit before saving?' })
      .getByRole('button', { name: 'Cancel' })
      .click()
    await expect(phone(page, 1)).toHaveValue('+356 9999 0000')
    await dialog(page).getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByRole('button', { name: 'Ok', exact: true }).click()
    await expect(section(page, 'Name and contacts').getByText('+356 2122 4455')).toBeVisible()
  })
})
