import Big from 'big.js'
import { amountFor, COMMENT_CHARS, readAmount, refuseOtherAccount, refuseUseOfCredit } from '../amounts.ts'
import type { BalanceReceipt, ChangeBalance, GroupInfo } from '../contract.ts'
import { commentWithTag } from '../intent-tag.ts'
import { beforeSending, refusedHere } from '../refusals.ts'
import { type Platform, readOne } from './platform.ts'
import { codeError } from './return-codes.ts'
import { balanceTypes, toAccount, toRegistration } from './translate.ts'
import { type Mt5Answer, Mt5Record } from './wire.ts'

/** The success code of other calls. It counts only together with a ticket. */
const CODE_TRADE_DONE = 10009

/**
 * Sends once or not at all. The platform has no idempotency key, so after `unknown` the caller looks up the tag first.
 */
export async function changeBalance(platform: Platform, wanted: ChangeBalance): Promise<BalanceReceipt> {
  readAmount(wanted)
  const deadlineAt = platform.dependencies.time.now() + platform.settings.deadlines.writeMs
  const amount = amountFor(await readForMoney(platform, wanted, deadlineAt), wanted)
  const answer = await platform.client.call({
    // POST, because a proxy or a library may repeat a GET.
    method: 'POST',
    path: '/api/trade/balance',
    query: {
      login: wanted.login,
      type: String(balanceTypes[wanted.kind]),
      balance: amount,
      comment: commentWithTag(wanted.tag, wanted.note, COMMENT_CHARS),
      check_margin: wanted.refuseIfMarginTooLow ? '1' : '0',
    },
    changes: true,
    urgent: true,
    deadlineAt,
  })
  return {
    ticket: readTicket(answer),
    amount,
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

/** The account's currency. For a withdrawal from an account with credit, its margin is read too. */
async function readForMoney(platform: Platform, wanted: ChangeBalance, deadlineAt: number): Promise<GroupInfo> {
  const how = { urgent: true, deadlineAt }
  const query = { login: wanted.login }
  try {
    const user = await readOne(platform, { ...how, path: '/api/user/get', query })
    if (user === null) throw refusedHere('not_found')
    refuseOtherAccount(toRegistration(user, platform.clock), wanted)
    const group = await platform.groups.get(platform, user.text('Group'), how)
    if (wanted.refuseIfMarginTooLow && !new Big(user.decimalOr('Credit', '0')).eq(0)) {
      const live = await readOne(platform, { ...how, path: '/api/user/account/get', query })
      refuseUseOfCredit(toAccount(user, live, group), wanted)
    }
    return group
  } catch (error) {
    throw beforeSending(error)
  }
}
