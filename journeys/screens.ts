import { texts } from '@atrium/contract/texts.ts'
import type { Locator, Page, Route } from 'playwright'
import { makeReceipt } from '../demo/receipt.ts'
import { chooseOption, type DepositWanted, depositForm, fillDeposit } from './depositing.ts'
import { expect } from './visit.ts'

/** Who looks: each has a browser of their own. */
export type Onlooker = 'nobody' | 'member' | 'new' | 'sales' | 'staff'

export type Screen = {
  name: string
  /** How it stands: with something to look at, with nothing, still loading, not loaded, or as named. */
  state: string
  onlooker: Onlooker
  /** Brings the page there and waits until it stands still. */
  open(page: Page): Promise<void>
}

const heading = (page: Page, name?: string): Locator =>
  page.getByRole('heading', name === undefined ? { level: 1 } : { level: 1, name })

const listCalls = ['/desk/api/deposits', '/desk/api/members', '/desk/api/audit', '/members/sales/clients']

/** Everything that a screen asks for once somebody is known to be signed in. */
function asksForData(url: string): boolean {
  const { pathname, searchParams } = new URL(url)
  if (listCalls.includes(pathname)) return true
  if (pathname !== '/graph') return false
  return !Buffer.from(searchParams.get('q') ?? '', 'base64url')
    .toString()
    .includes('CurrentMember')
}

async function whileAnswering(page: Page, answer: (route: Route) => unknown, path: string): Promise<void> {
  await page.route(
    (url) => asksForData(url.href),
    (route) => answer(route),
  )
  await page.goto(path)
}

async function openLoading(page: Page, path: string): Promise<void> {
  await whileAnswering(page, () => undefined, path) // The answers never come.
  await expect(page.locator('main [aria-busy="true"], main [role="status"]').first()).toBeVisible()
}

const fault = { status: 'error', code: 'fault', error: texts.requestFailed, request_id: 'none' }

async function openFailed(page: Page, path: string): Promise<void> {
  await whileAnswering(page, (route) => route.fulfill({ status: 500, json: fault }), path)
  await expect(page.getByRole('button', { name: 'Try again' }).first()).toBeVisible()
}

async function openSettled(page: Page, path: string, ready: (page: Page) => Locator): Promise<void> {
  await page.goto(path)
  await expect(ready(page)).toBeVisible()
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
}

type Listed = { name: string; path: string; full: (page: Page) => Locator; empty: (page: Page) => Locator }

const anAccount = (page: Page): Locator => page.getByText('Valletta', { exact: true }).first()
/** A card on a phone names the kind, a row of a table does not. */
const openName = (ticket = '\\d+'): RegExp => new RegExp(`^Open (transaction|deposit|withdrawal) ${ticket}$`, 'i')
const aTransaction = (page: Page): Locator => page.getByRole('button', { name: openName() }).first()

const lists: Listed[] = [
  {
    name: 'home',
    path: '/home/',
    full: (page) => page.getByText('Equity in USD'),
    empty: (page) => page.getByText('Make your first deposit'),
  },
  { name: 'accounts', path: '/accounts', full: anAccount, empty: (page) => page.getByText(texts.noAccounts) },
  {
    name: 'deposit',
    path: '/funds/deposit',
    full: (page) => depositForm(page).create,
    empty: (page) => page.getByText(texts.noAccounts),
  },
  {
    name: 'transactions',
    path: '/funds/transactions',
    full: aTransaction,
    empty: (page) => page.getByText(texts.noResults),
  },
  {
    name: 'profile',
    path: '/profile',
    full: (page) => page.getByText('This device'),
    empty: (page) => page.getByText('There are no bank accounts.'),
  },
]

const listScreens: Screen[] = lists.flatMap(({ name, path, full, empty }): Screen[] => [
  { name, state: 'full', onlooker: 'member', open: (page) => openSettled(page, path, full) },
  // Where the newest member would have nothing to deposit into, terms are to be accepted first.
  ...(name === 'deposit'
    ? []
    : [{ name, state: 'empty', onlooker: 'new' as const, open: (page: Page) => openSettled(page, path, empty) }]),
  { name, state: 'loading', onlooker: 'member', open: (page) => openLoading(page, path) },
  { name, state: 'error', onlooker: 'member', open: (page) => openFailed(page, path) },
])

const anyDeposit: DepositWanted = {
  login: '700123',
  amount: '2500',
  comment: 'Transfer of this morning',
  receipt: {
    name: 'transfer-receipt.pdf',
    mimeType: 'application/pdf',
    buffer: makeReceipt(['Transfer confirmation', 'Amount: 2500.00 USD', 'Reference: account 700123']),
  },
}

async function openComplaint(page: Page): Promise<void> {
  await openSettled(page, '/home/', (on) => on.getByText('Equity in USD'))
  const trigger = page.getByRole('button', { name: 'Complaint' })
  // On a phone it stands behind More.
  if (!(await trigger.isVisible())) await page.getByRole('button', { name: 'More' }).click()
  await trigger.click()
  await expect(page.getByRole('dialog', { name: 'Complaint' })).toBeVisible()
}

const portalScreens: Screen[] = [
  {
    name: 'terms',
    state: 'in place',
    onlooker: 'new',
    open: (page) => openSettled(page, '/funds/deposit', (on) => heading(on, 'Client agreement')),
  },
  {
    name: 'login',
    state: 'full',
    onlooker: 'nobody',
    open: (page) => openSettled(page, '/login', (on) => heading(on, 'Sign in')),
  },
  {
    name: 'login',
    state: 'refused',
    onlooker: 'nobody',
    async open(page) {
      await page.goto('/login')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await expect(page.getByRole('alert')).toBeVisible()
    },
  },
  {
    name: 'reset',
    state: 'asking',
    onlooker: 'nobody',
    async open(page) {
      await openSettled(page, '/forgot-password/', (on) => heading(on, 'Reset your password'))
      await page.getByRole('button', { name: 'Send reset link' }).click()
      await expect(page.getByText(texts.emailInvalid)).toBeVisible()
    },
  },
  {
    name: 'reset',
    state: 'new password',
    onlooker: 'nobody',
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
    state: 'invalid link',
    onlooker: 'nobody',
    open: (page) => openSettled(page, '/reset-password/', (on) => on.getByText(texts.resetLinkInvalid)),
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
    name: 'home',
    state: 'leaving',
    onlooker: 'member',
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
    onlooker: 'member',
    async open(page) {
      await openSettled(page, '/home/', (on) => on.getByText('Equity in USD'))
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: /^Search for/ }).fill('usd')
      await expect(page.getByRole('option', { name: /#700123/ })).toBeVisible()
      await expect(page.getByText(/^\d+ found$/)).toBeVisible()
    },
  },
  {
    name: 'shell',
    state: 'search before a word',
    onlooker: 'member',
    async open(page) {
      await openSettled(page, '/home/', (on) => on.getByText('Equity in USD'))
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('option', { name: 'Accounts', exact: true })).toBeVisible()
    },
  },
  {
    name: 'shell',
    state: 'complaint',
    onlooker: 'member',
    async open(page) {
      await openComplaint(page)
      await page.getByRole('button', { name: 'Open in my mail' }).click()
      await expect(page.getByText('Please check: Subject, Description')).toBeVisible()
    },
  },
  {
    name: 'shell',
    state: 'leaving a form',
    onlooker: 'member',
    async open(page) {
      await openComplaint(page)
      await page.getByLabel('Subject').fill('A figure is late')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog', { name: 'Do you want to exit before saving?' })).toBeVisible()
    },
  },
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
    name: 'accounts',
    state: 'other view',
    onlooker: 'member',
    async open(page) {
      await openSettled(page, '/accounts', anAccount)
      const isList = await page.getByRole('radio', { name: 'List view' }).isChecked()
      await page.getByText(isList ? 'Card view' : 'List view').click({ force: true })
      await expect(page.getByRole('radio', { name: isList ? 'Card view' : 'List view' })).toBeChecked()
      await page.evaluate("localStorage.removeItem('atrium.accounts-view')")
    },
  },
  {
    name: 'deposit',
    state: 'gaps',
    onlooker: 'member',
    async open(page) {
      await page.goto('/funds/deposit')
      await chooseOption(page, depositForm(page).account, /#700123/)
      await depositForm(page).create.click()
      await expect(page.getByText(texts.receiptMissing)).toBeVisible()
    },
  },
  {
    name: 'deposit',
    state: 'filled',
    onlooker: 'member',
    open: (page) => fillDeposit(page, anyDeposit),
  },
  {
    name: 'deposit',
    state: 'created',
    onlooker: 'member',
    async open(page) {
      const transaction = { _id: '0190a0b0-0000-7000-8000-000000000001', ticket: '1015', status: 'pending' }
      await fillDeposit(page, anyDeposit)
      await page.route('**/members/deposits/create', (route) => route.fulfill({ json: { status: 'ok', transaction } }))
      await depositForm(page).create.click()
      await expect(page.getByRole('button', { name: 'See my transactions' })).toBeFocused()
    },
  },
  ...['1014', '1011', '1010'].map(
    (ticket, index): Screen => ({
      name: 'transactions',
      state: ['pending', 'withdrawal', 'rejected'][index] ?? ticket,
      onlooker: 'member',
      async open(page) {
        await openSettled(page, '/funds/transactions', aTransaction)
        await page.getByRole('button', { name: openName(ticket) }).click()
        await expect(page.getByRole('list', { name: 'Timeline' })).toBeVisible()
      },
    }),
  ),
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
  ...[
    ['later', '/support', 'This part is not open yet'],
    ['not found', '/no/such/page', texts.notFoundPage],
    ['unauthorized', '/unauthorized', 'You do not have access to this page'],
  ].map(
    ([state = '', path = '', sentence = '']): Screen => ({
      name: 'elsewhere',
      state,
      onlooker: 'member',
      open: (page) => openSettled(page, path, (on) => on.getByText(sentence)),
    }),
  ),
]

/** The desk opens the first deposit by itself where there is room for both. */
async function openDesk(page: Page, path = '/desk/deposits'): Promise<void> {
  await openSettled(page, path, (on) => on.getByRole('list', { name: 'Deposits' }))
}

async function openDeposit(page: Page, name: RegExp, path?: string): Promise<void> {
  await openDesk(page, path)
  await page.getByRole('list', { name: 'Deposits' }).getByRole('link', { name }).click()
  await expect(page.getByRole('article', { name })).toBeVisible()
  await expect(
    page.getByRole('button', { name: /^Download / }).or(page.getByRole('link', { name: /^Download / })),
  ).toBeVisible()
}

const deskScreens: Screen[] = [
  {
    name: 'desk login',
    state: 'full',
    onlooker: 'nobody',
    open: (page) => openSettled(page, '/desk/login', (on) => heading(on, 'Sign in')),
  },
  { name: 'desk', state: 'full', onlooker: 'staff', open: (page) => openDesk(page) },
  { name: 'desk', state: 'deposit', onlooker: 'staff', open: (page) => openDeposit(page, /T-1014\b/) },
  {
    name: 'desk',
    state: 'rejected',
    onlooker: 'staff',
    open: (page) => openDeposit(page, /T-1010\b/, '/desk/deposits?state=rejected'),
  },
  {
    name: 'desk',
    state: 'empty',
    onlooker: 'staff',
    open: (page) =>
      openSettled(page, '/desk/deposits?state=checking', (on) => on.getByText('Nothing is being checked')),
  },
  { name: 'desk', state: 'loading', onlooker: 'staff', open: (page) => openLoading(page, '/desk/deposits') },
  { name: 'desk', state: 'error', onlooker: 'staff', open: (page) => openFailed(page, '/desk/deposits') },
  {
    name: 'desk',
    state: 'approving',
    onlooker: 'staff',
    async open(page) {
      await openDeposit(page, /T-1014\b/)
      await page.getByRole('button', { name: 'Approve', exact: true }).click()
      await expect(page.getByRole('button', { name: 'Not now' })).toBeFocused()
    },
  },
  {
    name: 'desk',
    state: 'rejecting',
    onlooker: 'staff',
    async open(page) {
      await openDeposit(page, /T-1014\b/)
      await page.getByRole('button', { name: 'Reject', exact: true }).click()
      await page.getByRole('radio', { name: 'Payment in another name' }).check()
      await expect(page.getByText('The member will read')).toBeVisible()
    },
  },
  {
    name: 'desk',
    state: 'keys',
    onlooker: 'staff',
    async open(page) {
      await openDesk(page)
      await page.keyboard.press('?')
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
]

/** Beside a wide list the first member opens by itself; a narrow one shows the list. */
async function openMember(page: Page): Promise<void> {
  await openSettled(page, '/desk/members?q=Hart', (on) =>
    on.getByRole('list', { name: 'Members' }).or(on.getByRole('article')).first(),
  )
  const article = page.getByRole('article', { name: 'Member 100417' })
  if (!(await article.isVisible())) await page.getByRole('link', { name: /Amelia Hart/ }).click()
  await expect(article).toBeVisible()
  await expect(page.getByText('Last transactions')).toBeVisible()
}

const memberScreens: Screen[] = [
  {
    name: 'desk members',
    state: 'full',
    onlooker: 'staff',
    open: (page) => openSettled(page, '/desk/members', (on) => on.getByRole('list', { name: 'Members' })),
  },
  {
    name: 'desk members',
    state: 'empty',
    onlooker: 'staff',
    open: (page) => openSettled(page, '/desk/members?q=nobody-at-all', (on) => on.getByText(texts.noResults)),
  },
  { name: 'desk members', state: 'member', onlooker: 'staff', open: openMember },
  {
    name: 'desk members',
    state: 'locking',
    onlooker: 'staff',
    async open(page) {
      await openMember(page)
      await page.getByRole('button', { name: 'Lock sign-in' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  { name: 'desk members', state: 'error', onlooker: 'staff', open: (page) => openFailed(page, '/desk/members') },
  {
    name: 'desk audit',
    state: 'full',
    onlooker: 'staff',
    open: (page) => openSettled(page, '/desk/audit', (on) => on.getByRole('list', { name: 'Audit log' })),
  },
  { name: 'desk audit', state: 'error', onlooker: 'staff', open: (page) => openFailed(page, '/desk/audit') },
]

/** Pages of the desk that stand by themselves: each is ready when a thing of its own is there. */
const deskPages: Screen[] = [
  {
    name: 'desk login',
    state: 'reset',
    onlooker: 'nobody',
    open: (page) => openSettled(page, '/desk/forgot-password', (on) => heading(on, 'Reset your password')),
  },
  {
    name: 'desk login',
    state: 'spent link',
    onlooker: 'nobody',
    open: (page) => openSettled(page, '/desk/reset-password', (on) => heading(on, 'Set a password')),
  },
  ...['brand', 'features', 'accounts', 'security', 'permissions', 'lists'].map(
    (section): Screen => ({
      name: 'desk settings',
      state: section,
      onlooker: 'staff',
      open: (page) =>
        openSettled(page, `/desk/settings/${section}`, (on) => on.getByRole('button', { name: 'Save changes' })),
    }),
  ),
  {
    name: 'desk staff',
    state: 'full',
    onlooker: 'staff',
    open: (page) => openSettled(page, '/desk/staff', (on) => on.getByText('staff@atrium.demo').last()),
  },
  {
    name: 'desk staff',
    state: 'inviting',
    onlooker: 'staff',
    async open(page) {
      await openSettled(page, '/desk/staff', (on) => on.getByText('staff@atrium.demo').last())
      await page.getByRole('button', { name: 'Invite a colleague' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  {
    name: 'desk account',
    state: 'full',
    onlooker: 'staff',
    open: (page) => openSettled(page, '/desk/account', (on) => on.getByText('This device')),
  },
]

/** Every screen there is, in every state that it can stand in; what the pictures show and the accessibility check reads. */
export const screens: Screen[] = [...portalScreens, ...listScreens, ...deskScreens, ...memberScreens, ...deskPages]

/** Opens one after another in the same tab; what the last one put between page and server is gone for the next. */
export async function openScreen(page: Page, screen: Screen): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await screen.open(page)
  await page.evaluate('document.fonts.ready.then(() => undefined)')
}
