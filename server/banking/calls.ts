import * as desk from '@atrium/contract/desk-banking.ts'
import { destinationTexts } from '@atrium/contract/destination-texts.ts'
import * as contract from '@atrium/contract/destinations.ts'
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

  open(app, ground, contract.createBankAccount, async (member, input) => bankSaved(await addBankAccount(member, input)))
  open(app, ground, contract.updateBankAccount, async (member, { _id, ...input }) =>
    bankSaved(await changeBankAccount(member, _id, input)),
  )
  open(app, ground, contract.deleteBankAccount, async (member, { id }) => {
    await removeBankAccount(member, id)
    return { msg: [destinationTexts.bankDeleted] }
  })

  open(app, ground, contract.createFundAccount, async (member, input) => fundSaved(await addFundAccount(member, input)))
  open(app, ground, contract.updateFundAccount, async (member, { _id, ...input }) =>
    fundSaved(await changeFundAccount(member, _id, input)),
  )
  open(app, ground, contract.deleteFundAccount, async (member, { id }) => {
    await removeFundAccount(member, id)
    return { msg: [destinationTexts.accountDeleted] }
  })
}

export function openDeskBankingCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, desk.listCompanyBanks, async (staff) => ({ banks: await listCompanyBanksForDesk(staff) }))
  open(app, ground, desk.addCompanyBank, async (staff, input) => ({ banks: await addCompanyBank(staff, input) }))
  open(app, ground, desk.changeCompanyBank, async (staff, { id, ...input }) => ({
    banks: await changeCompanyBank(staff, id, input),
  }))
  open(app, ground, desk.archiveCompanyBank, async (staff, { id }) => ({ banks: await archiveCompanyBank(staff, id) }))
}
