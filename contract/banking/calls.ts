import { z } from 'zod'
import { defineCall } from '../call.ts'
import { limits } from '../limits.ts'
import { countryCodes, hasStates } from '../members/countries.ts'
import { cryptoCodes, fiatCodes } from '../money/currencies.ts'
import { seenRevision } from '../revision.ts'
import { texts } from '../texts.ts'
import { bicInput, countryOfIban, ibanInput, placeConflicts } from '../validators/bank.ts'
import { identifier, normalizeIdentifier } from '../validators/identifier.ts'
import { validatorTexts } from '../validators/messages.ts'
import { normalizeName } from '../validators/person-name.ts'
import { type BankDetail, bankDetails, bankDetailsAsked } from './bank-details.ts'
import { beneficiaryLimits } from './beneficiary-limits.ts'
import { fitsTag, isAddress } from './coin-addresses.ts'
import { isDomesticAccount, isRoutingNumber } from './domestic-numbers.ts'
import { beneficiaryTexts } from './texts.ts'

/** Types of beneficiaries: a bank account, an account with another service, or a wallet. */
export const beneficiaryTypes = ['bank_account', 'other', 'crypto'] as const
export type BeneficiaryType = (typeof beneficiaryTypes)[number]

export const fundAccountTypes = ['other', 'crypto'] as const
export type FundAccountType = (typeof fundAccountTypes)[number]

const within = (text: z.ZodString, charsMax: number, isReadable = (one: string) => !/\p{Cc}/u.test(one)) =>
  text
    .max(charsMax, texts.textTooLong.replace('{{count}}', String(charsMax)))
    .refine((one) => one.isWellFormed() && isReadable(one), texts.textUnreadable)

/** One line that is stored and returned unchanged; lone surrogates and control characters are refused. */
export const line = (charsMax: number, isReadable?: (text: string) => boolean) =>
  within(z.string({ error: validatorTexts.required }).trim(), charsMax, isReadable)
/** A number stored without spaces; other characters are left to the bank's judgement. */
export const accountNumber = (charsMax: number) => within(identifier({ error: validatorTexts.required }), charsMax)
const requiredLine = (charsMax: number) => line(charsMax).min(1, validatorTexts.required)
/** Staff compare it with the member's name, and a direction mark would show them another one. */
const holderName = z.string({ error: validatorTexts.required }).overwrite(normalizeName)
const required = (message: string = validatorTexts.required) => z.string({ error: message }).trim().min(1, message)

const isEmpty = (value: unknown) => typeof value !== 'string' || value.trim() === ''
/** Reports errors that involve several fields together with those of single fields. */
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
  /** Optional: if absent they stay unchanged, since clients of the specification do not know them. */
  bank_branch: line(limits.placeCharsMax).nullish(),
  postcode: line(limits.postcodeCharsMax).nullish(),
  routing_number: accountNumber(beneficiaryLimits.bankAccountCharsMax).nullish(),
  /** Confirms that IBAN, BIC and bank belong to different countries. */
  countries_confirmed: z.boolean().optional(),
}

type BankFields = {
  [Name in
    | 'iban_number'
    | 'bank_account'
    | 'routing_number'
    | 'swift'
    | 'state'
    | 'country'
    | 'countries_confirmed']?: unknown
}
const hasNumber = ({ iban_number, bank_account }: BankFields) => !isEmpty(iban_number) || !isEmpty(bank_account)
const countryIn = ({ country, iban_number }: BankFields): string =>
  (isEmpty(country) ? countryOfIban(String(iban_number ?? '')) : String(country)) ?? ''

/** Conflicting countries, unless the caller has confirmed them. */
const conflictsIn = (input: BankFields) =>
  input.countries_confirmed === true
    ? []
    : placeConflicts({ iban: input.iban_number, bic: input.swift, country: countryIn(input) })

/** National numbers with a wrong check digit. */
function wrongNumbersIn(input: BankFields): { field: 'routing_number' | 'bank_account'; message: string }[] {
  const country = countryIn(input)
  const { routing_number: routing, bank_account: account } = input
  const isRight = (number: unknown, judge: typeof isRoutingNumber) =>
    typeof number !== 'string' || number === '' || judge(country, number)
  return [
    ...(isRight(routing, isRoutingNumber)
      ? []
      : [{ field: 'routing_number' as const, message: beneficiaryTexts.routingNumberWrong }]),
    ...(isRight(account, isDomesticAccount)
      ? []
      : [{ field: 'bank_account' as const, message: beneficiaryTexts.accountNumberWrong }]),
  ]
}

/**
 * Requires an IBAN or an account number, and takes the country from the IBAN if none is given. `charsMax` lowers the
 * limit of account holder and bank name for a workspace.
 */
function bankAccountOf<Shape extends z.ZodRawShape>(
  more: Shape,
  charsMax: number = beneficiaryLimits.bankNameCharsCeiling,
) {
  const account_holder = within(holderName, charsMax).min(1, validatorTexts.required)
  return z
    .object({ ...bankFields, account_holder, bank_name: requiredLine(charsMax), ...more })
    .refine(hasNumber, { error: validatorTexts.required, ...together('iban_number') })
    .refine(hasNumber, { error: validatorTexts.required, ...together('bank_account') })
    .refine((input: BankFields) => countryIn(input) !== '', { error: texts.countryMissing, ...together('country') })
    .refine((input: BankFields) => !isEmpty(input.state) || !hasStates(countryIn(input)), {
      error: validatorTexts.required,
      ...together('state'),
    })
    .superRefine((input: BankFields, context) => {
      for (const { field, message } of [...conflictsIn(input), ...wrongNumbersIn(input)])
        context.addIssue({ code: 'custom', message, path: [field] })
    })
}

export const bankAccountInput = bankAccountOf({})
/** For forms: with the limit of the workspace and the details required in the bank's country. */
export const bankAccountInputWithin = (charsMax: number) =>
  bankAccountOf({}, charsMax).superRefine((input, context) => {
    for (const detail of bankDetailsAsked({ country: countryIn(input), currency: input.currency }))
      if (input[detail] !== undefined && isEmpty(input[detail]))
        context.addIssue({ code: 'custom', message: validatorTexts.required, path: [detail] })
  })

type BankDetails = { [Name in BankDetail]?: string | null }

/** The stored form: null for empty fields, and the country derived from the IBAN. */
export function storedBankAccount({ countries_confirmed: _, ...input }: z.output<typeof bankAccountInput>) {
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

/** Coins for a wallet, fiat currencies for everything else. */
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
  /** The allowed characters depend on the type; invisible characters in a wallet address are removed. */
  address_id: line(beneficiaryLimits.fundAddressCharsMax, anyText).min(1, validatorTexts.required),
  /** Tag or memo that identifies one of the holders of a shared address. */
  address_tag: line(beneficiaryLimits.fundTagCharsMax, anyText).nullish(),
  notes: line(beneficiaryLimits.fundNotesCharsMax, isMultiline).nullish(),
  /** An own upload of an image; null removes it. */
  address_qr: z.uuid({ error: beneficiaryTexts.qrUnknown }).nullish(),
}

type FundFields = { [Name in 'type' | 'preferred_currency' | 'address_id' | 'address_tag']?: unknown }
const isOfType = ({ type, preferred_currency: code }: FundFields) =>
  isEmpty(code) || currenciesOf(type === 'crypto' ? 'crypto' : 'other').includes(String(code))

/** Address and tag in their stored form. */
const normalizeAddress = (type: unknown, text: unknown): string => {
  if (typeof text !== 'string') return ''
  return type === 'crypto' ? normalizeIdentifier(text) : text.trim()
}

const unreadable = (text: string): string | null => (/\p{Cc}/u.test(text) ? texts.textUnreadable : null)

/** A text of removable characters only is empty. */
function validateLine(type: unknown, text: unknown): string | null {
  const normalized = normalizeAddress(type, text)
  return normalized === '' && !isEmpty(text) ? validatorTexts.required : unreadable(normalized)
}

/** Coins sent to an address of another network or with a typo are lost. */
function validateAddress({ type, preferred_currency: coin, address_id: address }: FundFields): string | null {
  if (type !== 'crypto' || typeof coin !== 'string' || typeof address !== 'string' || isEmpty(address)) return null
  if (address.trim().length > beneficiaryLimits.fundAddressCharsMax) return null
  return isAddress(coin, address) ? null : beneficiaryTexts.addressInvalid.replace('{{coin}}', coin)
}

function validateTag({ type, preferred_currency: coin, address_id: address, address_tag: tag }: FundFields) {
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
        address_id: validateLine(type, address) ?? validateAddress(input),
        address_tag: isEmpty(tag) ? null : (unreadable(normalizeAddress(type, tag)) ?? validateTag(input)),
      }
      for (const [name, message] of Object.entries(found))
        if (message) context.addIssue({ code: 'custom', message, path: [name] })
    })
}

export const fundAccountInput = fundAccountOf({})

export function storedFundAccount(input: z.output<typeof fundAccountInput>) {
  const { type, address_id, address_tag, notes, address_qr } = input
  return {
    ...input,
    address_id: normalizeAddress(type, address_id),
    address_tag: normalizeAddress(type, address_tag) || null,
    notes: notes || null,
    address_qr: address_qr ?? null,
  }
}

/** The idempotency key from `POST /members/get-unique-token` with `form_submit`: a repeat with the same fields returns the same beneficiary. */
const keyed = { nonce_token: z.string().min(1).max(100).optional() }

const existing = { _id: z.uuid(), seen: seenRevision }

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
