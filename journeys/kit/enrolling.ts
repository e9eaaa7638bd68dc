import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright'
import { codeAt } from '../../server/sessions/factors/totp-code.ts'
import { expect } from './visit.ts'

/** Acts as the authenticator app: confirms the displayed secret and returns the recovery codes. */
export async function confirmApp(page: Page, form: Locator): Promise<{ secret: string; codes: string[] }> {
  await expect(form.getByRole('img', { name: /QR code/ })).toBeVisible()
  const secret = ((await form.locator('code').textContent()) ?? '').replace(/\s/g, '')
  assert.match(secret, /^[A-Z2-7]{32}$/)
  await form.getByLabel('Code from the app').fill(codeAt(secret, new Date()))
  await form.getByRole('button', { name: 'Confirm the code' }).click()
  const list = page.getByRole('list', { name: 'Recovery codes' })
  await expect(list.getByRole('listitem')).toHaveCount(10)
  const codes = await list.getByRole('listitem').allInnerTexts()
  // They are shown only once, so no key closes them.
  await page.keyboard.press('Escape')
  await expect(list).toBeVisible()
  await page.getByRole('button', { name: 'I have saved the codes' }).click()
  return { secret, codes }
}
