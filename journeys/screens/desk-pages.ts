import { expect } from '../kit/visit.ts'
import { heading, openSettled, type Screen } from './screen.ts'

/** Standalone pages of the desk; each is ready when a given element is visible. */
export const deskPages: Screen[] = [
  {
    name: 'desk login',
    state: 'full',
    viewer: 'nobody',
    open: (page) => openSettled(page, '/desk/login', (on) => heading(on, 'Sign in')),
  },
  {
    name: 'desk login',
    state: 'reset',
    viewer: 'nobody',
    open: (page) => openSettled(page, '/desk/forgot-password', (on) => heading(on, 'Reset your password')),
  },
  {
    name: 'desk login',
    state: 'spent link',
    viewer: 'nobody',
    open: (page) => openSettled(page, '/desk/reset-password', (on) => heading(on, 'Set a password')),
  },
  ...(['reset', 'invitation'] as const).map(
    (purpose): Screen => ({
      name: 'desk login',
      state: purpose === 'reset' ? 'new password' : 'invitation',
      viewer: 'nobody',
      async open(page) {
        await page.route('**/desk/api/reset-password/check-code', (route) =>
          route.fulfill({ json: { status: 'ok', purpose } }),
        )
        await page.goto('/desk/reset-password/any-code')
        await expect(page.getByLabel('New password', { exact: true })).toBeVisible()
      },
    }),
  ),
  ...['brand', 'features', 'accounts', 'security', 'permissions', 'lists', 'vendors', 'taxonomies'].map(
    (section): Screen => ({
      name: 'desk settings',
      state: section,
      viewer: 'staff',
      open: (page) =>
        openSettled(page, `/desk/settings/${section}`, (on) => on.getByRole('button', { name: 'Save changes' })),
    }),
  ),
  {
    name: 'desk settings',
    state: 'kept times',
    viewer: 'staff',
    async open(page) {
      await openSettled(page, '/desk/settings/security', (on) => on.getByRole('button', { name: 'Save changes' }))
      await page.getByText('Fixed retention').click()
      await expect(page.getByText('Password links', { exact: true })).toBeVisible()
    },
  },
  {
    name: 'desk setup',
    state: 'full',
    viewer: 'staff',
    open: (page) => openSettled(page, '/desk/setup', (on) => on.getByRole('list', { name: 'Setup' })),
  },
  {
    name: 'desk staff',
    state: 'full',
    viewer: 'staff',
    open: (page) => openSettled(page, '/desk/staff', (on) => on.getByText('staff@atrium.demo').last()),
  },
  {
    name: 'desk staff',
    state: 'inviting',
    viewer: 'staff',
    async open(page) {
      await openSettled(page, '/desk/staff', (on) => on.getByText('staff@atrium.demo').last())
      await page.getByRole('button', { name: 'Invite a colleague' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  {
    name: 'desk accounts',
    state: 'assigning',
    viewer: 'staff',
    async open(page) {
      await openSettled(page, '/desk/accounts', (on) => on.getByText('Elena Rossi'))
      await page.getByRole('button', { name: 'Assign to a member: 700088' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  {
    name: 'desk trading account',
    state: 'full',
    viewer: 'staff',
    async open(page) {
      await openSettled(page, '/desk/members?q=700123', (on) => on.getByRole('list', { name: 'Members' }))
      await page.getByRole('list', { name: 'Members' }).getByRole('link').first().click()
      await page.getByRole('region', { name: 'Trading accounts' }).getByRole('link', { name: 'MT5 700123' }).click()
      await expect(page.getByRole('table', { name: 'Portal and platform' })).toBeVisible()
      await expect(
        page
          .getByRole('table', { name: 'Trade history' })
          .or(page.getByRole('list', { name: 'Trade history' }))
          .first(),
      ).toBeVisible()
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    },
  },
  {
    name: 'desk account',
    state: 'full',
    viewer: 'staff',
    open: (page) => openSettled(page, '/desk/account', (on) => on.getByText('This device')),
  },
]
