import type { Locator, Page } from 'playwright'
import { demoPassword, signIns } from '../../demo/harbour-markets.ts'
import { expect } from './visit.ts'

type Person = keyof typeof signIns

/** Fills the form on the page and submits it by mouse. */
export async function enterCredentials(page: Page, credentials: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(credentials.email)
  await page.getByLabel('Password', { exact: true }).fill(credentials.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

export async function signInAsMember(page: Page, person: Exclude<Person, 'staff'> = 'member'): Promise<void> {
  await page.goto('/login')
  await enterCredentials(page, { email: signIns[person], password: demoPassword })
  await expect(page).toHaveURL(/\/home\/?$/)
  await expect(page.getByRole('heading', { level: 1, name: /^Hello, / })).toBeVisible()
}

export async function signInAsStaff(page: Page): Promise<void> {
  await page.goto('/desk/login')
  await enterCredentials(page, { email: signIns.staff, password: demoPassword })
  await expect(page).toHaveURL(/\/desk\/deposits/)
  await expect(page.getByRole('list', { name: 'Deposits' })).toBeVisible()
}

/** The menu of portal or desk, also while a dialog is open. */
export const menuOf = (page: Page): Locator => page.getByRole('navigation', { name: 'Main menu', includeHidden: true })
