import { formFramePath } from '@atrium/contract/forms/frame.ts'
import { requestTexts } from '@atrium/contract/requests/texts.ts'
import type { Locator, Page } from 'playwright'
import { expect } from '../kit/visit.ts'
import { openFailed, openLoading, openSettled, type Screen } from './screen.ts'

const asksForTypes = (url: URL): boolean =>
  Buffer.from(url.searchParams.get('q') ?? '', 'base64url')
    .toString()
    .includes('RequestTypes')

async function openForm(page: Page, name: string): Promise<Locator> {
  await openSettled(page, '/requests', (on) => on.getByRole('button', { name: new RegExp(`^${name}`) }))
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click()
  const dialog = page.getByRole('dialog', { name })
  await expect(dialog.getByRole('form')).toBeVisible()
  return dialog
}

type OfferedTypes = { data: { requests_types: { name: string; form: { _id: string } | null }[] } }

/** The form id of the request type with this name. */
async function findForm(page: Page, name: string): Promise<string> {
  const asked = page.waitForResponse((answer) => asksForTypes(new URL(answer.url())))
  await page.goto('/requests')
  const { data } = (await (await asked).json()) as OfferedTypes
  return data.requests_types.find((type) => type.name === name)?.form?._id ?? ''
}

/** The request types, the member's requests, and one request. */
export const requestScreens: Screen[] = [
  {
    name: 'requests',
    state: 'full',
    viewer: 'member',
    open: (page) => openSettled(page, '/requests', (on) => on.getByText('Change of legal name')),
  },
  {
    name: 'requests',
    state: 'empty',
    viewer: 'member',
    async open(page) {
      await page.route(asksForTypes, (route) => route.fulfill({ json: { data: { requests_types: [] } } }))
      await openSettled(page, '/requests', (on) => on.getByText(requestTexts.none))
    },
  },
  { name: 'requests', state: 'loading', viewer: 'member', open: (page) => openLoading(page, '/requests') },
  { name: 'requests', state: 'error', viewer: 'member', open: (page) => openFailed(page, '/requests') },
  {
    name: 'requests',
    state: 'history',
    viewer: 'member',
    open: (page) => openSettled(page, '/requests?tab=history', (on) => on.getByText('Higher leverage')),
  },
  {
    name: 'requests',
    state: 'one request',
    viewer: 'member',
    async open(page) {
      await openSettled(page, '/requests?tab=history', (on) => on.getByText('Higher leverage'))
      await page
        .getByRole('link', { name: /^Open request/ })
        .first()
        .click()
      await expect(page.getByRole('heading', { level: 1, name: /^Request / })).toBeVisible()
    },
  },
  {
    name: 'requests',
    state: 'one kind',
    viewer: 'member',
    async open(page) {
      await openSettled(page, '/profile', (on) => on.getByRole('link', { name: /Change of legal name/ }))
      await page.getByRole('link', { name: /Change of legal name/ }).click()
      await expect(page.getByRole('region', { name: 'Last Request' })).toBeVisible()
    },
  },
  {
    name: 'requests',
    state: 'kind with form',
    viewer: 'member',
    async open(page) {
      await openSettled(page, '/profile', (on) => on.getByRole('link', { name: /Higher leverage/ }))
      await page.getByRole('link', { name: /Higher leverage/ }).click()
      await expect(page.getByRole('form')).toBeVisible()
    },
  },
  {
    name: 'requests',
    state: 'no such kind',
    viewer: 'member',
    open: (page) =>
      openSettled(page, '/requests-types/019a0000-0000-7000-8000-000000000000', (on) =>
        on.getByText('This request is not offered'),
      ),
  },
  {
    name: 'requests',
    state: 'answers',
    viewer: 'member',
    async open(page) {
      await openSettled(page, '/requests?tab=history&q=knowledge', (on) =>
        on.getByText('Knowledge and experience', { exact: true }),
      )
      await expect(page.getByRole('link', { name: /^Open request/ })).toHaveCount(1)
      await page.getByRole('link', { name: /^Open request/ }).click()
      await expect(page.getByRole('region', { name: 'Your answers' })).toBeVisible()
    },
  },
  {
    name: 'requests',
    state: 'cancelling',
    viewer: 'member',
    async open(page) {
      await openSettled(page, '/requests?tab=history&q=leverage', (on) =>
        on.getByText('Higher leverage', { exact: true }),
      )
      await expect(page.getByRole('link', { name: /^Open request/ })).toHaveCount(1)
      await page.getByRole('link', { name: /^Open request/ }).click()
      await page.getByRole('button', { name: 'Cancel request' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Cancel request' }).click()
      await expect(dialog.getByText(requestTexts.commentMissing)).toBeVisible()
    },
  },
  {
    name: 'request forms',
    state: 'first step',
    viewer: 'member',
    async open(page) {
      const dialog = await openForm(page, 'Source of funds')
      await expect(dialog.getByRole('progressbar', { name: 'Progress' })).toBeVisible()
    },
  },
  {
    name: 'request forms',
    state: 'errors',
    viewer: 'member',
    async open(page) {
      const dialog = await openForm(page, 'Source of funds')
      await dialog.getByRole('button', { name: 'Next' }).click()
      await expect(dialog.getByText('Please fill all the required fields.')).toBeVisible()
    },
  },
  {
    name: 'request forms',
    state: 'address',
    viewer: 'member',
    open: async (page) => void (await openForm(page, 'Change of address')),
  },
  {
    name: 'request forms',
    state: 'questions',
    viewer: 'member',
    open: async (page) => void (await openForm(page, 'Knowledge and experience')),
  },
  {
    name: 'request forms',
    state: 'plain',
    viewer: 'member',
    async open(page) {
      await openSettled(page, '/requests', (on) => on.getByRole('button', { name: /^Swap-free/ }))
      await page.getByRole('button', { name: /^Swap-free/ }).click()
      await expect(page.getByRole('dialog').getByRole('button', { name: /^Submit Request/ })).toBeVisible()
    },
  },
  {
    name: 'request forms',
    state: 'loading',
    viewer: 'member',
    async open(page) {
      await page.route('**/forms/draft?*', () => undefined)
      await openSettled(page, '/requests', (on) => on.getByRole('button', { name: /^Close an account/ }))
      await page.getByRole('button', { name: /^Close an account/ }).click()
      await expect(page.getByRole('dialog').locator('[aria-busy="true"]')).toBeVisible()
    },
  },
  {
    name: 'request forms',
    state: 'not loaded',
    viewer: 'member',
    async open(page) {
      await page.route('**/forms/draft?*', (route) => route.fulfill({ status: 500, json: {} }))
      await openSettled(page, '/requests', (on) => on.getByRole('button', { name: /^Close an account/ }))
      await page.getByRole('button', { name: /^Close an account/ }).click()
      await expect(page.getByRole('dialog').getByRole('button', { name: 'Try again' })).toBeVisible()
    },
  },
  {
    name: 'request forms',
    state: 'in a frame',
    viewer: 'member',
    async open(page) {
      await page.goto(`/form/${await findForm(page, 'Close an account')}/Close%20an%20account`)
      await expect(page.frameLocator('iframe').getByRole('form')).toBeVisible()
    },
  },
  {
    name: 'request forms',
    state: 'by itself',
    viewer: 'member',
    async open(page) {
      await page.goto(`${formFramePath}?form=${await findForm(page, 'Change of address')}`)
      await expect(page.getByRole('form')).toBeVisible()
    },
  },
  {
    name: 'request forms',
    state: 'none in the frame',
    viewer: 'member',
    async open(page) {
      await page.goto(formFramePath)
      await expect(page.getByText('Form not found')).toBeVisible()
    },
  },
]
