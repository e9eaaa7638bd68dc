import { z } from 'zod'
import { defineCall } from './call.ts'
import { fiatCodes } from './currencies.ts'
import { destinationLimits } from './destination-limits.ts'
import { destinationTexts } from './destination-texts.ts'
import { limits } from './limits.ts'
import { texts } from './texts.ts'
import { complainOfBic, complainOfIban, plainIban } from './validators/bank.ts'
import { type Complaint, validatorTexts } from './validators/messages.ts'

/** The brokerage's own bank accounts, to which members send their money. */
const line = (charsMax: number, isReadable = (text: string) => !/\p{Cc}/u.test(text)) =>
  z
    .string({ error: validatorTexts.required })
    .trim()
    .max(charsMax, texts.textTooLong.replace('{{count}}', String(charsMax)))
    .refine((text) => text.isWellFormed() && isReadable(text), texts.textUnreadable)
const required = (charsMax: number) => line(charsMax).min(1, validatorTexts.required)
const optional = (charsMax: number) => line(charsMax).nullish()

const judged = (complain: (value: string) => Complaint) => (value: string, context: z.RefinementCtx) => {
  const message = complain(value)
  if (message) context.addIssue({ code: 'custom', message })
}

const fields = {
  currency: z
    .string({ error: validatorTexts.required })
    .refine((code) => fiatCodes.includes(code), destinationTexts.currencyUnknown),
  bank_name: required(destinationLimits.bankFieldCharsMax),
  account_holder: required(destinationLimits.companyBankFieldCharsMax),
  iban_number: z.string({ error: validatorTexts.iban }).trim().superRefine(judged(complainOfIban)).nullish(),
  bank_account: optional(destinationLimits.bankFieldCharsMax),
  swift: z.string({ error: validatorTexts.bic }).trim().superRefine(judged(complainOfBic)).nullish(),
  sort_code: optional(destinationLimits.bankFieldCharsMax),
  identifier: optional(destinationLimits.companyBankFieldCharsMax),
  address_line_1: optional(limits.addressLineCharsMax),
  notes: line(destinationLimits.companyBankNotesCharsMax, (text) => !/[^\P{Cc}\n]/u.test(text)).nullish(),
}

type Numbers = { iban_number?: unknown; bank_account?: unknown }
const isFilled = (value: unknown) => typeof value === 'string' && value.trim() !== ''
const hasNumber = ({ iban_number, bank_account }: Numbers) => isFilled(iban_number) || isFilled(bank_account)

function companyBankOf<Shape extends z.ZodRawShape>(more: Shape) {
  const needed = (field: string) => ({ error: validatorTexts.required, path: [field], when: () => true })
  return z
    .object({ ...fields, ...more })
    .refine(hasNumber, needed('iban_number'))
    .refine(hasNumber, needed('bank_account'))
}

export const companyBankInput = companyBankOf({})

/** As it is kept: the one way to write each number, and nothing for what was left empty. */
export function plainCompanyBank(input: z.output<typeof companyBankInput>) {
  return {
    currency: input.currency,
    bank_name: input.bank_name,
    account_holder: input.account_holder,
    iban_number: plainIban(input.iban_number ?? '') || null,
    bank_account: input.bank_account || null,
    swift: input.swift?.toUpperCase() || null,
    sort_code: input.sort_code || null,
    identifier: input.identifier || null,
    address_line_1: input.address_line_1 || null,
    notes: input.notes || null,
  }
}

export type CompanyBankValues = ReturnType<typeof plainCompanyBank>

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
  input: companyBankOf({ id: z.uuid() }),
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
