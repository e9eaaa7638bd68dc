import type { NoticeKind, NoticeTarget } from '@atrium/contract/notices.ts'
import type { System } from '../server/foundation/actor.ts'
import type { Tx } from '../server/foundation/database.ts'
import { newId } from '../server/foundation/ids.ts'

type Told = {
  kind: NoticeKind
  title: string
  body: string
  details?: Record<string, string>
  target: NoticeTarget
  hoursAgo: number
  isUnread?: true
}

const money = { kind: 'transaction' } as const

/** What the member was told these last weeks, the newest first. */
const told: Told[] = [
  {
    kind: 'withdrawal.requested',
    title: 'Withdrawal T-{{ticket}} was asked for',
    body: '{{amount}} is reserved until we have checked it.',
    details: { ticket: '1009', amount: '180.00 USD' },
    target: money,
    hoursAgo: 5,
    isUnread: true,
  },
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
    kind: 'deposit.approved',
    title: 'Deposit T-{{ticket}} was credited',
    body: '{{amount}} is on your trading account {{account}}.',
    details: { ticket: '1004', amount: '2,500.00 USD', account: '700123' },
    target: money,
    hoursAgo: 50,
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
  ...Array.from({ length: 18 }, (_, index): Told => {
    const ticket = String(980 - index)
    const isIn = index % 3 !== 0
    return {
      kind: isIn ? 'deposit.approved' : 'withdrawal.paid',
      title: isIn ? 'Deposit T-{{ticket}} was credited' : 'Withdrawal T-{{ticket}} was paid out',
      body: isIn ? '{{amount}} is on your trading account {{account}}.' : '{{amount}} was paid.',
      details: { ticket, amount: `${100 + index * 50}.00 USD`, account: '700123' },
      target: money,
      hoursAgo: 140 + index * 60,
    }
  }),
]

/** Written as rows: nobody is to find mails of last month in the mailbox of today. */
export async function addNotices(tx: Tx, system: System, member_id: string): Promise<void> {
  const now = system.ground.clock.now().getTime()
  const workspace_id = system.workspaceId
  await tx.insertInto('notice_boxes').values({ workspace_id, member_id, last_number: told.length }).execute()
  await tx
    .insertInto('notices')
    .values(
      told.map(({ kind, title, body, details = {}, target, hoursAgo, isUnread }, index) => {
        const created_at = new Date(now - hoursAgo * 3_600_000)
        return {
          workspace_id,
          notice_id: newId(),
          member_id,
          notice_number: told.length - index,
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
