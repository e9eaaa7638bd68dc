import { depositAmountError } from '@atrium/contract/funding.ts'
import { formatAmount } from '@atrium/contract/money.ts'
import { paymentTexts } from '@atrium/contract/payment-texts.ts'
import { startDepositInput } from '@atrium/contract/payments.ts'
import { texts } from '@atrium/contract/texts.ts'
import { errorLines } from '../../api/error-lines.ts'
import { readerLanguage } from '../../ui/format.ts'
import type { Offer, PayerProfile } from './use-ways-to-pay.ts'
import { isOutside } from './ways-to-pay.ts'

/** The form of a deposit through a provider: one amount, one address. */
export type PaymentDraft = {
  /** By its code, where the provider takes coins; empty elsewhere. */
  coin: string
  /** By its code, where the member picked one of several ways. */
  way: string
  amount: string
  country: string
  city: string
  address_line_1: string
  phone: string
  email: string
}

/** Fields in the order of the page, so that the first wrong one gets the focus. */
export const paymentFields = [
  'account',
  'amount',
  'method',
  'coin',
  'way',
  'country',
  'city',
  'address_line_1',
  'phone',
  'email',
] as const
export type PaymentField = (typeof paymentFields)[number]
export type PaymentErrors = Partial<Record<PaymentField, string>>

/** As far as the profile knows whoever pays. */
export function draftOf({ phones, emails, addresses }: PayerProfile): PaymentDraft {
  const home = addresses.find(({ primary }) => primary) ?? addresses[0]
  return {
    coin: '',
    way: '',
    amount: '',
    country: home?.country?.alpha_2 ?? '',
    city: home?.city ?? '',
    address_line_1: home?.address_line_1 ?? '',
    phone: phones[0] ?? '',
    email: emails[0] ?? '',
  }
}

type Chosen = { accountId: string | null; method: string; takesCoins: boolean; way: string | null }

export function toPaymentBody({ coin, way: _picked, ...draft }: PaymentDraft, chosen: Chosen) {
  return {
    ...draft,
    ...(chosen.takesCoins && { crypto_currency: coin }),
    ...(chosen.way !== null && { payment_way: chosen.way }),
    trading_account: chosen.accountId ?? '',
    payment_method: chosen.method,
    email: draft.email.trim(),
    token_key: 'transaction_deposit' as const,
    type: 'deposit',
    source: 'client',
  }
}

const fieldOf: Record<string, PaymentField> = {
  trading_account: 'account',
  payment_method: 'method',
  crypto_currency: 'coin',
  payment_way: 'way',
}
const isField = (name: string): name is PaymentField => paymentFields.some((field) => field === name)
const fieldFor = (name: string): PaymentField | null => fieldOf[name] ?? (isField(name) ? name : null)

/** Every gap with its sentence, by the same rules as the server's door. */
export function checkPayment(
  draft: PaymentDraft,
  { offer, ...chosen }: Chosen & { offer: Offer | null },
): PaymentErrors {
  const errors: PaymentErrors = {}
  if (chosen.takesCoins && draft.coin === '') errors.coin = paymentTexts.coinMissing
  const amountError =
    depositAmountError(draft.amount, offer?.currency ?? 'USD') ??
    (offer && isOutside(draft.amount, offer) ? limitsText(offer) : null)
  if (amountError) errors.amount = amountError
  const parsed = startDepositInput.safeParse({
    ...toPaymentBody(draft, chosen),
    nonce_token: 'not yet asked for',
  })
  for (const issue of parsed.error?.issues ?? []) {
    const field = fieldFor(String(issue.path[0]))
    if (field) errors[field] ??= issue.message
  }
  return errors
}

export const limitsText = ({ amount_min, amount_max, currency }: Offer): string =>
  paymentTexts.amountOutside
    .replace('{{min}}', formatAmount(amount_min, currency, readerLanguage()))
    .replace('{{max}}', formatAmount(amount_max, currency, readerLanguage()))
    .replace('{{currency}}', currency)

/** The server's messages on our fields; what belongs to none of them is returned apart, and never swallowed. */
export function placePaymentErrors(fieldErrors: Record<string, string[]>): { errors: PaymentErrors; others: string[] } {
  const errors: PaymentErrors = {}
  const others: string[] = []
  for (const [name, messages] of Object.entries(fieldErrors)) {
    const field = fieldFor(name)
    if (field) errors[field] ??= messages[0] ?? texts.fieldsMissing
    else others.push(...errorLines({ [name]: messages }, (text) => text))
  }
  return { errors, others }
}
