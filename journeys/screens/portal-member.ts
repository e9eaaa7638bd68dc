import { join } from 'node:path'
import { texts } from '@atrium/contract/texts.ts'
import { expect } from '../kit/visit.ts'
import { heading, openFailed, openSettled, type Screen } from './screen.ts'

/** The member: terms, profile, password, and the clients of a sales person. */
export const memberScreens: Screen[] = [
  {
    name: 'terms',
    state: 'in place',
    viewer: 'new',
    open: (page) => openSettled(page, '/funds/deposit', (on) => heading(on, 'Client agreement')),
  },
  {
    name: 'change password',
    state: 'full',
    viewer: 'member',
    open: (page) => openSettled(page, '/profile/change_password', (on) => on.getByLabel('Current password')),
  },
  ...(
    [
      ['phones', 'Change phone numbers'],
      ['address', 'Add address'],
      ['picture', 'Add a picture'],
    ] as const
  ).map(
    ([state, button]): Screen => ({
      name: 'profile',
      state,
      viewer: 'member',
      async open(page) {
        await openSettled(page, '/profile', (on) => on.getByText('This device'))
        await page.getByRole('button', { name: button, exact: true }).click()
        await expect(page.getByRole('dialog').locator('[data-autofocus]')).toBeFocused()
      },
    }),
  ),
  {
    name: 'terms',
    state: 'over the page',
    viewer: 'new',
    async open(page) {
      await page.route('**/members/terms', async (route) => {
        const answer = await route.fetch()
        const body = await answer.json()
        const terms = body.terms.map((each: object) => ({ ...each, blocked_portal_sections: ['all'] }))
        await route.fulfill({ response: answer, json: { ...body, terms } })
      })
      await openSettled(page, '/home/', (on) => on.getByRole('dialog', { name: 'Client agreement' }))
    },
  },
  {
    name: 'profile',
    state: 'wrong phones',
    viewer: 'member',
    async open(page) {
      await openSettled(page, '/profile', (on) => on.getByText('This device'))
      await page.getByRole('button', { name: 'Change phone numbers' }).click()
      for (const _ of [2, 3]) await page.getByRole('button', { name: 'Add a phone number' }).click()
      await page.getByRole('textbox', { name: 'Phone number 2' }).fill('call me')
      await page.getByRole('textbox', { name: 'Phone number 3' }).fill('12')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(page.getByText(/^Please check: /)).toBeVisible()
    },
  },
  {
    name: 'profile',
    state: 'cutting a picture',
    viewer: 'member',
    async open(page) {
      await openSettled(page, '/profile', (on) => on.getByText('This device'))
      await page.getByRole('button', { name: 'Add a picture', exact: true }).click()
      await page.getByLabel('Picture file').setInputFiles(join(import.meta.dirname, '../../demo/receipts/transfer.png'))
      await expect(page.getByRole('slider', { name: 'Zoom' })).toBeVisible()
    },
  },
  {
    name: 'security',
    state: 'setting up an app',
    viewer: 'member',
    async open(page) {
      await openSettled(page, '/profile', (on) => on.getByText('This device'))
      await page.getByRole('button', { name: 'Set up an app' }).click()
      await expect(page.getByRole('button', { name: 'Copy Secret' })).toBeVisible()
    },
  },
  {
    name: 'security',
    state: 'asked for a factor',
    viewer: 'member',
    open: (page) => openSettled(page, '/second-factor', (on) => on.getByRole('button', { name: 'Authenticator app' })),
  },
  {
    name: 'change password',
    state: 'gaps',
    viewer: 'member',
    async open(page) {
      await openSettled(page, '/profile/change_password', (on) => on.getByLabel('Current password'))
      await page.getByLabel('New password', { exact: true }).fill('lighthouse-keeper')
      await page.getByRole('button', { name: 'Change password' }).click()
      await expect(page.getByText(/^Please check: /)).toBeVisible()
    },
  },
  {
    name: 'sales',
    state: 'full',
    viewer: 'sales',
    open: (page) => openSettled(page, '/sales', (on) => on.getByText('Aisha Rahman')),
  },
  {
    name: 'sales',
    state: 'empty',
    viewer: 'sales',
    open: (page) => openSettled(page, '/sales?q=nobody', (on) => on.getByText(texts.noResults)),
  },
  {
    name: 'sales',
    state: 'error',
    viewer: 'sales',
    open: (page) => openFailed(page, '/sales'),
  },
]
