import { smallerOf, subtractAmounts } from '@atrium/contract/money/money.ts'
import Big from 'big.js'
import type { AccountState, ChangeBalance, Decimal, Utc } from './contract.ts'
import { isIntentTag } from './intent-tag.ts'
import { refusedHere, requireLogin } from './refusals.ts'
import { isOtherRegistration } from './registration.ts'

/** Both MetaTrader platforms keep this many characters of a balance comment and silently cut the rest. */
export const COMMENT_CHARS = 31
export const ACCOUNT_COMMENT_CHARS = 63
export const AMOUNT_MAX = '1000000000'

/** Checks a balance operation before any call to the platform. */
export function readAmount(wanted: ChangeBalance): Big {
  requireLogin(wanted.login)
  if (!isIntentTag(wanted.tag) || !/^-?\d{1,15}(\.\d{1,12})?$/.test(wanted.amount)) throw refusedHere('invalid_input')
  const amount = new Big(wanted.amount)
  if (amount.eq(0)) throw refusedHere('invalid_input')
  if (amount.abs().gt(AMOUNT_MAX)) throw refusedHere('amount_limit')
  return amount
}

type Account = { currency: string; currencyDigits: number }

/** The amount as sent. How platforms treat more decimals than the currency has is not documented. */
export function amountFor(account: Account, wanted: ChangeBalance): Decimal {
  const amount = readAmount(wanted)
  if (account.currency !== wanted.currency) throw refusedHere('currency_mismatch')
  if (!amount.eq(amount.round(account.currencyDigits))) throw refusedHere('invalid_input')
  return amount.toFixed(account.currencyDigits)
}

/** The platform may have given the number to somebody else since the last comparison. */
export function refuseOtherAccount(registeredAt: Utc, wanted: ChangeBalance): void {
  if (isOtherRegistration(registeredAt, wanted.registeredAt ?? 0)) throw refusedHere('not_found')
}

type Funds = Pick<AccountState, 'balance' | 'marginFree' | 'credit'>

/** The most that can be withdrawn. Credit belongs to the brokerage: it supports positions and cannot be withdrawn. */
export function spendableOf({ balance, marginFree, credit }: Funds): Decimal {
  return smallerOf(balance, subtractAmounts(marginFree, credit))
}

/** The platform's own check counts credit as free margin, and the account may have traded since the approval. */
export function refuseUseOfCredit(funds: Funds, { amount, refuseIfMarginTooLow }: ChangeBalance): void {
  if (!refuseIfMarginTooLow || new Big(funds.credit).lte(0)) return
  if (new Big(amount).abs().gt(spendableOf(funds))) throw refusedHere('insufficient_funds')
}
