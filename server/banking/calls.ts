import * as contract from '@atrium/contract/banking/calls.ts'
import * as desk from '@atrium/contract/banking/desk-calls.ts'
import { destinationTexts } from '@atrium/contract/banking/texts.ts'
import type { FastifyInstance } from 'fastify'
import type { Ground } from '../foundation/ground.ts'
import { open } from '../http/route.ts'
import { addBankAccount, changeBankAccount, removeBankAccount } from './bank-accounts.ts'
import { addCompanyBank, archiveCompanyBank, changeCompanyBank, listCompanyBanksForDesk } from './company-banks.ts'
import type { SavedDestination } from './destination-change.ts'
import { addFundAccount, changeFundAccount, removeFundAccount } from './fund-accounts.ts'

export function openBankingCalls(app: FastifyInstance, ground: Ground): void {
  const saved =
    (sentence: string) =>
    ({ id, usableFrom }: SavedDestination) => ({ msg: [sentence], _id: id, usable_from: usableFrom.getTime() })
  const bankSaved = saved(destinationTexts.bankSaved)
  const fundSaved = saved(destinationTexts.accountSaved)

  open(app, ground, contract.createBankAccount, {
    scopes: ['bank-accounts'],
    audit: ['bank-account.added'],
    idempotent: true,
    notifies: ['destination.added'],
    handler: async (member, input) => bankSaved(await addBankAccount(member, input)),
  })
  open(app, ground, contract.updateBankAccount, {
    scopes: ['bank-accounts'],
    audit: ['bank-account.changed'],
    idempotent: true,
    notifies: ['destination.changed'],
    handler: async (member, { _id, ...input }) => bankSaved(await changeBankAccount(member, _id, input)),
  })
  open(app, ground, contract.deleteBankAccount, {
    scopes: ['bank-accounts'],
    audit: ['bank-account.removed'],
    idempotent: true,
    notifies: ['destination.removed'],
    handler: async (member, { id }) => {
      await removeBankAccount(member, id)
      return { msg: [destinationTexts.bankDeleted] }
    },
  })

  open(app, ground, contract.createFundAccount, {
    scopes: ['other-accounts'],
    audit: ['fund-account.added'],
    idempotent: true,
    notifies: ['destination.added'],
    handler: async (member, input) => fundSaved(await addFundAccount(member, input)),
  })
  open(app, ground, contract.updateFundAccount, {
    scopes: ['other-accounts'],
    audit: ['fund-account.changed'],
    idempotent: true,
    notifies: ['destination.changed'],
    handler: async (member, { _id, ...input }) => fundSaved(await changeFundAccount(member, _id, input)),
  })
  open(app, ground, contract.deleteFundAccount, {
    scopes: ['other-accounts'],
    audit: ['fund-account.removed'],
    idempotent: true,
    notifies: ['destination.removed'],
    handler: async (member, { id }) => {
      await removeFundAccount(member, id)
      return { msg: [destinationTexts.accountDeleted] }
    },
  })
}

export function openDeskBankingCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, desk.listCompanyBanks, async (staff) => ({ banks: await listCompanyBanksForDesk(staff) }))
  open(app, ground, desk.addCompanyBank, {
    audit: ['company-bank.added'],
    idempotent: true,
    example: {
      currency: 'EUR',
      bank_name: 'Harbour Bank',
      account_holder: 'Harbour Markets Ltd',
      iban_number: 'DE89370400440532013000',
      swift: 'DEUTDEFF',
      identifier: 'HM-EUR-9',
    },
    handler: async (staff, input) => ({ banks: await addCompanyBank(staff, input) }),
  })
  open(app, ground, desk.changeCompanyBank, {
    audit: ['company-bank.changed'],
    idempotent: true,
    handler: async (staff, { id, ...input }) => ({
      banks: await changeCompanyBank(staff, id, input),
    }),
  })
  open(app, ground, desk.archiveCompanyBank, {
    audit: ['company-bank.archived'],
    idempotent: true,
    handler: async (staff, { id }) => ({ banks: await archiveCompanyBank(staff, id) }),
  })
}
