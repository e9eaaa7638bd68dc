import { texts } from '@atrium/contract/texts.ts'
import { expect } from '../visit.ts'
import { heading, openFailed, openSettled, type Screen } from './screen.ts'

/** The member: terms, profile, password, and the clients of one who sells. */
export const memberScreens: Screen[] = [
  {
    name: 'terms',
    state: 'in place',
    onlooker: 'new',
    open: (page) => openSettled(page, '/funds/deposit', (on) => heading(on, 'Client agreement')),
  },
  {
    name: 'change password',
    state: 'full',
    onlooker: 'member',
    open: (page) => openSettled(page, '/profile/change_password', (on) => on.getByLabel('Current password')),
  },
  ...(
    [
      ['phones', 'Change phones'],
      ['address', 'Add address'],
      ['picture', 'Add a picture'],
    ] as const
  ).map(
    ([state, button]): Screen => ({
      name: 'profile',
      state,
      onlooker: 'member',
      async open(page) {
        await openSettled(page, '/profile', (on) => on.getByText('This device'))
        await page.getByRole('button', { name: button, exact: true }).click()
        await expect(page.getByRole('dialog').locator('[data-autofocus]')).toBeFocused()
      },
    }),
  ),
  {
    name: 'change password',
    state: 'gaps',
    onlooker: 'member',
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
    onlooker: 'sales',
    open: (page) => openSettled(page, '/sales', (on) => on.getByText('Aisha Rahman')),
  },
  {
    name: 'sales',
    state: 'empty',
    onlooker: 'sales',
    open: (page) => openSettled(page, '/sales?q=nobody', (on) => on.getByText(texts.noResults)),
  },
  {
    name: 'sales',
    state: 'error',
    onlooker: 'sales',
    open: (page) => openFailed(page, '/sales'),
  },
]
