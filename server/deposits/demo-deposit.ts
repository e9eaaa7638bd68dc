import { amountTexts, type DemoDepositInput } from '@atrium/contract/deposits/calls.ts'
import { demoDepositTexts } from '@atrium/contract/deposits/demo-deposit-texts.ts'
import type { FieldErrors } from '@atrium/contract/error-codes.ts'
import { formatAmount, isMore, readAmount, subtractAmounts, toScale } from '@atrium/contract/money/money.ts'
import { texts } from '@atrium/contract/texts.ts'
import { sql } from 'kysely'
import { authorize, type Member, type System, systemFor } from '../foundation/actor.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { holdMember } from '../foundation/database/member-lock.ts'
import { refuseFields } from '../foundation/errors.ts'
import { insertDemoFunds } from '../funding/crediting/demo-funds.ts'
import { holdsRealMoney } from '../funding/group-kind.ts'
import { selectOwnAccount } from '../funding/own-account.ts'
import { claimUniqueToken } from '../sessions/unique-token.ts'
import { readWorkspace } from '../workspaces/workspace.ts'

export type RequestedDeposit = { _id: string; ticket: string; status: 'pending' }

const dayMs = 24 * 3_600_000

/**
 * Demo funds on a member's own demo account need no review: the system actor credits them through the ordinary credit
 * intent, exactly once. The timeline and the audit log name the member who requested them.
 */
export async function requestDemoDeposit(member: Member, input: DemoDepositInput): Promise<RequestedDeposit> {
  authorize(member, 'deposit')
  const system = systemFor(member)
  const { nonce_token: token, ...body } = input
  const made = await inTransaction(system, async (tx) => {
    await holdMember(tx, system, member.memberId)
    const claim = await claimUniqueToken<RequestedDeposit>(tx, member, { token, purpose: 'transaction_deposit', body })
    if (claim.earlier) return claim.earlier // A repeated form returns the first deposit.
    const checked = await checkDemoDeposit(tx, member, system, input)
    const funds = { ...checked, memberId: member.memberId, source: 'client' as const, comment: input.comment }
    const inserted = await insertDemoFunds(tx, member, funds, 'deposit.demo-requested')
    const requested = { ...inserted, status: 'pending' as const }
    await claim.keep(requested)
    return requested
  })
  system.context.jobs.wake('funding.settle-intent')
  return made
}

type Checked = { accountId: string; amount: string; currency: string }

/** Locks the account row so that simultaneous requests are summed one after the other. */
async function checkDemoDeposit(tx: Tx, member: Member, system: System, input: DemoDepositInput): Promise<Checked> {
  const account = await selectOwnAccount(tx, member, input.trading_account)
    .where('live_account', '=', false)
    .forUpdate()
    .executeTakeFirst()
  const errors: FieldErrors = {}
  const currency = account?.currency ?? 'USD'
  const amount = readAmount(input.amount, currency)
  if ('problem' in amount) errors.amount = [amountTexts[amount.problem]]
  if (!account || (await holdsRealMoney(tx, system, account.account_id)))
    errors.trading_account = [texts.accountUnknown]
  if ('problem' in amount || !account || errors.trading_account) refuseFields(errors)
  const left = await readLeft(tx, system, { accountId: account.account_id, currency })
  if (isMore(amount.amount, left.amount)) refuseFields({ amount: [sayLeft(left, currency)] })
  return { accountId: account.account_id, amount: amount.amount, currency }
}

type Left = { amount: string; isOff: boolean }

function sayLeft({ amount, isOff }: Left, currency: string): string {
  if (isOff) return demoDepositTexts.none
  if (!isMore(amount, '0')) return demoDepositTexts.usedUp
  return demoDepositTexts.tooMuch
    .replace('{{amount}}', formatAmount(amount, currency))
    .replace('{{currency}}', currency)
}

/** The amount that may still be added within 24 hours. Failed and rejected deposits do not count. */
async function readLeft(tx: Tx, system: System, account: { accountId: string; currency: string }): Promise<Left> {
  const { settings } = await readWorkspace(tx, system)
  const since = new Date(system.context.clock.now().getTime() - dayMs)
  const { added } = await tx
    .selectFrom('balance_transactions')
    .select(sql<string>`coalesce(sum(amount), 0)::text`.as('added'))
    .where('workspace_id', '=', system.workspaceId)
    .where('account_id', '=', account.accountId)
    .where('payment_method', '=', 'demo')
    .where('source', '=', 'client')
    .where('state', 'not in', ['rejected', 'cancelled'])
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  const daily = settings.demo_deposit_daily
  const amount = isMore(added, daily) ? '0' : subtractAmounts(daily, added)
  return { amount: toScale(amount, account.currency), isOff: /^0+$/.test(daily) }
}
