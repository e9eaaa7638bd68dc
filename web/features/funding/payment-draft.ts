import { formatAmount } from '@atrium/contract/money/money.ts'
import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import { fieldsBy } from '../../api/form-errors.ts'
import { readerLanguage } from '../../ui/text/format.ts'
import type { Offer, PayerProfile } from './deposit/use-ways-to-pay.ts'

/** The form of a deposit through a provider: one amount, one address. */
export type PaymentDraft = {
  /** The code of the coin, if the provider takes coins; otherwise empty. */
  coin: string
  /** The code of the way, if the member chose one of several. */
  way: string
  amount: string
  country: string
  city: string
  address_line_1: string
  phone: string
  email: string
}

/** In page order, so that the first invalid field gets the focus. */
export const paymentLabels = {
  account: 'Trading account',
  amount: 'Amount',
  method: 'Method',
  coin: 'Coin',
  way: 'Pay with',
  address_line_1: 'Street and number',
  city: 'City',
  country: 'Country',
  phone: 'Phone',
  email: 'Email',
}
export type PaymentField = keyof typeof paymentLabels

/** Prefilled with what the profile knows of the payer. */
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

export type Chosen = { accountId: string | null; method: string; takesCoins: boolean; way: string | null }

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

export const paymentFieldFor = fieldsBy(paymentLabels, {
  trading_account: 'account',
  payment_method: 'method',
  crypto_currency: 'coin',
  payment_way: 'way',
})

export const limitsText = ({ amount_min, amount_max, currency }: Offer): string =>
  paymentTexts.amountOutside
    .replace('{{min}}', formatAmount(amount_min, currency, readerLanguage()))
    .replace('{{max}}', formatAmount(amount_max, currency, readerLanguage()))
    .replace('{{currency}}', currency)
