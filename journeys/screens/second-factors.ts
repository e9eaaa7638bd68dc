/**
 * Second factors at portal and desk. The server's responses are stubbed: nobody in the demo has a factor, and one that a
 * screen enrolled would be asked for by the next.
 */

import type { Page } from 'playwright'
import { demoPassword, signIns } from '../../demo/harbour-markets.ts'
import { enterCredentials } from '../kit/people.ts'
import { expect } from '../kit/visit.ts'
import { openSettled, type Screen, type Viewer } from './screen.ts'

type House = { name: string; base: string; own: string; login: string; email: string; viewer: Viewer }

const houses: House[] = [
  {
    name: 'second factor',
    base: '/members',
    own: '/profile',
    login: '/login',
    email: signIns.member,
    viewer: 'member',
  },
  {
    name: 'desk second factor',
    base: '/desk/api',
    own: '/desk/security',
    login: '/desk/login',
    email: signIns.staff,
    viewer: 'staff',
  },
]

const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const recoveryCodes = [...'ABCDEFGHIJ'].map((letter) => `${letter}7KQ-M2XD-9RTV-H4WP`)

const security = {
  is_required: false,
  must_enrol: false,
  totp: null as null | { created_at: number },
  passkeys: [] as object[],
  recovery_codes_left: 0,
  proof_methods: ['password'],
  proven_until: null as null | number,
  withdrawals_held_until: null,
}

async function answer(page: Page, path: string, json: object): Promise<void> {
  await page.route(`**${path}`, (route) => route.fulfill({ json: { status: 'ok', ...json } }))
}

async function withSecurity(page: Page, { base }: House, change: Partial<typeof security> = {}): Promise<void> {
  const proven_until = Date.now() + 900_000
  await answer(page, `${base}/security`, { security: { ...security, proven_until, ...change } })
  await answer(page, `${base}/security/totp/start`, {
    secret,
    uri: `otpauth://totp/Harbour%20Markets:member?secret=${secret}&issuer=Harbour%20Markets`,
  })
  const added = { msg: ['Added.'], recovery_codes: recoveryCodes }
  await answer(page, `${base}/security/totp/confirm`, added)
}

async function openApp(page: Page, house: House): Promise<void> {
  await withSecurity(page, house)
  await openSettled(page, house.own, (on) => on.getByRole('button', { name: 'Set up an app' }))
  await page.getByRole('button', { name: 'Set up an app' }).click()
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
}

function screensOf(house: House): Screen[] {
  const { name, viewer, own } = house
  return [
    {
      name,
      state: 'factors',
      viewer,
      async open(page) {
        const passkeys = ['Work laptop', 'A key with quite a long name that somebody gave it'].map((key, index) => ({
          _id: `0190a0b0-0000-7000-8000-00000000000${index}`,
          name: key,
          created_at: Date.now() - 86_400_000,
          last_used_at: index === 0 ? Date.now() - 3_600_000 : null,
        }))
        const totp = { created_at: Date.now() - 172_800_000 }
        await withSecurity(page, house, { totp, passkeys, recovery_codes_left: 8 })
        await openSettled(page, own, (on) => on.getByText('Work laptop'))
      },
    },
    { name, state: 'app', viewer, open: (page) => openApp(page, house) },
    {
      name,
      state: 'recovery codes',
      viewer,
      async open(page) {
        await openApp(page, house)
        await page.getByLabel('Code from the app').fill('123456')
        await page.getByRole('button', { name: 'Confirm the code' }).click()
        await expect(page.getByRole('list', { name: 'Recovery codes' })).toBeVisible()
      },
    },
    {
      name,
      state: 'proof',
      viewer,
      async open(page) {
        await withSecurity(page, house, { proven_until: null })
        await openSettled(page, own, (on) => on.getByRole('button', { name: 'Set up an app' }))
        await page.getByRole('button', { name: 'Set up an app' }).click()
        await expect(page.getByRole('dialog').getByLabel('Current password')).toBeVisible()
      },
    },
    {
      name,
      state: 'enrolment',
      viewer,
      async open(page) {
        await withSecurity(page, house, { is_required: true, must_enrol: true })
        await openSettled(page, house.viewer === 'staff' ? '/desk/second-factor' : '/second-factor', (on) =>
          on.getByRole('button', { name: 'Authenticator app' }),
        )
      },
    },
    {
      name,
      state: 'second step',
      viewer: 'nobody',
      async open(page) {
        const methods = ['code', 'recovery_code']
        const second_factor = { challenge: 'asked', expires_at: Date.now() + 300_000, methods, passkey: null }
        await page.route(`**${house.base}/login`, (route) =>
          route.fulfill({ json: { status: 'second_factor_required', second_factor } }),
        )
        await page.goto(house.login)
        await enterCredentials(page, { email: house.email, password: demoPassword })
        await expect(page.getByLabel('Code from your authenticator app')).toBeVisible()
      },
    },
  ]
}

export const secondFactorScreens: Screen[] = houses.flatMap(screensOf)
