import type { Page } from 'playwright'
import { expect } from '../kit/visit.ts'
import { openFailed, openLoading, openSettled, type Screen } from './screen.ts'

const agreement = 'Client agreement'

async function openTerms(page: Page, name = agreement): Promise<void> {
  await openSettled(page, '/desk/terms', (on) => on.getByRole('link', { name }))
  await page.getByRole('link', { name }).click()
  await expect(page.getByRole('navigation', { name: 'About these terms' })).toBeVisible()
}

async function openPart(page: Page, part: RegExp): Promise<void> {
  await openTerms(page)
  await page.getByRole('navigation', { name: 'About these terms' }).getByRole('link', { name: part }).click()
}

const hostile = '<script>alert(1)</script> Rechtsschutzversicherungsgesellschaften and others'

export const deskTermsScreens: Screen[] = [
  {
    name: 'desk terms',
    state: 'full',
    viewer: 'staff',
    open: (page) => openSettled(page, '/desk/terms', (on) => on.getByRole('link', { name: agreement })),
  },
  {
    name: 'desk terms',
    state: 'nothing retired',
    viewer: 'staff',
    open: (page) =>
      openSettled(page, '/desk/terms?state=retired', (on) => on.getByRole('button', { name: 'Show all' })),
  },
  { name: 'desk terms', state: 'loading', viewer: 'staff', open: (page) => openLoading(page, '/desk/terms') },
  { name: 'desk terms', state: 'error', viewer: 'staff', open: (page) => openFailed(page, '/desk/terms') },
  {
    name: 'desk terms',
    state: 'editor',
    viewer: 'staff',
    async open(page) {
      await openTerms(page)
      await expect(page.getByRole('region', { name: 'Preview' })).toBeVisible()
    },
  },
  {
    name: 'desk terms',
    state: 'writing',
    viewer: 'staff',
    async open(page) {
      await page.goto('/desk/terms/new')
      await page
        .getByLabel('Name')
        .fill('Terms of the Harbour Markets affiliate and introducing partner programme 2027')
      await page.getByRole('textbox', { name: 'Text', exact: true }).fill(hostile)
      await page.getByRole('radio', { name: 'Some sections' }).check()
      await expect(page.getByRole('region', { name: 'Preview' }).getByText(hostile)).toBeVisible()
    },
  },
  {
    name: 'desk terms',
    state: 'gaps',
    viewer: 'staff',
    async open(page) {
      await page.goto('/desk/terms/new')
      await page.getByRole('radio', { name: 'Some sections' }).check()
      await page.getByRole('button', { name: 'Save draft' }).click()
      await expect(page.getByText('Please write the text of the terms.')).toBeVisible()
    },
  },
  {
    name: 'desk terms',
    state: 'publishing',
    viewer: 'staff',
    async open(page) {
      await openTerms(page, 'Privacy notice 2027')
      await page.getByRole('button', { name: 'Publish' }).click()
      await expect(page.getByRole('button', { name: 'Not now' })).toBeFocused()
    },
  },
  {
    name: 'desk terms',
    state: 'versions',
    viewer: 'staff',
    async open(page) {
      await openPart(page, /^Versions/)
      await expect(page.getByText('within ten working days')).toBeVisible()
    },
  },
  {
    name: 'desk terms',
    state: 'who accepted',
    viewer: 'staff',
    async open(page) {
      await openPart(page, /^Who accepted/)
      await expect(page.getByRole('link', { name: 'Amelia Hart' })).toBeVisible()
    },
  },
]
