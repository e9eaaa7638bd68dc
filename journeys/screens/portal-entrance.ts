import { texts } from '@atrium/contract/texts.ts'
import { expect } from '../kit/visit.ts'
import { heading, openSettled, type Screen } from './screen.ts'

/** Before sign-in: the sign-in page and the password reset. */
export const entranceScreens: Screen[] = [
  {
    name: 'login',
    state: 'full',
    viewer: 'nobody',
    open: (page) => openSettled(page, '/login', (on) => heading(on, 'Sign in')),
  },
  {
    name: 'login',
    state: 'refused',
    viewer: 'nobody',
    async open(page) {
      await page.goto('/login')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await expect(page.getByRole('alert')).toBeVisible()
    },
  },
  {
    name: 'reset',
    state: 'asking',
    viewer: 'nobody',
    async open(page) {
      await openSettled(page, '/forgot-password/', (on) => heading(on, 'Reset your password'))
      await page.getByRole('button', { name: 'Send reset link' }).click()
      await expect(page.getByText(texts.emailInvalid)).toBeVisible()
    },
  },
  {
    name: 'reset',
    state: 'new password',
    viewer: 'nobody',
    async open(page) {
      const user = { _id: '0190a0b0-0000-7000-8000-000000000001' }
      await page.route('**/reset-password/check-code', (route) => route.fulfill({ json: { status: 'ok', user } }))
      await page.goto('/reset-password/any-code')
      await page.getByLabel('New password', { exact: true }).fill('Lighthouse')
      await page.getByRole('button', { name: 'Set new password' }).click()
      await expect(page.getByLabel('New password', { exact: true })).toHaveAccessibleDescription(texts.passwordDigit)
    },
  },
  {
    name: 'reset',
    state: 'invitation',
    viewer: 'nobody',
    async open(page) {
      const answer = { status: 'ok', user: { _id: '0190a0b0-0000-7000-8000-000000000001' }, purpose: 'invitation' }
      await page.route('**/reset-password/check-code', (route) => route.fulfill({ json: answer }))
      await page.goto('/reset-password/any-code')
      await expect(page.getByRole('heading', { level: 1, name: 'Set your password' })).toBeVisible()
    },
  },
  {
    name: 'reset',
    state: 'invalid link',
    viewer: 'nobody',
    open: (page) => openSettled(page, '/reset-password/', (on) => on.getByText(texts.resetLinkInvalid)),
  },
]
