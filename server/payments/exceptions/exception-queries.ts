import { toScale } from '@atrium/contract/money/money.ts'
import { exceptionsList } from '@atrium/contract/payments/desk-list.ts'
import type { DeskException } from '@atrium/contract/payments/exceptions.ts'
import { type Selectable, sql } from 'kysely'
import { authorizeStaff, type Staff } from '../../foundation/actor.ts'
import { spreadsheetMoment } from '../../foundation/csv.ts'
import type { DepositOrders } from '../../foundation/database/database.generated.ts'
import { reading, type Tx } from '../../foundation/database/database.ts'
import { refuseNotFound } from '../../foundation/errors.ts'
import { condition, defineList } from '../../foundation/list.ts'
import { peopleFor } from '../../money-decisions/second-approval.ts'
import { selfApprovalOf } from '../../money-decisions/self-approval.ts'
import { nameOfProvider } from '../../payment-providers/registry.ts'
import { readWorkspace, startSettings } from '../../workspaces/workspace.ts'
import { claimOf } from './exception.ts'
import { creditOf } from './exception-credit.ts'
import { isRefusedCredit } from './refused-credit.ts'
import { creditOfReturn, returnedAgain, settledOf } from './returned-payout.ts'

export const deskExceptions = defineList({
  list: exceptionsList,
  right: 'money.read',
  table: 'payment_cases as asked',
  id: 'asked.case_id',
  select: selectExceptions,
  prepare: async ({ tx, staff }) => ({ settings: startSettings(tx, staff) }),
  filters: { state: (state) => condition`asked.state ${sql.raw(state === 'waiting' ? '<>' : '=')} 'closed'` },
  sort: ({ state }) =>
    state === 'closed'
      ? { direction: 'desc', isById: true }
      : { direction: 'asc', column: 'asked.opened_at', at: (row) => row.opened_at },
  shape: describeListed,
  columns: [
    ['Opened (UTC)', (row) => spreadsheetMoment(row.opened_at)],
    ['State', (row) => row.state],
    ['Cause', (row) => row.why],
    ['Provider', (row) => row.provider],
    ['Provider reference', (row) => row.payment],
    ['Agreed', (row) => ({ amount: row.order.charge })],
    ['Currency', (row) => row.order.currency],
    ['Paid', (row) => row.paid && { amount: row.paid }],
    ['Paid currency', (row) => row.paid_currency],
    ['Deposit', (row) => (isReturn(row) ? null : row.deposit.ticket)],
    ['Withdrawal', (row) => row.payout?.ticket ?? null],
    ['Beneficiary', (row) => row.payout?.beneficiary ?? null],
    ['Account', (row) => row.account.platform_login],
    ['Customer number', (row) => row.member.customer_number],
    ['Name', (row) => row.member.name],
    ['Decision', (row) => row.decision],
    ['Proposed by', (row) => row.proposed_by],
    ['Decided by', (row) => row.decided_by],
    ['Decided (UTC)', (row) => spreadsheetMoment(row.decided_at)],
    ['Credited as', (row) => row.credited?.ticket ?? null],
    ['Refund reference', (row) => row.outside_reference],
    ['Reason', (row) => row.note],
  ],
})

/** A returned payout itself, rather than a refused credit of one. */
const isReturn = ({ payout, deposit }: DeskException): boolean => payout?.withdrawal_id === deposit._id

export async function readException(staff: Staff, id: string): Promise<DeskException> {
  authorizeStaff(staff, 'money.read')
  return reading(staff, async (tx) => {
    const row = await selectExceptions(tx, staff).where('asked.case_id', '=', id).executeTakeFirst()
    if (!row) refuseNotFound()
    return describe(row, (await readWorkspace(tx, staff)).settings)
  })
}

/** A refused credit may be that of a second payment, which has a deposit of its own. */
const depositOf = sql<string>`case when asked.why = 'credit_refused' then (
  select claimed.transaction_id from payment_credits as claimed where claimed.workspace_id = asked.workspace_id
    and claimed.provider_id = asked.provider_id and claimed.payment = asked.claims) else "order".transaction_id end`

type About = Pick<Selectable<DepositOrders>, 'state' | 'amount' | 'fee' | 'charge' | 'currency' | 'attempt'> & {
  workspace_id: string
  order_id: string
  member_id: string
  account_id: string
  transaction_id: string
  created_at: Date
  reference: string | null
  /** Of payouts only. */
  withdrawal_ticket: string | null
  beneficiary: string | null
  settled: string | null
  ended_at: Date | null
  approvals_needed: number | null
}

/** The order of an exception, or its payout or transfer by hand in the same columns. */
const about = sql<About>`(
  select o.workspace_id, o.order_id, o.member_id, o.account_id, o.transaction_id, o.state, o.amount, o.fee, o.charge, o.currency,
    o.attempt, o.created_at, o.reference, null::text as withdrawal_ticket, null::text as beneficiary, null::text as settled,
    null::timestamptz as ended_at, null::smallint as approvals_needed
  from deposit_orders as o where o.workspace_id = asked.workspace_id and o.order_id = asked.order_id
  union all
  select p.workspace_id, p.payout_id, p.member_id, w.account_id, p.transaction_id, p.state, p.amount, 0, p.amount, p.currency,
    p.attempt, p.created_at, p.reference, w.ticket::text, coalesce(w.destination_text, ''), ${settledOf('p')}, p.ended_at,
    w.approvals_needed
  from payout_orders as p
  join balance_transactions as w on w.workspace_id = p.workspace_id and w.transaction_id = p.transaction_id
  where p.workspace_id = asked.workspace_id and p.payout_id = asked.payout_id
  union all
  select w.workspace_id, w.transaction_id, w.member_id, w.account_id, w.transaction_id, 'paid', w.amount - w.fee, 0,
    w.amount - w.fee, w.currency, coalesce(w.payout_reference, ''), w.created_at, null, w.ticket::text,
    coalesce(w.destination_text, ''), ${settledOf('w')}, w.paid_at, w.approvals_needed
  from balance_transactions as w
  where w.workspace_id = asked.workspace_id and w.transaction_id = asked.withdrawal_id)`

function selectExceptions(tx: Tx, staff: Staff) {
  return tx
    .selectFrom('payment_cases as asked')
    .innerJoinLateral(about.as('order'), (join) => join.onTrue())
    .leftJoin('payment_providers as provider', (join) =>
      join
        .onRef('provider.workspace_id', '=', 'asked.workspace_id')
        .onRef('provider.provider_id', '=', 'asked.provider_id'),
    )
    .innerJoin('balance_transactions as deposit', (join) =>
      join.onRef('deposit.workspace_id', '=', 'order.workspace_id').on('deposit.transaction_id', '=', depositOf),
    )
    .innerJoin('members as member', (join) =>
      join.onRef('member.workspace_id', '=', 'order.workspace_id').onRef('member.member_id', '=', 'order.member_id'),
    )
    .innerJoin('trading_accounts as account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'order.workspace_id')
        .onRef('account.account_id', '=', 'order.account_id'),
    )
    .innerJoin('workspaces as workspace', 'workspace.workspace_id', 'asked.workspace_id')
    .leftJoin('balance_transactions as credited', (join) =>
      join
        .onRef('credited.workspace_id', '=', 'asked.workspace_id')
        .onRef('credited.transaction_id', '=', 'asked.transaction_id'),
    )
    .leftJoin('staff_users as proposer', (join) =>
      join
        .onRef('proposer.workspace_id', '=', 'asked.workspace_id')
        .onRef('proposer.staff_id', '=', 'asked.proposed_by'),
    )
    .leftJoin('staff_users as decider', (join) =>
      join.onRef('decider.workspace_id', '=', 'asked.workspace_id').onRef('decider.staff_id', '=', 'asked.decided_by'),
    )
    .selectAll('asked')
    .select(['order.state as order_state', 'order.amount', 'order.fee', 'order.charge', 'order.currency'])
    .select(['order.withdrawal_ticket', 'order.beneficiary', 'order.settled', 'order.ended_at'])
    .select(['order.order_id as about_id', 'order.transaction_id as about_transaction', 'order.reference'])
    .select('order.approvals_needed')
    .select([
      'order.attempt',
      'order.created_at as ordered_at',
      'order.member_id',
      'provider.app_uid',
      'provider.title',
    ])
    .select(['deposit.transaction_id as deposit_id', 'deposit.ticket', 'deposit.state as deposit_state'])
    .select('deposit.amount as deposit_amount')
    .select(['member.customer_number', 'account.platform_login', 'workspace.restored_at'])
    .select(selfApprovalOf(staff).as('is_own'))
    .select(sql<string>`concat_ws(' ', member.first_name, member.last_name)`.as('member_name'))
    .select(['credited.ticket as credited_ticket', 'credited.state as credited_state'])
    .select(['proposer.name as proposed_by_name', 'decider.name as decided_by_name'])
    .where('asked.workspace_id', '=', staff.workspaceId)
}

type Row = Awaited<ReturnType<ReturnType<typeof selectExceptions>['executeTakeFirstOrThrow']>>
type Settings = Parameters<typeof peopleFor>[0]

const orderOf = ({ amount, fee, currency, order_state: state }: Row) => ({ amount, fee, currency, state })

type Known = { settings: Promise<Settings> }

async function describeListed(row: Row, _: Staff, { settings }: Known): Promise<DeskException> {
  return describe(row, await settings)
}

function describePayout(row: Row): DeskException['payout'] {
  const { withdrawal_ticket, currency, about_transaction, beneficiary, settled, ended_at } = row
  if (withdrawal_ticket === null) return null
  return {
    withdrawal_id: about_transaction,
    ticket: withdrawal_ticket,
    beneficiary: beneficiary ?? '',
    settled: toScale(settled ?? '0', currency),
    paid_at: ended_at?.getTime() ?? null,
  }
}

function creditableOf(row: Row, settings: Settings): DeskException['creditable'] {
  const { currency, amount, settled } = row
  if (settled !== null && !isRefusedCredit(row)) {
    const credit_paid = creditOfReturn(row, { amount, currency, settled })
    const types = row.withdrawal_id === null ? (['withdrawal'] as const) : (['withdrawal', 'deposit'] as const)
    const people = types.map((type) => peopleFor(settings, { type, amount: credit_paid ?? amount, currency }))
    const least = row.why === returnedAgain ? 2 : (row.approvals_needed ?? 1)
    return { credit_agreed: null, credit_paid, people_needed: Math.max(...people, least) }
  }
  const credit_agreed = creditOf('credit_agreed', row, orderOf(row))
  const credit_paid = creditOf('credit_paid', row, orderOf(row))
  const largest = credit_paid ?? credit_agreed ?? (isRefusedCredit(row) ? row.deposit_amount : '0')
  return {
    ...{ credit_agreed, credit_paid },
    people_needed: peopleFor(settings, { type: 'deposit', amount: largest, currency }),
  }
}

function describe(row: Row, settings: Settings): DeskException {
  const { currency } = row
  return {
    _id: row.case_id,
    provider: row.app_uid === null ? '' : nameOfProvider({ app_uid: row.app_uid, title: row.title }),
    kind: row.kind as DeskException['kind'],
    why: row.why,
    state: row.state as DeskException['state'],
    payment: row.payout_id === null ? claimOf(row) : (row.reference ?? row.attempt),
    paid: row.paid === null ? null : toScale(row.paid, row.paid_currency ?? currency),
    paid_currency: row.paid_currency,
    word: row.word,
    opened_at: row.opened_at.getTime(),
    order: {
      _id: row.about_id,
      state: row.order_state as DeskException['order']['state'],
      amount: toScale(row.amount, currency),
      fee: toScale(row.fee, currency),
      charge: toScale(row.charge, currency),
      currency,
      attempt: row.attempt,
      created_at: row.ordered_at.getTime(),
    },
    deposit: {
      _id: row.deposit_id,
      ticket: String(row.ticket),
      state: row.deposit_state as DeskException['deposit']['state'],
    },
    payout: describePayout(row),
    member: { _id: row.member_id, name: row.member_name, customer_number: String(row.customer_number) },
    is_own: row.is_own,
    account: { platform_login: row.platform_login },
    creditable: creditableOf(row, settings),
    before_restore: row.state !== 'closed' && row.restored_at !== null && row.ordered_at <= row.restored_at,
    decision: row.decision as DeskException['decision'],
    note: row.note,
    outside_reference: row.outside_reference,
    proposed_by: row.proposed_by_name,
    decided_by: row.decided_by_name,
    decided_at: row.decided_at?.getTime() ?? null,
    credited:
      row.transaction_id === null || row.credited_ticket === null
        ? null
        : {
            _id: row.transaction_id,
            ticket: String(row.credited_ticket),
            state: row.credited_state as DeskException['deposit']['state'],
          },
  }
}
