import type { Locator, Page } from 'playwright'
import { chooseOption } from './depositing.ts'
import { expect } from './visit.ts'

/** A password that every demo platform accepts: four character classes, and not too long. */
export const tradingPassword = 'Tidal-Gauge-71'

export function openingForm(page: Page, kind: 'live' | 'demo') {
  return {
    platform: (name: string): Locator => page.getByRole('radio', { name }),
    group: page.getByRole('combobox', { name: 'Group' }),
    leverage: page.getByRole('combobox', { name: 'Leverage' }),
    password: page.getByLabel('Password', { exact: true }),
    confirmation: page.getByLabel('Confirm password', { exact: true }),
    open: page.getByRole('button', { name: `Open ${kind} account`, exact: true }),
  }
}

type Wanted = { kind: 'live' | 'demo'; platform: string; group: RegExp; leverage?: RegExp; password?: string }

/** Fills the whole form; the journey submits it. */
export async function fillOpening(page: Page, wanted: Wanted): Promise<void> {
  const { kind, platform, group, leverage, password = tradingPassword } = wanted
  const form = openingForm(page, kind)
  await page.goto(`/accounts/open-${kind}-account`)
  await form.platform(platform).check()
  await chooseOption(page, form.group, group)
  if (leverage) await chooseOption(page, form.leverage, leverage)
  await form.password.fill(password)
  await form.confirmation.fill(password)
}

/** Reads the login that the success card shows. */
export async function readOpened(page: Page, kind: 'live' | 'demo'): Promise<string> {
  await expect(page.getByRole('heading', { name: `Your ${kind} account is open` })).toBeVisible({ timeout: 30_000 })
  const login = await page.locator('dt', { hasText: 'Login' }).locator('xpath=following-sibling::dd').textContent()
  return (login ?? '').trim()
}
