/** The brokerage's own bank accounts, to which members send their money. */

import { z } from 'zod'
import { defineCall } from '../call.ts'
import { scanState } from '../files/calls.ts'
import { limits } from '../limits.ts'
import { fiatCodes } from '../money/currencies.ts'
import { revision, seenRevision } from '../revision.ts'
import { bicInput, ibanInput, placeConflicts } from '../validators/bank.ts'
import { validatorTexts } from '../validators/messages.ts'
import { beneficiaryLimits } from './beneficiary-limits.ts'
import { accountNumber, line } from './calls.ts'
import { beneficiaryTexts } from './texts.ts'

/** The QR code that a member uploaded with a wallet or another account. */
export const uploadedQr = z.object({ url: z.string(), scan: scanState })

const required = (charsMax: number) => line(charsMax).min(1, validatorTexts.required)
const optional = (charsMax: number) => line(charsMax).nullish()

const number = (charsMax: number) => accountNumber(charsMax).nullish()

const fields = {
  currency: z
    .string({ error: validatorTexts.required })
    .refine((code) => fiatCodes.includes(code), beneficiaryTexts.currencyUnknown),
  bank_name: required(beneficiaryLimits.companyBankFieldCharsMax),
  account_holder: required(beneficiaryLimits.companyBankFieldCharsMax),
  iban_number: ibanInput().nullish(),
  bank_account: number(beneficiaryLimits.bankAccountCharsMax),
  swift: bicInput({ error: validatorTexts.bic }).nullish(),
  sort_code: number(beneficiaryLimits.bankAccountCharsMax),
  identifier: optional(beneficiaryLimits.companyBankFieldCharsMax),
  address_line_1: optional(limits.addressLineCharsMax),
  notes: line(beneficiaryLimits.companyBankNotesCharsMax, (text) => !/[^\P{Cc}\n]/u.test(text)).nullish(),
  /** Confirms that IBAN and BIC belong to different countries. */
  countries_confirmed: z.boolean().optional(),
}

type Numbers = { [Name in 'iban_number' | 'bank_account' | 'swift' | 'countries_confirmed']?: unknown }
const isFilled = (value: unknown) => typeof value === 'string' && value.trim() !== ''
const hasNumber = ({ iban_number, bank_account }: Numbers) => isFilled(iban_number) || isFilled(bank_account)

function companyBankOf<Shape extends z.ZodRawShape>(more: Shape) {
  const needed = (field: string) => ({ error: validatorTexts.required, path: [field], when: () => true })
  return z
    .object({ ...fields, ...more })
    .refine(hasNumber, needed('iban_number'))
    .refine(hasNumber, needed('bank_account'))
    .superRefine(({ iban_number: iban, swift: bic, countries_confirmed }: Numbers, context) => {
      for (const { field, message } of countries_confirmed === true ? [] : placeConflicts({ iban, bic }))
        context.addIssue({ code: 'custom', message, path: [field] })
    })
}

export const companyBankInput = companyBankOf({})

/** The stored form: normalized numbers, and null for empty fields. */
export function storedCompanyBank(input: z.output<typeof companyBankInput>) {
  return {
    currency: input.currency,
    bank_name: input.bank_name,
    account_holder: input.account_holder,
    iban_number: input.iban_number || null,
    bank_account: input.bank_account || null,
    swift: input.swift || null,
    sort_code: input.sort_code || null,
    identifier: input.identifier || null,
    address_line_1: input.address_line_1 || null,
    notes: input.notes || null,
  }
}

export type CompanyBankValues = ReturnType<typeof storedCompanyBank>

export const deskCompanyBank = z.object({
  _id: z.uuid(),
  currency: z.string(),
  bank_name: z.string(),
  account_holder: z.string(),
  iban_number: z.string().nullable(),
  bank_account: z.string().nullable(),
  swift: z.string().nullable(),
  sort_code: z.string().nullable(),
  identifier: z.string().nullable(),
  address_line_1: z.string().nullable(),
  notes: z.string().nullable(),
  revision,
})

const answer = z.object({ status: z.literal('ok'), banks: z.array(deskCompanyBank) })

export const listCompanyBanks = defineCall({
  method: 'GET',
  path: '/desk/api/company-bank-accounts',
  access: 'staff',
  right: 'workspace.manage',
  input: z.object({}),
  answer,
})

export const addCompanyBank = defineCall({
  method: 'POST',
  path: '/desk/api/company-bank-accounts/add',
  access: 'staff',
  right: 'workspace.manage',
  input: companyBankInput,
  answer,
})

export const changeCompanyBank = defineCall({
  method: 'POST',
  path: '/desk/api/company-bank-accounts/:id/change',
  access: 'staff',
  right: 'workspace.manage',
  input: companyBankOf({ id: z.uuid(), seen: seenRevision }),
  answer,
})

export const archiveCompanyBank = defineCall({
  method: 'POST',
  path: '/desk/api/company-bank-accounts/:id/archive',
  access: 'staff',
  right: 'workspace.manage',
  input: z.object({ id: z.uuid() }),
  answer,
})
