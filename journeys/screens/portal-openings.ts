import { openingTexts } from '@atrium/contract/openings/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { Page, Route } from 'playwright'
import { fillOpening, openingForm } from '../kit/opening.ts'
import { expect } from '../kit/visit.ts'
import { openFailed, openLoading, openSettled, type Screen } from './screen.ts'

const live = '/accounts/open-live-account'
const demo = '/accounts/open-demo-account'
const platform = { _id: '0190a0b0-0000-7000-8000-000000000011', type: 'mt5', name: 'Harbour MT5' }
const asked = { trading_platform: platform, group: 'real\\standard-usd', leverage: 100, created_at: 1_763_717_000_000 }
const underWay = { _id: '0190a0b0-0000-7000-8000-000000000012', kind: 'live', ...asked }
const opened = {
  ...asked,
  _id: '0190a0b0-0000-7000-8000-000000000013',
  platform_login: '700131',
  platform_type: 'mt5',
  currency: 'USD',
  balance: '0.00',
  starting_balance: null,
  live_account: true,
  status: 'active',
  deleted: false,
}

const answer = (page: Page, path: string, json: object, status = 200) =>
  page.route(`**${path}`, (route) => route.fulfill({ status, json }))

/** Returns the real configuration with some values changed. */
async function configure(page: Page, change: (config: Record<string, unknown>) => object): Promise<void> {
  await page.route('**/members/trading/configuration', async (route: Route) => {
    const { status, config } = await (await route.fetch()).json()
    await route.fulfill({ json: { status, config: { ...config, ...change(config) } } })
  })
}

const openForm = (page: Page, path: string) =>
  openSettled(page, path, (on) => openingForm(on, path === live ? 'live' : 'demo').open)

async function send(page: Page, kind: 'live' | 'demo', json: object, status: number): Promise<void> {
  await fillOpening(page, { kind, platform: 'Harbour MT5', group: kind === 'live' ? /Standard USD/ : /Demo/ })
  await answer(page, `/members/trading/open-${kind}-account`, json, status)
  await openingForm(page, kind).open.click()
}

/** Opening an account: the form, its outcomes, and why it may be unavailable. */
export const openingScreens: Screen[] = [
  { name: 'open account', state: 'full', viewer: 'member', open: (page) => openForm(page, live) },
  { name: 'open account', state: 'demo', viewer: 'member', open: (page) => openForm(page, demo) },
  { name: 'open account', state: 'loading', viewer: 'member', open: (page) => openLoading(page, live) },
  { name: 'open account', state: 'error', viewer: 'member', open: (page) => openFailed(page, live) },
  {
    name: 'open account',
    state: 'gaps',
    viewer: 'member',
    async open(page) {
      await openForm(page, live)
      await openingForm(page, 'live').open.click()
      await expect(page.getByText(openingTexts.openingIncomplete)).toBeVisible()
    },
  },
  {
    name: 'open account',
    state: 'refused',
    viewer: 'member',
    async open(page) {
      const errors = { main_password: [openingTexts.openingPasswordRefused] }
      await send(page, 'live', { status: 'error', code: 'invalid_input', error: texts.fieldsMissing, errors }, 422)
      await expect(page.getByText(openingTexts.openingPasswordRefused).first()).toBeVisible()
    },
  },
  {
    name: 'open account',
    state: 'opened',
    viewer: 'member',
    async open(page) {
      await send(page, 'live', { status: 'ok', trading_account: opened }, 200)
      await expect(page.getByRole('heading', { name: 'Your live account is open' })).toBeFocused()
    },
  },
  {
    name: 'open account',
    state: 'demo opened',
    viewer: 'member',
    async open(page) {
      const account = { ...opened, live_account: false, group: 'demo\\standard-usd', starting_balance: '10000.00' }
      await send(page, 'demo', { status: 'ok', trading_account: account }, 200)
      await expect(page.getByRole('heading', { name: 'Your demo account is open' })).toBeFocused()
    },
  },
  ...(['under_way', 'checking'] as const).map(
    (state): Screen => ({
      name: 'open account',
      state: state === 'checking' ? 'verifying' : 'being opened',
      viewer: 'member',
      async open(page) {
        await answer(page, '/members/trading/openings', { status: 'ok', openings: [{ ...underWay, state }], ended: [] })
        await openSettled(page, live, (on) => on.getByRole('heading', { name: 'Your live account' }))
      },
    }),
  ),
  {
    name: 'open account',
    state: 'documents missing',
    viewer: 'new',
    async open(page) {
      // Pending terms would cover the page; they have their own screen.
      await answer(page, '/members/terms', { status: 'ok', terms: [] })
      await openSettled(page, live, (on) => on.getByText(openingTexts.openingKyc))
    },
  },
  {
    name: 'open account',
    state: 'limit reached',
    viewer: 'member',
    async open(page) {
      const rule = { enabled: true, account_limit: 1, require_kyc: true }
      await configure(page, () => ({ acc_creation_live_configuration: rule }))
      await openSettled(page, live, (on) => on.getByText(openingTexts.openingLimit))
    },
  },
  {
    name: 'open account',
    state: 'no groups',
    viewer: 'member',
    async open(page) {
      await configure(page, () => ({ platforms: [] }))
      await openSettled(page, live, (on) => on.getByText(openingTexts.openingNoGroups))
    },
  },
]
