import * as contract from '@atrium/contract/banking/calls.ts'
import * as desk from '@atrium/contract/banking/desk-calls.ts'
import { beneficiaryTexts } from '@atrium/contract/banking/texts.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { open } from '../http/route.ts'
import { addBankAccount, changeBankAccount, removeBankAccount } from './bank-accounts.ts'
import type { SavedBeneficiary } from './beneficiary-change.ts'
import { addCompanyBank, archiveCompanyBank, changeCompanyBank, listCompanyBanksForDesk } from './company-banks.ts'
import { addFundAccount, changeFundAccount, removeFundAccount } from './fund-accounts.ts'

export function openBankingCalls(app: FastifyInstance, context: Context): void {
  const saved =
    (sentence: string) =>
    ({ id, usableFrom }: SavedBeneficiary) => ({ msg: [sentence], _id: id, usable_from: usableFrom.getTime() })
  const bankSaved = saved(beneficiaryTexts.bankSaved)
  const fundSaved = saved(beneficiaryTexts.accountSaved)

  open(app, context, contract.createBankAccount, {
    scopes: ['bank-accounts'],
    audit: ['bank-account.added'],
    idempotent: true,
    notifies: ['destination.added'],
    handler: async (member, input) => bankSaved(await addBankAccount(member, input)),
  })
  open(app, context, contract.updateBankAccount, {
    scopes: ['bank-accounts'],
    audit: ['bank-account.changed'],
    idempotent: true,
    notifies: ['destination.changed'],
    handler: async (member, { _id, seen, ...input }) =>
      bankSaved(await changeBankAccount(member, { id: _id, seen }, input)),
  })
  open(app, context, contract.deleteBankAccount, {
    scopes: ['bank-accounts'],
    audit: ['bank-account.removed'],
    idempotent: true,
    notifies: ['destination.removed'],
    handler: async (member, { id }) => {
      await removeBankAccount(member, id)
      return { msg: [beneficiaryTexts.bankDeleted] }
    },
  })

  open(app, context, contract.createFundAccount, {
    scopes: ['other-accounts'],
    audit: ['fund-account.added'],
    idempotent: true,
    notifies: ['destination.added'],
    handler: async (member, input) => fundSaved(await addFundAccount(member, input)),
  })
  open(app, context, contract.updateFundAccount, {
    scopes: ['other-accounts'],
    audit: ['fund-account.changed'],
    idempotent: true,
    notifies: ['destination.changed'],
    handler: async (member, { _id, seen, ...input }) =>
      fundSaved(await changeFundAccount(member, { id: _id, seen }, input)),
  })
  open(app, context, contract.deleteFundAccount, {
    scopes: ['other-accounts'],
    audit: ['fund-account.removed'],
    idempotent: true,
    notifies: ['destination.removed'],
    handler: async (member, { id }) => {
      await removeFundAccount(member, id)
      return { msg: [beneficiaryTexts.accountDeleted] }
    },
  })
}

export function openDeskBankingCalls(app: FastifyInstance, context: Context): void {
  open(app, context, desk.listCompanyBanks, async (staff) => ({ banks: await listCompanyBanksForDesk(staff) }))
  open(app, context, desk.addCompanyBank, {
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
  open(app, context, desk.changeCompanyBank, {
    audit: ['company-bank.changed'],
    idempotent: true,
    handler: async (staff, { id, seen, ...input }) => ({
      banks: await changeCompanyBank(staff, { id, seen }, input),
    }),
  })
  open(app, context, desk.archiveCompanyBank, {
    audit: ['company-bank.archived'],
    idempotent: true,
    handler: async (staff, { id }) => ({ banks: await archiveCompanyBank(staff, id) }),
  })
}
