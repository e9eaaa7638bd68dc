import { formatAmount } from '@atrium/contract/money/money.ts'
import type { NotificationKind, NotificationTarget } from '@atrium/contract/notifications/calls.ts'
import type { System } from '../server/foundation/actor.ts'
import type { Tx } from '../server/foundation/database/database.ts'
import { newId } from '../server/foundation/ids.ts'

type SeededNotification = {
  kind: NotificationKind
  title: string
  body: string
  details?: Record<string, string>
  target: NotificationTarget
  hoursAgo: number
  isUnread?: true
}

const money = { kind: 'transaction' } as const

/** Notifications that are not about money. */
const others: SeededNotification[] = [
  {
    kind: 'device.appeared',
    title: 'New sign-in to your account',
    body: '{{device}}',
    details: { device: 'Firefox on Windows' },
    target: { kind: 'security' },
    hoursAgo: 26,
    isUnread: true,
  },
  {
    kind: 'destination.added',
    title: 'A bank account was added',
    body: '{{name}}',
    details: { name: 'Harbour Savings, EUR, ending in 3000' },
    target: { kind: 'bank_account' },
    hoursAgo: 90,
  },
]

const notificationsMin = 22

type Moved = {
  ticket: string
  type: string
  state: string
  amount: string
  currency: string
  account: string
  at: Date
}

/** A notification for each transaction, and some older ones, newest first. */
function notificationsOf(moved: readonly Moved[], now: number): SeededNotification[] {
  const seeded = moved.map((each, index): SeededNotification => {
    const { ticket, account } = each
    const details = { ticket, account, amount: `${formatAmount(each.amount, each.currency)} ${each.currency}` }
    const isPending = each.state === 'pending'
    const hours = (now - each.at.getTime()) / 3_600_000 - (isPending ? 0 : 3)
    return { ...textsOf(each), details, target: money, hoursAgo: hours, ...(index < 3 && { isUnread: true }) }
  })
  const older = Array.from(
    { length: Math.max(0, notificationsMin - others.length - seeded.length) },
    (_, index): SeededNotification => {
      const details = { ticket: String(980 - index), account: '700123', amount: `${100 + index * 50}.00 USD` }
      return {
        ...textsOf({ type: 'deposit', state: 'approved' }),
        details,
        target: money,
        hoursAgo: 6_000 + index * 60,
      }
    },
  )
  return [...seeded, ...others, ...older].sort((left, right) => left.hoursAgo - right.hoursAgo)
}

function textsOf({ type, state }: Pick<Moved, 'type' | 'state'>): Pick<SeededNotification, 'kind' | 'title' | 'body'> {
  if (type === 'deposit')
    return {
      kind: 'deposit.approved',
      title: 'Deposit T-{{ticket}} was credited',
      body: '{{amount}} is on your trading account {{account}}.',
    }
  return state === 'pending'
    ? {
        kind: 'withdrawal.requested',
        title: 'Withdrawal T-{{ticket}} was requested',
        body: '{{amount}} is reserved until we have reviewed it.',
      }
    : { kind: 'withdrawal.paid', title: 'Withdrawal T-{{ticket}} was paid out', body: '{{amount}} was paid.' }
}

/** Inserted as rows: the demo must not send last month's mails today. */
export async function addNotifications(tx: Tx, system: System, member_id: string): Promise<void> {
  const now = system.context.clock.now().getTime()
  const workspace_id = system.workspaceId
  const seeded = notificationsOf(await readMoved(tx, system, member_id), now)
  await tx.insertInto('notice_boxes').values({ workspace_id, member_id, last_number: seeded.length }).execute()
  await tx
    .insertInto('notices')
    .values(
      seeded.map(({ kind, title, body, details = {}, target, hoursAgo, isUnread }, index) => {
        const created_at = new Date(now - hoursAgo * 3_600_000)
        return {
          workspace_id,
          notice_id: newId(),
          member_id,
          notice_number: seeded.length - index,
          kind,
          dedupe_key: `demo:${index}`,
          title,
          body,
          details: JSON.stringify(details),
          target_kind: target.kind,
          created_at,
          read_at: isUnread ? null : created_at,
        }
      }),
    )
    .execute()
}

function readMoved(tx: Tx, { workspaceId }: System, memberId: string): Promise<Moved[]> {
  return tx
    .selectFrom('balance_transactions as transaction')
    .innerJoin('trading_accounts as account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'transaction.workspace_id')
        .onRef('account.account_id', '=', 'transaction.account_id'),
    )
    .select([
      'transaction.ticket',
      'transaction.type',
      'transaction.state',
      'transaction.amount',
      'transaction.currency',
    ])
    .select(['account.platform_login as account', 'transaction.created_at as at'])
    .where('transaction.workspace_id', '=', workspaceId)
    .where('transaction.member_id', '=', memberId)
    .where((where) =>
      where.or([
        where('transaction.state', '=', 'approved'),
        where.and([where('transaction.state', '=', 'pending'), where('transaction.type', '=', 'withdrawal')]),
      ]),
    )
    .orderBy('transaction.created_at', 'desc')
    .execute()
}
