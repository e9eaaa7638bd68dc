import { expect } from '../kit/visit.ts'
import { openFailed, openLoading, openSettled, type Screen } from './screen.ts'

const memberDocuments: Screen[] = [
  {
    name: 'documents',
    state: 'full',
    viewer: 'member',
    open: (page) => openSettled(page, '/documents', (on) => on.getByRole('link', { name: 'Payslip.pdf' })),
  },
  {
    name: 'documents',
    state: 'empty',
    viewer: 'new',
    open: (page) => openSettled(page, '/documents', (on) => on.getByRole('list', { name: 'What we need from you' })),
  },
  { name: 'documents', state: 'loading', viewer: 'member', open: (page) => openLoading(page, '/documents') },
  { name: 'documents', state: 'error', viewer: 'member', open: (page) => openFailed(page, '/documents') },
  {
    name: 'documents',
    state: 'adding',
    viewer: 'new',
    async open(page) {
      await openSettled(page, '/documents', (on) => on.getByRole('list', { name: 'What we need from you' }))
      await page.getByRole('button', { name: 'Add: Proof of identity' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
]

const openQueue = (path: string): Screen['open'] =>
  async function open(page) {
    await openSettled(page, path, (on) => on.getByRole('list', { name: 'Documents' }))
  }

const deskDocuments: Screen[] = [
  { name: 'desk documents', state: 'all', viewer: 'staff', open: openQueue('/desk/documents?state=all') },
  {
    name: 'desk document',
    state: 'full',
    viewer: 'staff',
    async open(page) {
      await openQueue('/desk/documents')(page)
      await page.getByRole('list', { name: 'Documents' }).getByRole('link').first().click()
      await expect(page.getByRole('link', { name: 'Download' })).toBeVisible()
    },
  },
  {
    name: 'desk document',
    state: 'rejecting',
    viewer: 'staff',
    async open(page) {
      await openQueue('/desk/documents')(page)
      await page.getByRole('list', { name: 'Documents' }).getByRole('link').first().click()
      await page.getByRole('button', { name: 'Reject', exact: true }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
]

const memberKycDocuments: Screen[] = [
  {
    name: 'desk member documents',
    state: 'full',
    viewer: 'staff',
    async open(page) {
      await openQueue('/desk/documents?q=Payslip')(page)
      const found = page.getByRole('list', { name: 'Documents' }).getByRole('link')
      await expect(found).toHaveCount(1)
      await found.click()
      await page.getByRole('link', { name: /, customer \d+/ }).click()
      await expect(page.getByRole('heading', { name: 'Member documents' })).toBeVisible()
      await expect(page.getByText('Document added').first()).toBeVisible()
    },
  },
]

const categories: Screen[] = [
  {
    name: 'desk document categories',
    state: 'full',
    viewer: 'staff',
    open: (page) =>
      openSettled(page, '/desk/document-categories', (on) =>
        on.getByRole('button', { name: 'Edit Proof of identity' }),
      ),
  },
  {
    name: 'desk document categories',
    state: 'loading',
    viewer: 'staff',
    open: (page) => openLoading(page, '/desk/document-categories'),
  },
  {
    name: 'desk document categories',
    state: 'error',
    viewer: 'staff',
    open: (page) => openFailed(page, '/desk/document-categories'),
  },
  {
    name: 'desk document categories',
    state: 'editing',
    viewer: 'staff',
    async open(page) {
      await openSettled(page, '/desk/document-categories', (on) =>
        on.getByRole('button', { name: 'Edit Proof of identity' }),
      )
      await page.getByRole('button', { name: 'Edit Proof of identity' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
]

/** The member's KYC documents, the desk's queue, one member's documents, and the requirements. */
export const documentScreens: Screen[] = [...memberDocuments, ...deskDocuments, ...memberKycDocuments, ...categories]
