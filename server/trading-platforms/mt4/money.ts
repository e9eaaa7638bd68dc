import { amountFor, COMMENT_CHARS, readAmount, refuseOtherAccount, refuseUseOfCredit } from '../amounts.ts'
import type { BalanceReceipt, ChangeBalance, Login, RegisteredAccount, Utc } from '../contract.ts'
import { carriesTag, commentWithTag } from '../intent-tag.ts'
import { beforeSending, refusedHere, requireLogin } from '../refusals.ts'
import { readAccount } from './accounts.ts'
import { type CallTiming, type Platform, ping, read, readAll } from './platform.ts'
import { balanceRecord, bookedRecord } from './records.ts'
import { readBridgeTime } from './time.ts'

/**
 * Sends once or not at all. The tag is also the idempotency key, but a bridge may crash between the platform's
 * operation and its own record, so after `unknown` the caller looks up the tag first.
 */
export async function changeBalance(platform: Platform, wanted: ChangeBalance): Promise<BalanceReceipt> {
  readAmount(wanted)
  if (wanted.kind !== 'balance' && wanted.kind !== 'credit') throw refusedHere('not_supported')
  const deadlineAt = platform.dependencies.time.now() + platform.settings.deadlines.writeMs
  const how = { urgent: true, deadlineAt }
  const account = await readForMoney(platform, wanted.login, how)
  refuseOtherAccount(account.registeredAt, wanted)
  const amount = amountFor(account, wanted)
  refuseUseOfCredit(account, wanted)
  const body = {
    tag: wanted.tag,
    kind: wanted.kind,
    amount,
    comment: commentWithTag(wanted.tag, wanted.note, COMMENT_CHARS),
    check_margin: wanted.refuseIfMarginTooLow,
  }
  const path = `/v1/accounts/${wanted.login}/balance-operations`
  const { order } = await read(platform, { ...how, method: 'POST', path, body, key: wanted.tag }, bookedRecord)
  return { ticket: order, amount, at: null, foundByReconciling: false }
}

async function readForMoney(platform: Platform, login: Login, how: CallTiming): Promise<RegisteredAccount> {
  try {
    return await readAccount(platform, login, how)
  } catch (error) {
    throw beforeSending(error)
  }
}

/** Larger than any time zone error of a bridge. */
const WINDOW_MARGIN_SECONDS = 26 * 3600

export async function findBalanceByTag(
  platform: Platform,
  login: Login,
  tag: string,
  since: Utc,
): Promise<BalanceReceipt[]> {
  requireLogin(login)
  await ping(platform, { urgent: true })
  const { utc: now } = await readBridgeTime(platform, { urgent: true })
  // Never in the future: our clock may have been ahead at the send and corrected since.
  const from = Math.max(0, Math.min(Math.floor(since), now) - WINDOW_MARGIN_SECONDS)
  const query = { tag, from: utcText(from), to: utcText(now + WINDOW_MARGIN_SECONDS) }
  const path = `/v1/accounts/${login}/balance-operations`
  const rows = await readAll(platform, { path, query, urgent: true }, balanceRecord)
  const own = new Map(rows.filter((row) => carriesTag(row.comment, tag)).map((row) => [row.order, row]))
  return [...own.values()].map(({ order, amount, at }) => ({ ticket: order, amount, at, foundByReconciling: true }))
}

export function utcText(seconds: Utc): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
}
