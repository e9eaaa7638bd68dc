import Big from 'big.js'
import { type BalanceReceipt, type ChangeBalance, GatewayError, type GroupInfo } from '../contract.ts'
import { commentWithTag, isIntentTag } from '../intent-tag.ts'
import { type Platform, readOne, refusedHere, requireLogin } from './platform.ts'
import { codeError } from './return-codes.ts'
import { balanceTypes } from './translate.ts'
import { type Mt5Answer, Mt5Record } from './wire.ts'

export const COMMENT_CHARS = 31
export const AMOUNT_MAX = '1000000000'
/** Done, in the words of other calls of the platform. It counts only together with a ticket. */
const CODE_TRADE_DONE = 10009

/**
 * Sent once, or not at all. There is no key that would make the platform recognise a second send, so whoever gets
 * `unknown` looks for the tag first.
 */
export async function changeBalance(platform: Platform, wanted: ChangeBalance): Promise<BalanceReceipt> {
  requireLogin(wanted.login)
  if (!isIntentTag(wanted.tag) || !/^-?\d{1,15}(\.\d{1,12})?$/.test(wanted.amount)) throw refusedHere('invalid_input')
  const amount = new Big(wanted.amount)
  if (amount.eq(0)) throw refusedHere('invalid_input')
  if (amount.abs().gt(AMOUNT_MAX)) throw refusedHere('amount_limit')
  const deadlineAt = platform.surroundings.time.now() + platform.settings.deadlines.writeMs
  const { currency, currencyDigits } = await readCurrency(platform, wanted.login, deadlineAt)
  if (currency !== wanted.currency) throw refusedHere('currency_mismatch')
  // What the platform does with more digits than the currency has is not documented.
  if (!amount.eq(amount.round(currencyDigits))) throw refusedHere('invalid_input')
  const answer = await platform.client.call({
    // POST: a proxy or a library may repeat a GET on its own.
    method: 'POST',
    path: '/api/trade/balance',
    query: {
      login: wanted.login,
      type: String(balanceTypes[wanted.kind]),
      balance: amount.toFixed(currencyDigits),
      comment: commentWithTag(wanted.tag, wanted.note, COMMENT_CHARS),
      check_margin: wanted.refuseIfMarginTooLow ? '1' : '0',
    },
    changes: true,
    urgent: true,
    deadlineAt,
  })
  return {
    ticket: readTicket(answer),
    amount: amount.toFixed(currencyDigits),
    at: null,
    foundByReconciling: false,
  }
}

function readTicket(answer: Mt5Answer): string {
  const inner = typeof answer.answer === 'object' && answer.answer !== null ? new Mt5Record(answer.answer) : null
  const ticket = inner?.text('Ticket') ?? ''
  const counts = answer.code === 0 || answer.code === CODE_TRADE_DONE
  if (counts && /^[1-9]\d{0,19}$/.test(ticket)) return ticket
  throw codeError(answer.code, answer.words)
}

/** The call that moves money has not been sent yet, so whatever fails here cannot have moved any. */
async function readCurrency(platform: Platform, login: string, deadlineAt: number): Promise<GroupInfo> {
  const how = { urgent: true, deadlineAt }
  try {
    const user = await readOne(platform, { ...how, path: '/api/user/get', query: { login } })
    if (user === null) throw refusedHere('not_found')
    return await platform.groups.get(platform, user.text('Group'), how)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    const { reason, platformCode, platformText } = error
    const final = error.outcome === 'rejected'
    throw new GatewayError({
      outcome: final ? 'rejected' : 'not_executed',
      reason,
      sent: false,
      platformCode,
      platformText,
    })
  }
}
