import { texts } from '@atrium/contract/texts.ts'
import type { Page } from 'playwright'
import { expect } from '../kit/visit.ts'
import { openSettled, type Screen } from './screen.ts'

async function openComplaint(page: Page): Promise<void> {
  await openSettled(page, '/home/', (on) => on.getByText('Equity in USD'))
  const trigger = page.getByRole('button', { name: 'Complaint' })
  // On a phone it is in the More menu.
  const more = page.getByRole('button', { name: 'More' })
  await expect(trigger.or(more).filter({ visible: true }).first()).toBeVisible()
  if (!(await trigger.isVisible())) await more.click()
  await trigger.click()
  await expect(page.getByRole('dialog', { name: 'Complaint' })).toBeVisible()
}

/** The layout around the portal's pages, and its overlays. */
export const shellScreens: Screen[] = [
  {
    name: 'home',
    state: 'leaving',
    viewer: 'member',
    async open(page) {
      await openSettled(page, '/home/', (on) => on.getByText('Equity in USD'))
      await page.getByRole('button', { name: /^Profile menu of / }).click()
      await page.getByRole('menuitem', { name: 'Logout' }).click()
      await expect(page.getByRole('button', { name: 'Stay signed in' })).toBeFocused()
    },
  },
  {
    name: 'shell',
    state: 'search',
    viewer: 'member',
    async open(page) {
      await openSettled(page, '/home/', (on) => on.getByText('Equity in USD'))
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: /^Search for/ }).fill('usd')
      await expect(page.getByRole('option', { name: /#700123/ })).toBeVisible()
      await expect(page.getByText(/^\d+ found$/)).toBeVisible()
    },
  },
  {
    name: 'notices',
    state: 'full',
    viewer: 'member',
    async open(page) {
      await openSettled(page, '/home/', (on) => on.getByText('Equity in USD'))
      await page.getByRole('button', { name: /^Notifications, \d+ unread$/ }).click()
      await expect(page.getByRole('dialog', { name: 'Notifications' }).getByRole('listitem').nth(14)).toBeAttached()
    },
  },
  {
    name: 'notices',
    state: 'empty',
    viewer: 'new',
    async open(page) {
      await openSettled(page, '/home/', (on) => on.getByRole('heading', { level: 1 }))
      const none = { status: 'ok', notices: [], more: false, unread: 0, number: 0 }
      await page.route('**/members/notices?**', (route) => route.fulfill({ json: none }))
      await page.getByRole('button', { name: 'Notifications' }).click()
      const shown = page.getByRole('dialog', { name: 'Notifications' })
      await shown.getByText('Unread', { exact: true }).first().click({ force: true })
      await expect(shown.getByText('No unread notifications')).toBeVisible()
    },
  },
  {
    name: 'notices',
    state: 'ending mails',
    viewer: 'nobody',
    async open(page) {
      await openSettled(page, '/end-mails/example', (on) => on.getByRole('button', { name: 'Unsubscribe' }))
    },
  },
  {
    name: 'shell',
    state: 'search before a word',
    viewer: 'member',
    async open(page) {
      await openSettled(page, '/home/', (on) => on.getByText('Equity in USD'))
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('option', { name: 'Accounts', exact: true })).toBeVisible()
    },
  },
  {
    name: 'shell',
    state: 'complaint',
    viewer: 'member',
    async open(page) {
      await openComplaint(page)
      await page.getByRole('button', { name: 'Create Ticket' }).click()
      await expect(page.getByText('Please check: Subject, Description')).toBeVisible()
    },
  },
  {
    name: 'shell',
    state: 'leaving a form',
    viewer: 'member',
    async open(page) {
      await openComplaint(page)
      await page.getByLabel('Subject').fill('A balance is late')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog', { name: 'Do you want to exit before saving?' })).toBeVisible()
    },
  },
  {
    name: 'shell',
    state: 'newer version',
    viewer: 'member',
    async open(page) {
      await openSettled(page, '/home/', (on) => on.getByText('Equity in USD'))
      await page.route('**/members/search?**', async (route) => {
        const answer = await route.fetch()
        await route.fulfill({ response: answer, headers: { ...answer.headers(), 'x-app-version': 'next' } })
      })
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: /^Search for/ }).fill('usd')
      await expect(page.getByText('A new version is available.')).toBeAttached()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    },
  },
  {
    name: 'shell',
    state: 'offline',
    viewer: 'member',
    async open(page) {
      await openSettled(page, '/home/', (on) => on.getByText('Equity in USD'))
      // Simulates the browser's offline event; the next page restores the network.
      await page.evaluate("dispatchEvent(new Event('offline'))")
      await expect(page.getByText(/^You\u2019re offline\. Data/)).toBeVisible()
    },
  },
  {
    name: 'shell',
    state: 'more',
    viewer: 'member',
    async open(page) {
      await openSettled(page, '/home/', (on) => on.getByText('Equity in USD'))
      const more = page.getByRole('button', { name: 'More' })
      // Where there is no bottom bar, the user menu opens.
      if (await more.isVisible()) await more.click()
      else await page.getByRole('button', { name: /^Profile menu of / }).click()
      await expect(page.getByRole('dialog').or(page.getByRole('menu'))).toBeVisible()
    },
  },
  {
    name: 'elsewhere',
    state: 'not loaded',
    viewer: 'member',
    async open(page) {
      await page.route('**/assets/accounts-page-*.js', (route) => route.fulfill({ status: 404, body: '' }))
      await page.goto('/accounts')
      await expect(page.getByText(texts.sectionMissing)).toBeVisible()
    },
  },
  ...[
    ['not found', '/no/such/page', texts.notFoundPage],
    ['unauthorized', '/unauthorized', 'You do not have access to this page'],
  ].map(
    ([state = '', path = '', sentence = '']): Screen => ({
      name: 'elsewhere',
      state,
      viewer: 'member',
      open: (page) => openSettled(page, path, (on) => on.getByText(sentence)),
    }),
  ),
]
