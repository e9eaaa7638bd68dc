import { validatorTexts } from '@atrium/contract/validators/messages.ts'
import type { Page } from 'playwright'
import { expect } from '../kit/visit.ts'
import { openSettled, type Screen } from './screen.ts'

const openBanks = (page: Page) => openSettled(page, '/funds/bank-accounts', (on) => on.getByText('Northwater Bank'))
const openOthers = (page: Page) => openSettled(page, '/funds/other-accounts', (on) => on.getByText('Savings wallet'))

/** The dialogs over the lists of bank accounts and other accounts, and the brokerage's own accounts at the desk. */
export const bankingScreens: Screen[] = [
  {
    name: 'bank accounts',
    state: 'gaps',
    viewer: 'member',
    async open(page) {
      await openBanks(page)
      await page.getByRole('button', { name: 'Add Bank Account' }).click()
      await page.getByRole('button', { name: 'Save bank account' }).click()
      await expect(page.getByText(validatorTexts.required).first()).toBeVisible()
    },
  },
  {
    name: 'bank accounts',
    state: 'deleting',
    viewer: 'member',
    async open(page) {
      await openBanks(page)
      await page.getByRole('button', { name: 'Delete Banca Adriatica, USD' }).click()
      await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused()
    },
  },
  {
    name: 'other accounts',
    state: 'editing',
    viewer: 'member',
    async open(page) {
      await openOthers(page)
      await page.getByRole('button', { name: 'Edit Savings wallet' }).click()
      await expect(page.getByRole('button', { name: 'Remove the QR code' })).toBeVisible()
    },
  },
  {
    name: 'other accounts',
    state: 'code',
    viewer: 'member',
    async open(page) {
      await openOthers(page)
      await page.getByRole('button', { name: 'Show the QR code of Savings wallet' }).click()
      await expect(page.getByRole('link', { name: 'Open in new tab' })).toBeVisible()
    },
  },
  {
    name: 'desk settings',
    state: 'bank accounts',
    viewer: 'staff',
    open: (page) => openSettled(page, '/desk/settings/bank-accounts', (on) => on.getByText('Northwater Bank')),
  },
  {
    name: 'desk settings',
    state: 'bank account',
    viewer: 'staff',
    async open(page) {
      await openSettled(page, '/desk/settings/bank-accounts', (on) => on.getByText('Northwater Bank'))
      await page.getByRole('button', { name: 'Change Northwater Bank, USD' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
]
