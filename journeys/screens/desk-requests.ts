import type { Page } from 'playwright'
import { expect } from '../kit/visit.ts'
import { openSettled, type Screen } from './screen.ts'

async function openForm(page: Page, name = 'Appropriateness test'): Promise<void> {
  await openSettled(page, '/desk/forms', (on) => on.getByRole('link', { name, exact: true }))
  await page.getByRole('link', { name, exact: true }).click()
  await expect(page.getByRole('heading', { level: 2, name })).toBeVisible()
}

async function openPart(page: Page, part: RegExp): Promise<void> {
  await openForm(page)
  await page.getByRole('navigation', { name: 'About this form' }).getByRole('link', { name: part }).click()
}

/** The board of requests, the request types and their forms. */
export const deskRequestScreens: Screen[] = [
  {
    name: 'desk request types',
    state: 'full',
    viewer: 'staff',
    open: (page) => openSettled(page, '/desk/request-types', (on) => on.getByRole('list', { name: 'Request types' })),
  },
  {
    name: 'desk requests',
    state: 'one request',
    viewer: 'staff',
    async open(page) {
      await openSettled(page, '/desk/requests', (on) => on.getByRole('list', { name: 'Requests' }))
      await page.getByRole('list', { name: 'Requests' }).getByRole('link').first().click()
      await expect(page.getByRole('article', { name: /^Request / })).toBeVisible()
    },
  },
  {
    name: 'desk requests',
    state: 'requested change',
    viewer: 'staff',
    async open(page) {
      await page.route(/\/desk\/api\/requests\/[0-9a-f-]{36}$/, async (route) => {
        const answer = await route.fetch()
        const { request, ...rest } = await answer.json()
        const change = { now: { email: 'old@harbour.test' }, wanted: { email: 'new@harbour.test' }, email_taken: true }
        await route.fulfill({ json: { ...rest, request: { ...request, change } } })
      })
      await openSettled(page, '/desk/requests', (on) => on.getByRole('list', { name: 'Requests' }))
      await page.getByRole('list', { name: 'Requests' }).getByRole('link').first().click()
      await expect(page.getByRole('region', { name: 'Requested change' })).toBeVisible()
    },
  },
  {
    name: 'desk request types',
    state: 'new type',
    viewer: 'staff',
    async open(page) {
      await openSettled(page, '/desk/request-types', (on) => on.getByRole('button', { name: 'New request type' }))
      await page.getByRole('button', { name: 'New request type' }).click()
      await expect(page.getByRole('dialog').getByLabel('Name')).toBeVisible()
    },
  },
  {
    name: 'desk forms',
    state: 'new form',
    viewer: 'staff',
    async open(page) {
      await openSettled(page, '/desk/forms', (on) => on.getByRole('button', { name: 'New form' }))
      await page.getByRole('button', { name: 'New form' }).click()
      await expect(page.getByRole('dialog').getByRole('radio', { name: 'An empty form' })).toBeVisible()
    },
  },
  {
    name: 'desk form',
    state: 'full',
    viewer: 'staff',
    async open(page) {
      await openForm(page)
      await expect(page.getByRole('region', { name: 'Form settings' })).toBeVisible()
    },
  },
  {
    name: 'desk form',
    state: 'one field',
    viewer: 'staff',
    async open(page) {
      await openForm(page)
      const step = page.getByRole('region', { name: 'Knowledge', exact: true })
      await step.getByRole('button', { name: /^With a leverage of 1:30/ }).click()
      await expect(page.getByRole('region', { name: 'Field settings' })).toBeVisible()
    },
  },
  {
    name: 'desk form',
    state: 'preview',
    viewer: 'staff',
    async open(page) {
      await openPart(page, /^Preview/)
      await expect(page.getByRole('button', { name: 'Next' }).first()).toBeVisible()
    },
  },
  {
    name: 'desk form',
    state: 'versions',
    viewer: 'staff',
    async open(page) {
      await openPart(page, /^Versions/)
      await expect(page.getByText('This is the first version of the form.')).toBeVisible()
    },
  },
  {
    name: 'desk form',
    state: 'filled in',
    viewer: 'staff',
    async open(page) {
      await openPart(page, /^Submissions/)
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    },
  },
  {
    name: 'desk form',
    state: 'settings',
    viewer: 'staff',
    async open(page) {
      await openPart(page, /^Settings/)
      await expect(page.getByLabel('Category')).toBeVisible()
    },
  },
]
