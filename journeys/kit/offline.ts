import { texts } from '@atrium/contract/texts.ts'
import type { Locator, Page } from 'playwright'
import { signInAsMember } from './people.ts'
import type { TestApp } from './test-app.ts'
import { expect, type Visit, withoutLiveMetrics } from './visit.ts'

/** A signed-in member whose requests may find no network. */
export async function visitor(
  testApp: TestApp,
  signIn: (page: Page) => Promise<void> = signInAsMember,
): Promise<Visit> {
  const visit = await testApp.visit()
  visit.expectFailure('net::ERR_INTERNET_DISCONNECTED')
  await withoutLiveMetrics(visit.page)
  await signIn(visit.page)
  return visit
}

const dialogs = ['confirm-dialog', 'overlays']

/** Cuts the network once the dialogs have loaded, which they do a moment after the page. */
export async function goOffline({ page, context }: Visit): Promise<void> {
  const loaded = `performance.getEntriesByType('resource').map(({ name }) => name)`
  await expect
    .poll(async () => {
      const names = await page.evaluate<string[]>(loaded)
      return dialogs.filter((dialog) => !names.some((name) => name.includes(`/${dialog}-`)))
    })
    .toEqual([])
  await context.setOffline(true)
}

/** Expects the error beside the button immediately, and the button to be enabled again. */
export async function isRefused(page: Page, button: Locator): Promise<void> {
  await button.click()
  await expect(page.getByRole('alert').filter({ hasText: texts.offline })).toHaveCount(1)
  await expect(button).toBeEnabled()
  await expect(button).not.toHaveAttribute('data-loading')
}

/** Goes back online and waits until the page is idle, so that any queued request would have been sent. */
export async function comeBack({ page, context }: Visit): Promise<void> {
  await context.setOffline(false)
  await expect(page.getByText(/^You\u2019re offline\. Data/)).toHaveCount(0)
  await expect.poll(() => page.evaluate('navigator.onLine')).toBe(true)
  await page.waitForLoadState('networkidle')
}
