import type { Page } from 'playwright'
import { expect } from '../kit/visit.ts'
import { openFailed, openLoading, openSettled, type Screen } from './screen.ts'

const openList = (page: Page): Promise<void> =>
  openSettled(page, '/desk/platforms', (on) => on.getByRole('link', { name: /Harbour MT5/ }))

async function openPart(page: Page, part: string): Promise<void> {
  await openList(page)
  await page.getByRole('link', { name: /Harbour MT5/ }).click()
  await page.getByRole('link', { name: part, exact: true }).click()
  await expect(page.getByRole('form', { name: part })).toBeVisible()
}

/** The settings of the trading platforms. */
export const deskPlatformScreens: Screen[] = [
  { name: 'desk platforms', state: 'full', viewer: 'staff', open: openList },
  {
    name: 'desk platforms',
    state: 'adding',
    viewer: 'staff',
    async open(page) {
      await openList(page)
      await page.getByRole('button', { name: 'Add a platform' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  {
    name: 'desk platforms',
    state: 'loading',
    viewer: 'staff',
    open: (page) => openLoading(page, '/desk/platforms'),
  },
  { name: 'desk platforms', state: 'error', viewer: 'staff', open: (page) => openFailed(page, '/desk/platforms') },
  ...['Name and groups', 'Connection', 'Downloads'].map(
    (part): Screen => ({
      name: 'desk platform',
      state: part.toLowerCase(),
      viewer: 'staff',
      open: (page) => openPart(page, part),
    }),
  ),
  {
    name: 'desk platform',
    state: 'tried',
    viewer: 'staff',
    async open(page) {
      await openPart(page, 'Connection')
      await page.getByRole('button', { name: 'Test the connection' }).click()
      await expect(page.getByText('It accepts our login.')).toBeVisible()
    },
  },
]
