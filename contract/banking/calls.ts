import { z } from 'zod'
import { defineCall } from '../call.ts'
import { limits } from '../limits.ts'
import { countryCodes, hasStates } from '../members/countries.ts'
import { cryptoCodes, fiatCodes } from '../money/currencies.ts'
import { texts } from '../texts.ts'
import { bicInput, countryOfIban, ibanInput, placeConflicts } from '../validators/bank.ts'
import { identifier, plainIdentifier } from '../validators/identifier.ts'
import { validatorTexts } from '../validators/messages.ts'
import { type BankDetail, bankDetails, bankDetailsAsked } from './bank-details.ts'
import { beneficiaryLimits } from './beneficiary-limits.ts'
import { fitsTag, isAddress } from './coin-addresses.ts'
import { beneficiaryTexts } from './texts.ts'

/** What money can be paid out to: a bank account, a wallet, or an account with somebody else. */
export const beneficiaryTypes = ['bank_account', 'other', 'crypto'] as const
export type BeneficiaryType = (typeof beneficiaryTypes)[number]

export const fundAccountTypes = ['other', 'crypto'] as const
export type FundAccountType = (typeof fundAccountTypes)[number]

const within = (text: z.ZodString, charsMax: number, isReadable = (one: string) => !/\p{Cc}/u.test(one)) =>
  text
    .max(charsMax, texts.textTooLong.replace('{{count}}', String(charsMax)))
    .refine((one) => one.isWellFormed() && isReadable(one), texts.textUnreadable)

/** One line that comes back as it was written; a half of a character pair or a control character could not. */
export const line = (charsMax: number, isReadable?: (text: string) => boolean) =>
  within(z.string({ error: validatorTexts.required }).trim(), charsMax, isReadable)
/** A number as it is kept, without blanks; what else stands in it is for the bank to judge. */
export const accountNumber = (charsMax: number) => within(identifier({ error: validatorTexts.required }), charsMax)
const requiredLine = (charsMax: number) => line(charsMax).min(1, validatorTexts.required)
const required = (message: string = validatorTexts.required) => z.string({ error: message }).trim().min(1, message)

const isEmpty = (value: unknown) => typeof value !== 'string' || value.trim() === ''
/** What hangs on several fields is said together with what is wrong with each of them. */
const together = (path: string) => ({ path: [path], when: () => true })

const bankFields = {
  currency: required().refine((code) => fiatCodes.includes(code), beneficiaryTexts.currencyUnknown),
  bank_account: accountNumber(beneficiaryLimits.bankAccountCharsMax).nullish(),
  iban_number: ibanInput().nullish(),
  swift: bicInput({ error: validatorTexts.required }).min(1, validatorTexts.required),
  address_line_1: requiredLine(limits.addressLineCharsMax),
  city: requiredLine(limits.placeCharsMax),
  state: line(limits.placeCharsMax).nullish(),
  country: z
    .string({ error: texts.countryMissing })
    .refine((code) => code === '' || countryCodes.includes(code), texts.countryMissing)
    .nullish(),
  /** Left out they stay as they are: clients of the specification know nothing of them. */
  bank_branch: line(limits.placeCharsMax).nullish(),
  postcode: line(limits.postcodeCharsMax).nullish(),
  routing_number: accountNumber(beneficiaryLimits.bankAccountCharsMax).nullish(),
  /** That IBAN, BIC and bank are of different countries is meant. */
  countries_confirmed: z.boolean().optional(),
}

type BankFields = {
  [Name in 'iban_number' | 'bank_account' | 'swift' | 'state' | 'country' | 'countries_confirmed']?: unknown
}
const hasNumber = ({ iban_number, bank_account }: BankFields) => !isEmpty(iban_number) || !isEmpty(bank_account)
const countryIn = ({ country, iban_number }: BankFields): string =>
  (isEmpty(country) ? countryOfIban(String(iban_number ?? '')) : String(country)) ?? ''

/** Which countries disagree, unless whoever enters them has confirmed that. */
const conflictsIn = (input: BankFields) =>
  input.countries_confirmed === true
    ? []
    : placeConflicts({ iban: input.iban_number, bic: input.swift, country: countryIn(input) })

/**
 * IBAN and account number are either-or. What an IBAN says of its country need not be said again. Holder and bank may be as
 * long as a payment carries; a workspace that allows less is asked with `charsMax`.
 */
function bankAccountOf<Shape extends z.ZodRawShape>(
  more: Shape,
  charsMax: number = beneficiaryLimits.bankNameCharsCeiling,
) {
  const name = requiredLine(charsMax)
  return z
    .object({ ...bankFields, account_holder: name, bank_name: name, ...more })
    .refine(hasNumber, { error: validatorTexts.required, ...together('iban_number') })
    .refine(hasNumber, { error: validatorTexts.required, ...together('bank_account') })
    .refine((input: BankFields) => countryIn(input) !== '', { error: texts.countryMissing, ...together('country') })
    .refine((input: BankFields) => !isEmpty(input.state) || !hasStates(countryIn(input)), {
      error: validatorTexts.required,
      ...together('state'),
    })
    .superRefine((input: BankFields, context) => {
      for (const { field, message } of conflictsIn(input)) context.addIssue({ code: 'custom', message, path: [field] })
    })
}

const existing = { _id: z.uuid() }
export const bankAccountInput = bankAccountOf({})
/** As a form judges it, by the limit of its workspace, and with what payouts to the bank's country ask for. */
export const bankAccountInputWithin = (charsMax: number) =>
  bankAccountOf({}, charsMax).superRefine((input, context) => {
    for (const detail of bankDetailsAsked({ country: countryIn(input), currency: input.currency }))
      if (input[detail] !== undefined && isEmpty(input[detail]))
        context.addIssue({ code: 'custom', message: validatorTexts.required, path: [detail] })
  })

type BankDetails = { [Name in BankDetail]?: string | null }

/** As it is kept: nothing for what was left empty, and the country that follows from the IBAN. */
export function plainBankAccount({ countries_confirmed: _, ...input }: z.output<typeof bankAccountInput>) {
  const given = bankDetails.filter((detail) => input[detail] !== undefined)
  return {
    ...input,
    bank_account: input.bank_account || null,
    iban_number: input.iban_number || null,
    state: input.state || null,
    country: countryIn(input),
    details: Object.fromEntries(given.map((detail) => [detail, input[detail] || null])) as BankDetails,
  }
}

/** Coins for a wallet, currencies of states for everything else. */
export function currenciesOf(type: FundAccountType): readonly string[] {
  return type === 'crypto' ? cryptoCodes : fiatCodes
}

const anyText = () => true
const isMultiline = (text: string) => !/[^\P{Cc}\n]/u.test(text)

const fundFields = {
  type: z.enum(fundAccountTypes, { error: validatorTexts.required }),
  name: requiredLine(beneficiaryLimits.fundFieldCharsMax),
  provider: requiredLine(beneficiaryLimits.fundFieldCharsMax),
  preferred_currency: required(),
  /** Which marks it may hold depends on the type: what comes along with the address of a wallet is dropped. */
  address_id: line(beneficiaryLimits.fundAddressCharsMax, anyText).min(1, validatorTexts.required),
  /** Tag or memo: of an address that many share, which one of them it is. */
  address_tag: line(beneficiaryLimits.fundTagCharsMax, anyText).nullish(),
  notes: line(beneficiaryLimits.fundNotesCharsMax, isMultiline).nullish(),
  /** An own upload that is a picture; null takes it away. */
  address_qr: z.uuid({ error: beneficiaryTexts.qrUnknown }).nullish(),
}

type FundFields = { [Name in 'type' | 'preferred_currency' | 'address_id' | 'address_tag']?: unknown }
const isOfType = ({ type, preferred_currency: code }: FundFields) =>
  isEmpty(code) || currenciesOf(type === 'crypto' ? 'crypto' : 'other').includes(String(code))

/** Address and tag as they are kept. */
const plainOf = (type: unknown, text: unknown): string => {
  if (typeof text !== 'string') return ''
  return type === 'crypto' ? plainIdentifier(text) : text.trim()
}

const unreadable = (text: string): string | null => (/\p{Cc}/u.test(text) ? texts.textUnreadable : null)

/** Of nothing but marks that are dropped nothing is left. */
function complainOfLine(type: unknown, text: unknown): string | null {
  const plain = plainOf(type, text)
  return plain === '' && !isEmpty(text) ? validatorTexts.required : unreadable(plain)
}

/** Coins that are sent to an address of another network, or to one with a wrong character, are lost. */
function complainOfAddress({ type, preferred_currency: coin, address_id: address }: FundFields): string | null {
  if (type !== 'crypto' || typeof coin !== 'string' || typeof address !== 'string' || isEmpty(address)) return null
  if (address.trim().length > beneficiaryLimits.fundAddressCharsMax) return null
  return isAddress(coin, address) ? null : beneficiaryTexts.addressInvalid.replace('{{coin}}', coin)
}

function complainOfTag({ type, preferred_currency: coin, address_id: address, address_tag: tag }: FundFields) {
  if (type !== 'crypto' || typeof address !== 'string' || typeof tag !== 'string') return null
  return fitsTag(String(coin), { address, tag }) ? null : beneficiaryTexts.tagInAddress
}

function fundAccountOf<Shape extends z.ZodRawShape>(more: Shape) {
  const error = beneficiaryTexts.currencyUnknown
  return z
    .object({ ...fundFields, ...more })
    .refine(isOfType, { error, ...together('preferred_currency') })
    .superRefine((input: FundFields, context) => {
      const { type, address_id: address, address_tag: tag } = input
      const found = {
        address_id: complainOfLine(type, address) ?? complainOfAddress(input),
        address_tag: isEmpty(tag) ? null : (unreadable(plainOf(type, tag)) ?? complainOfTag(input)),
      }
      for (const [name, message] of Object.entries(found))
        if (message) context.addIssue({ code: 'custom', message, path: [name] })
    })
}

export const fundAccountInput = fundAccountOf({})

export function plainFundAccount(input: z.output<typeof fundAccountInput>) {
  const { type, address_id, address_tag, notes, address_qr } = input
  return {
    ...input,
    address_id: plainOf(type, address_id),
    address_tag: plainOf(type, address_tag) || null,
    notes: notes || null,
    address_qr: address_qr ?? null,
  }
}

/** From `POST /members/get-unique-token` with `form_submit`: sent again with the same fields it is the same beneficiary. */
const keyed = { nonce_token: z.string().min(1).max(100).optional() }

const said = { status: z.literal('ok'), msg: z.array(z.string()) }
const saved = z.object({ ...said, _id: z.uuid(), usable_from: z.int() })
const removed = z.object(said)
const named = z.object({ id: z.uuid() })

export const createBankAccount = defineCall({
  method: 'POST',
  path: '/members/bank-accounts/create',
  access: 'member',
  input: bankAccountOf(keyed),
  answer: saved,
})

export const updateBankAccount = defineCall({
  method: 'POST',
  path: '/members/bank-accounts/update',
  access: 'member',
  input: bankAccountOf(existing),
  answer: saved,
})

export const deleteBankAccount = defineCall({
  method: 'POST',
  path: '/members/bank-accounts/:id/delete',
  access: 'member',
  input: named,
  answer: removed,
})

export const createFundAccount = defineCall({
  method: 'POST',
  path: '/members/fund-accounts/create',
  access: 'member',
  input: fundAccountOf(keyed),
  answer: saved,
})

export const updateFundAccount = defineCall({
  method: 'POST',
  path: '/members/fund-accounts/update',
  access: 'member',
  input: fundAccountOf(existing),
  answer: saved,
})

export const deleteFundAccount = defineCall({
  method: 'POST',
  path: '/members/fund-accounts/:id/delete',
  access: 'member',
  input: named,
  answer: removed,
})
