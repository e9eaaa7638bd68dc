import { isMore, readAmount, subtractAmounts, toScale } from '@atrium/contract/money/money.ts'
import { sql } from 'kysely'
import type { Actor, System } from '../../foundation/actor.ts'
import type { Tx } from '../../foundation/database/database.ts'
import type { StatusReport } from '../../payment-providers/status-report.ts'
import type { Payout } from '../payouts/payout-order.ts'
import { openException, type PaymentException } from './exception.ts'

/** Why the money of a paid payout is an exception: proven to have come back, or reported without that proof. */
export const returned = 'payout_returned'
const unproven = 'payout_unproven'
/** The same of a transfer that staff made by hand, whose return staff report. */
export const returnedTransfer = 'transfer_returned'
/** Another return of a payout that staff report, because the reports of its provider do not tell it from the first. */
export const returnedAgain = 'payout_returned_again'
const creditable: readonly string[] = [returned, returnedTransfer, returnedAgain]

type Reported = Pick<StatusReport, 'attempt' | 'amount' | 'currency' | 'coin' | 'word' | 'reason' | 'paidAt'> & {
  reference?: string | null
}
type Opened = {
  state: 'waiting' | 'decided'
  /** It may be another return of a part, and nothing in the report says so. */
  isDoubtful: boolean
}

/**
 * Opens the exception of a paid payout that came back, once per return, since providers report one repeatedly and in
 * several words; unproven reports of a payout are one exception. So are all of one that staff paid by hand: what left the
 * provider is not what the member got. The row of the payout is locked.
 */
export async function openReturnedPayout(
  tx: Tx,
  system: System,
  payout: Payout,
  { reported, ...given }: { reported: Reported; isProven: boolean },
): Promise<Opened> {
  const isProven = given.isProven && !(await isPaidByStaff(tx, system, payout))
  const { coin, ...rest } = reported
  // The price of coins that came back is the provider's conversion, not an amount of ours.
  const said = coin
    ? { ...rest, amount: null, currency: null, word: `${rest.word}, ${coin.received} ${coin.code}` }
    : rest
  const reportedAgain = isProven ? await findReportedAgain(tx, system, payout, said) : null
  if (reportedAgain) return { state: reportedAgain.state === 'closed' ? 'decided' : 'waiting', isDoubtful: false }
  const { name, isUnsure } = await nameReturn(tx, system, payout, said)
  const state = await openException(tx, system, payout, {
    reported: { ...said, reference: null, state: 'paid' },
    why: isProven ? returned : unproven,
    // Anyone may repeat unproven reports with other amounts.
    about: isProven ? name : 'unproven',
  })
  const isPart = said.amount !== null && isMore(payout.amount, said.amount)
  return { state, isDoubtful: isProven && isUnsure && isPart }
}

/** Whether staff recorded a paid withdrawal as paid, rather than its provider. */
export async function isPaidByStaff(
  tx: Tx,
  { workspaceId }: Actor,
  { transaction_id }: Pick<Payout, 'transaction_id'>,
): Promise<boolean> {
  const paid = await tx
    .selectFrom('transaction_events')
    .select('event_id')
    .where('workspace_id', '=', workspaceId)
    .where('transaction_id', '=', transaction_id)
    .where('event', '=', 'withdrawal.paid-out')
    .where('actor_kind', '=', 'staff')
    .executeTakeFirst()
  return paid !== undefined
}

/** What tells returns of one amount apart: the provider's own reference of the return, or else its time. */
function markOf({ reference = null, paidAt }: Reported, payout: Payout): string | null {
  if (reference !== null && reference !== payout.reference && reference !== payout.attempt) return reference
  return paidAt ?? null
}

/**
 * The same return as staff reported it under the provider's reference: it is credited once. Not one that they explained,
 * as they do when the provider's report comes after all.
 */
async function findReportedAgain(tx: Tx, { workspaceId }: System, payout: Payout, reported: Reported) {
  const { amount, currency } = reported
  const mark = markOf(reported, payout)
  if (mark === null || amount === null) return null
  const found = await tx
    .selectFrom('payment_cases')
    .select('state')
    .where('workspace_id', '=', workspaceId)
    .where('payout_id', '=', payout.payout_id)
    .where('why', '=', returnedAgain)
    .where('claims', '=', mark)
    .where('paid', '=', amount)
    .where('paid_currency', '=', currency)
    .where(({ or, eb }) => or([eb('state', '<>', 'closed'), eb('decision', '<>', 'explained')]))
    .orderBy('case_id', 'desc')
    .executeTakeFirst()
  return found ?? null
}

/** Whether the provider reported a return under this reference: its mark ends the name. */
export const isMarked = (payment: string, mark: string) =>
  sql<boolean>`right(${sql.ref(payment)}, char_length(${mark}::text) + 1) = ' ' || ${mark}::text`

/** The name of a return: its amount and currency and what marks it. Where either has no mark, two count as one. */
async function nameReturn(tx: Tx, { workspaceId }: System, payout: Payout, reported: Reported) {
  const { amount, currency, word } = reported
  const plain = `returned ${amount === null ? word : `${toScale(amount, currency ?? '')} ${currency ?? ''}`}`
  const mark = markOf(reported, payout)
  const marked = mark === null ? plain : `${plain} ${mark}`
  const rows = await tx
    .selectFrom('payment_cases')
    .select('payment')
    .where('workspace_id', '=', workspaceId)
    .where('payout_id', '=', payout.payout_id)
    .where('why', '=', returned)
    .orderBy('case_id')
    .execute()
  const names = rows.map(({ payment }) => payment.slice(payout.attempt.length + 1))
  const same = names.filter((name) => name === plain || name.startsWith(`${plain} `))
  const known = same.find((name) => name === marked || name === plain) ?? (mark === null ? same[0] : undefined)
  return { name: known ?? marked, isUnsure: known !== undefined && (mark === null || known !== marked) }
}

type Returned = Pick<PaymentException, 'why' | 'paid' | 'paid_currency'>
/** `settled`: the returns of this payout that were credited or paid again. */
type Paid = { amount: string; currency: string; settled: string }

/**
 * The amount that a return credits: as reported, at most what is left of the payout. Null when nothing can be credited:
 * an unproven report, no amount, another currency, or all of it settled.
 */
export function creditOfReturn({ why, paid, paid_currency }: Returned, payout: Paid): string | null {
  if (!creditable.includes(why) || paid === null || paid_currency !== payout.currency) return null
  const left = subtractAmounts(payout.amount, payout.settled)
  const read = readAmount(isMore(paid, left) ? left : paid, payout.currency)
  return 'amount' in read ? read.amount : null
}

/**
 * The settled returns of the withdrawal that the row with this alias pays or is, by provider and by hand; one paid again
 * with an unusable amount settles all of it. A transfer whose credit was rejected is decided anew, and not settled.
 */
export const settledOf = (row: string) => sql<string>`(
  select coalesce(sum(coalesce(credited.amount, case settled.paid_currency when ${sql.ref(`${row}.currency`)}
      then settled.paid end, ${sql.ref(`${row}.amount`)})), 0)::text
  from (
    select c.* from payout_orders as paid
    join payment_cases as c on c.workspace_id = paid.workspace_id and c.payout_id = paid.payout_id
    where paid.workspace_id = ${sql.ref(`${row}.workspace_id`)} and paid.transaction_id = ${sql.ref(`${row}.transaction_id`)}
    union all
    select c.* from payment_cases as c
    where c.workspace_id = ${sql.ref(`${row}.workspace_id`)} and c.withdrawal_id = ${sql.ref(`${row}.transaction_id`)}
  ) as settled
  left join balance_transactions as credited
    on credited.workspace_id = settled.workspace_id and credited.transaction_id = settled.transaction_id
  where settled.why <> 'credit_refused' and settled.decision in ('credit_paid', 'given_back') and settled.state = 'closed'
    and (settled.withdrawal_id is null or credited.state is null or credited.state not in ('rejected', 'cancelled')))`
