// spec: DK platforms
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright'
import { chooseOption } from '../kit/depositing.ts'
import { openingForm } from '../kit/opening.ts'
import { signInAsMember, signInAsStaff } from '../kit/people.ts'
import { ageProofs, proveAnew } from '../kit/proving.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

describe('an administrator manages the trading platforms', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  async function openPlatform(page: Page, name: string, part: string): Promise<void> {
    await page.goto('/desk/platforms')
    await page.getByRole('link', { name: new RegExp(name) }).click()
    await page.getByRole('link', { name: part, exact: true }).click()
    await expect(page.getByRole('form', { name: part })).toBeVisible()
  }

  it('names a group, and members choose it by that name', async () => {
    const { page } = await testApp.visit()
    await signInAsStaff(page)
    await openPlatform(page, 'Harbour MT5', 'Name and groups')
    const groups = page.getByRole('list', { name: 'Groups on offer' })
    await groups.getByLabel('Shown as').first().fill('Harbour Prime')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('No changes to save.')).toBeVisible()
    const member = (await testApp.visit()).page
    await signInAsMember(member)
    await member.goto('/accounts/open-live-account')
    const form = openingForm(member, 'live')
    await form.platform('Harbour MT5').check()
    await chooseOption(member, form.group, /Harbour Prime/)
  })

  it('offers a download to members, and archives another', async () => {
    const { page, expectStatus } = await testApp.visit()
    await signInAsStaff(page)
    await openPlatform(page, 'Harbour MT4', 'Downloads')
    await page.getByRole('button', { name: 'Archive MetaTrader 4 for Android' }).click()
    await page.getByRole('button', { name: 'Add a download' }).click()
    const added = page.getByRole('list', { name: 'Downloads' }).getByRole('listitem').last()
    await added.getByLabel('Name').fill('Charts on the web')
    await added.getByLabel('Link').fill('javascript:alert(1)')
    expectStatus(422)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByRole('form', { name: 'Downloads' }).getByRole('alert')).toBeVisible()
    await expect(page.getByText('Please check: Downloads')).toBeVisible()
    await added.getByLabel('Link').fill('https://charts.example.com/')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('No changes to save.')).toBeVisible()
    const member = (await testApp.visit()).page
    await signInAsMember(member)
    await member.goto('/platforms')
    await expect(member.getByText('Charts on the web')).toBeVisible()
    await expect(member.getByText('MetaTrader 4 for Windows')).toBeVisible()
    await expect(member.getByText('MetaTrader 4 for Android')).toHaveCount(0)
  })

  it('disables a platform after re-authentication; it is no longer offered, and its accounts keep their last metrics', async () => {
    const { page, expectStatus } = await testApp.visit()
    await signInAsStaff(page)
    await openPlatform(page, 'Harbour MT4', 'Connection')
    await page.getByRole('button', { name: 'Test the connection' }).click()
    await expect(page.getByText('It accepts our login.')).toBeVisible()
    const { system } = testApp
    await ageProofs(system)
    await page.getByRole('switch', { name: 'Switched on' }).uncheck()
    expectStatus(403)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await proveAnew(page)
    await expect(page.getByText('No changes to save.')).toBeVisible()
    const member = (await testApp.visit()).page
    await signInAsMember(member)
    await member.goto('/accounts/open-live-account')
    const form = openingForm(member, 'live')
    await expect(form.group).toBeVisible()
    await expect(form.platform('Harbour MT4')).toHaveCount(0)
    await member.goto('/accounts')
    await expect(member.getByText('400310').first()).toBeVisible()
  })
})
