import { z } from 'zod'
import { defineCall } from '../call.ts'
import { limits } from '../limits.ts'
import { countryCodes } from '../members/countries.ts'
import { typedAmount } from '../money/typed-amount.ts'
import { tokenKeys } from '../sessions/calls.ts'
import { texts } from '../texts.ts'
import { normalizePhone, readPhone, validatePhone } from '../validators/phone.ts'
import { emailInput } from '../validators/reach.ts'
import { paymentPage } from './calls.ts'
import { paymentTexts } from './texts.ts'

/** Digits and + - ( ), after spaces, slashes and dots are removed. The country determines a national number. */
const payerPhone = z
  .string({ error: texts.fieldsMissing })
  .overwrite(normalizePhone)
  .min(1, { error: texts.fieldsMissing, abort: true })
  .regex(/^[0-9+() -]+$/, { error: paymentTexts.phoneWrong, abort: true })
  .regex(/[0-9]/, { error: paymentTexts.phoneWrong, abort: true })

type Reached = { phone: string; country: string }

/** A national number belongs to the payer's country. Stored as E.164. */
function withPhone<Shape extends z.ZodType<Reached>>(input: Shape) {
  return input
    .superRefine(({ phone, country }, context) => {
      const message = validatePhone(phone, country)
      if (message) context.addIssue({ code: 'custom', message, path: ['phone'] })
    })
    .overwrite((given) => {
      const read = readPhone(given.phone, given.country)
      return 'number' in read ? { ...given, phone: read.number } : given
    })
}

const addressLine = (charsMax: number) =>
  z.string({ error: paymentTexts.addressMissing }).trim().min(1, paymentTexts.addressMissing).max(charsMax)
const shapeOnly = z.union([z.string().max(500), z.null()]).optional()

/**
 * A deposit through a payment provider, with exactly one address. Fields that the server determines itself (status, source, type,
 * beneficiary) are validated and ignored.
 */
const startDepositFields = z.object({
  trading_account: z.uuid({ error: texts.fieldsMissing }),
  amount: typedAmount({ error: texts.amountMissing }),
  payment_method: z.string({ error: paymentTexts.providerUnknown }).min(1, paymentTexts.providerUnknown).max(60),
  country: z
    .string({ error: paymentTexts.countryMissing })
    .refine((code) => countryCodes.includes(code), paymentTexts.countryMissing),
  city: addressLine(limits.placeCharsMax),
  address_line_1: addressLine(limits.addressLineCharsMax),
  phone: payerPhone,
  email: emailInput(),
  /** The code of a coin, for a provider of coins; defaults to the account's own coin, bitcoin, or the first on offer. */
  crypto_currency: z.string().trim().max(20).optional(),
  /** The payment method, for a provider with several in the account's currency; defaults to the first. */
  payment_way: z.string().trim().max(40).optional(),
  token_key: z.enum(tokenKeys),
  nonce_token: z.string().min(1).max(100),
  comment: z.string().trim().max(limits.commentCharsMax).nullish(),
  destination: shapeOnly,
  destination_id: shapeOnly,
  origin: shapeOnly,
  origin_id: shapeOnly,
  status: shapeOnly,
  source: shapeOnly,
  type: shapeOnly,
  files: z.array(z.string().max(100)).max(5).optional(),
})
export const startDepositInput = withPhone(startDepositFields)
export type StartDepositInput = z.output<typeof startDepositInput>

/** Answers with the payment page, and with the defaults that the server chose. */
export const startDeposit = defineCall({
  method: 'POST',
  path: '/customers/trading-accounts/start-deposit',
  access: 'member',
  isHarmlessTwice: true,
  input: startDepositInput,
  answer: paymentPage.extend({
    status: z.literal('ok'),
    order: z.uuid(),
    /** The previous version omits it. */
    trading_account: z.uuid().optional(),
    payment_way: z.string().optional(),
    crypto_currency: z.string().optional(),
    /** The values of `form_data` by name: a form of these three fields, posted to `url`. */
    url: z.string().optional(),
    pid: z.string().optional(),
    cmd: z.string().optional(),
    des: z.string().optional(),
  }),
})
