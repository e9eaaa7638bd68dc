import type { Page } from 'playwright'
import { expect } from '../kit/visit.ts'
import { openFailed, openLoading, openSettled, type Screen } from './screen.ts'

const openList = (page: Page): Promise<void> =>
  openSettled(page, '/desk/providers', (on) => on.getByRole('link', { name: /Zota/ }))

async function openPart(page: Page, part: string): Promise<void> {
  await openList(page)
  await page.getByRole('link', { name: /Zota/ }).click()
  await page.getByRole('link', { name: part, exact: true }).click()
  await expect(page.getByRole('form', { name: part })).toBeVisible()
}

/** The settings of the payment providers. */
export const deskProviderScreens: Screen[] = [
  { name: 'desk providers', state: 'full', viewer: 'staff', open: openList },
  { name: 'desk providers', state: 'loading', viewer: 'staff', open: (page) => openLoading(page, '/desk/providers') },
  { name: 'desk providers', state: 'error', viewer: 'staff', open: (page) => openFailed(page, '/desk/providers') },
  ...['Connection', 'Offer to members'].map(
    (part): Screen => ({
      name: 'desk provider',
      state: part.toLowerCase(),
      viewer: 'staff',
      open: (page) => openPart(page, part),
    }),
  ),
  {
    name: 'desk provider',
    state: 'tested',
    viewer: 'staff',
    async open(page) {
      await openPart(page, 'Connection')
      await page.getByRole('button', { name: 'Test connection' }).click()
      await expect(page.getByText('It accepts our settings.')).toBeVisible()
    },
  },
]
