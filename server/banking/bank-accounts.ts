import { type bankAccountInput, storedBankAccount } from '@atrium/contract/banking/calls.ts'
import { texts } from '@atrium/contract/texts.ts'
import { normalizeIdentifier } from '@atrium/contract/validators/identifier.ts'
import type { z } from 'zod'
import type { Member } from '../foundation/actor.ts'
import { refuseFields } from '../foundation/errors.ts'
import { revisionOf } from '../foundation/revision.ts'
import { readWorkspace } from '../workspaces/workspace.ts'
import {
  addBeneficiary,
  type BeneficiaryStore,
  type Edited,
  type Keyed,
  removeBeneficiary,
  type SavedBeneficiary,
  type Stored,
  saveBeneficiary,
} from './beneficiary-change.ts'
import { lockRow, removeRow } from './beneficiary-row.ts'
import { endingOf } from './notifications.ts'
import { type BankAccountShape, listBankAccounts } from './queries.ts'

type Input = z.output<typeof bankAccountInput>
type Columns = {
  currency: string
  account_holder: string
  bank_account: string | null
  iban_number: string | null
  swift: string
  bank_name: string
  address_line_1: string | null
  city: string | null
  state: string | null
  country_code: string | null
  bank_branch?: string | null
  postcode?: string | null
  routing_number?: string | null
}

export function addBankAccount(member: Member, input: Input & Keyed): Promise<SavedBeneficiary> {
  return addBeneficiary(member, store, columnsOf(input), input.nonce_token)
}

export function changeBankAccount(member: Member, edited: Edited, input: Input): Promise<SavedBeneficiary> {
  return saveBeneficiary(member, store, columnsOf(input), edited)
}

export function removeBankAccount(member: Member, id: string): Promise<void> {
  return removeBeneficiary(member, store, id)
}

function columnsOf(input: Input): Columns {
  const { currency, account_holder, bank_account, iban_number, swift, bank_name, country, ...place } =
    storedBankAccount(input)
  const { address_line_1, city, state, details } = place
  const numbers = { bank_account, iban_number, swift }
  const address = { address_line_1, city, state, country_code: country }
  return { currency, account_holder, ...numbers, bank_name, ...address, ...details }
}

function storedAs(row: BankAccountShape): Stored<Columns> {
  const { bank_account_id: id, usable_from: usableFrom, bank_account, ...others } = row
  // An older version stored blanks; they do not make a different number, which would start a new cooling-off period.
  return { id, usableFrom, values: { ...others, bank_account: bank_account && normalizeIdentifier(bank_account) } }
}

export const revisionOfBankAccount = (row: BankAccountShape): string => revisionOf(storedAs(row).values)

const table = { name: 'bank_accounts', key: 'bank_account_id' } as const

const store: BeneficiaryStore<Columns> = {
  kind: 'bank_account',
  scope: 'bank-accounts',
  // The bank's postal address does not decide where the money goes; its codes and its branch do: in some countries account numbers
  // are unique only within a branch.
  nonRoutingFields: ['address_line_1', 'city', 'state', 'country_code', 'postcode'],
  async list(tx, member) {
    return (await listBankAccounts(tx, member)).map(storedAs)
  },
  async check(tx, member, { account_holder, bank_name }) {
    const { bank_name_chars_max: charsMax } = (await readWorkspace(tx, member)).settings
    const tooLong = Object.entries({ account_holder, bank_name }).filter(([, text]) => text.length > charsMax)
    const said = texts.textTooLong.replace('{{count}}', String(charsMax))
    if (tooLong.length > 0) refuseFields(Object.fromEntries(tooLong.map(([name]) => [name, [said]])))
  },
  async insert(tx, member, { id, values, now, usableFrom }) {
    await tx
      .insertInto('bank_accounts')
      .values({
        ...values,
        workspace_id: member.workspaceId,
        member_id: member.memberId,
        bank_account_id: id,
        created_at: now,
        usable_from: usableFrom,
      })
      .execute()
  },
  async update(tx, member, { id, values, now, usableFrom }) {
    await tx
      .updateTable('bank_accounts')
      .set({ ...values, changed_at: now, usable_from: usableFrom })
      .where('workspace_id', '=', member.workspaceId)
      .where('member_id', '=', member.memberId)
      .where('bank_account_id', '=', id)
      .execute()
  },
  lock: (tx, member, id) => lockRow(tx, member, table, id),
  remove: (tx, member, id, at) => removeRow(tx, member, table, { id, at }),
  duplicateField(one, other) {
    if (one.currency !== other.currency) return null
    if (one.iban_number && one.iban_number === other.iban_number) return 'iban_number'
    const isSame = one.bank_account && one.bank_account === other.bank_account && one.swift === other.swift
    return isSame ? 'bank_account' : null
  },
  name: ({ bank_name, currency, iban_number, bank_account }) =>
    `${bank_name}, ${currency}, ${endingOf(iban_number ?? bank_account ?? '')}`,
}
