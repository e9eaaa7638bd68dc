import type pg from 'pg'
import { noteDifference } from '../../server/accounts/differences.ts'
import { type Staff, systemActor } from '../../server/foundation/actor.ts'
import { inTransaction } from '../../server/foundation/database/database.ts'
import { writeIntent } from '../../server/funding/crediting/intent.ts'
import { lockTransaction } from '../../server/funding/transaction.ts'
import { openException } from '../../server/payments/exceptions/exception.ts'
import { decideException } from '../../server/payments/exceptions/exception-decision.ts'
import { addMismatch } from '../fixtures/reconciliations.ts'

/** The member's first row of a table, as text. */
export async function oneOf(owner: pg.Client, table: string, memberId: string): Promise<Record<string, string>> {
  const found = await owner.query(`select * from ${table} where member_id = $1 order by 1, 2 limit 1`, [memberId])
  return found.rows[0]
}

type About = { memberId: string /** What colleagues wrote. */; note: string }

/** Adds a row to every table that belongs to a member only through a join, through the program's own code where possible. */
export async function fillJoined(staff: Staff, owner: pg.Client, about: About): Promise<void> {
  const { memberId, note } = about
  const system = systemActor(staff.context, staff.workspaceId)
  const account = await oneOf(owner, 'trading_accounts', memberId)
  const { platform_login: login = '', account_id: accountId = '', platform_id: platformId = '' } = account
  const at = { login, group: 'real', leverage: 100, enabled: true, tradingAllowed: true, passwordChangeAllowed: true }
  const person = {
    name: `Holder ${login}`,
    email: `${login}@holder.example`,
    comment: '',
    registeredAt: 0,
    currency: 'EUR',
  }
  await inTransaction(system, (tx) =>
    noteDifference(tx, system, platformId, {
      ...{ kind: 'currency', login, accountId, reason: 'EUR' },
      at: { ...at, ...person },
    }),
  )
  await addMismatch(system, { accountId, by: staff.staffId, note })
  const [workspace_id, now] = [system.workspaceId, staff.context.clock.now()]
  const { transaction_id = '' } = await oneOf(owner, 'balance_transactions', memberId)
  const { provider_id = '' } = await oneOf(owner, 'deposit_orders', memberId)
  await inTransaction(system, async (tx) => {
    const operation = { ticket: '77', amount: '5.00', currency: 'USD', at: now }
    await tx
      .insertInto('platform_operations')
      .values({ workspace_id, account_id: accountId, ...operation })
      .execute()
    const approval = { workspace_id, transaction_id, round: 7, staff_id: staff.staffId, approved_at: now }
    await tx.insertInto('withdrawal_approvals').values(approval).execute()
    const credit = { workspace_id, provider_id, payment: `paid ${login}`, transaction_id, credited_at: now }
    await tx
      .insertInto('payment_credits')
      .values(credit)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
  const { rowCount } = await owner.query('select from platform_intents where transaction_id = $1', [transaction_id])
  if (rowCount === 0)
    await inTransaction(system, async (tx) =>
      writeIntent(tx, system, await lockTransaction(tx, system, transaction_id)),
    )
  await fillException(staff, owner, about)
}

async function fillException(staff: Staff, owner: pg.Client, { memberId, note }: About): Promise<void> {
  const system = systemActor(staff.context, staff.workspaceId)
  await inTransaction(system, async (tx) => {
    const order = await tx
      .selectFrom('deposit_orders')
      .selectAll()
      .where('workspace_id', '=', system.workspaceId)
      .where('member_id', '=', memberId)
      .executeTakeFirstOrThrow()
    const paid = { attempt: order.attempt, reference: `of ${memberId}`, amount: '1.00', currency: 'USD', reason: null }
    await openException(tx, system, order, { reported: { ...paid, word: 'OK', state: 'paid' }, why: 'amount_differs' })
  })
  const found = await owner.query('select case_id from payment_cases where payment = $1', [`of ${memberId}`])
  const id = String(found.rows[0].case_id)
  await decideException(staff, { id, decision: 'explained', note, outside_reference: '' })
  await fillReturn(staff, owner, { memberId, note })
}

/** The exception of a payout that came back, closed. */
async function fillReturn({ staffId }: Staff, owner: pg.Client, { memberId, note }: About): Promise<void> {
  await owner.query(
    `insert into payment_cases (workspace_id, case_id, payout_id, provider_id, payment, kind, why, word, opened_at, state,
       decision, note, outside_reference, decided_by, decided_at)
     select workspace_id, gen_random_uuid(), payout_id, provider_id, 'of ' || payout_id, 'paid', 'payout_returned', 'RETURNED', now(),
       'closed', 'given_back', $2, 'BANK-9', $3, now() from payout_orders where member_id = $1 limit 1`,
    [memberId, note, staffId],
  )
}
